#include "tests/support/scenario.h"

// Process and none events: spec 3.1, 3.2 and 9.1.
namespace beeline::testing {
namespace {

SCENARIO(PR1_an_instance_of_a_one_task_process_runs_to_its_job) {
  given.process("order", start("begin") >> service_task("ship", job("courier")) >> end("shipped"));
  when.instance("order", R"({"a":1})");
  then.records(R"(
    C PROCESS_INSTANCE_CREATION CREATE order
    E VARIABLE CREATED a value="1"
    C ELEMENT ACTIVATE order
    E PROCESS_INSTANCE_CREATION CREATED order
    E ELEMENT ACTIVATING order
    E ELEMENT ACTIVATED order
    C ELEMENT ACTIVATE begin
    E ELEMENT ACTIVATING begin
    E ELEMENT ACTIVATED begin
    C ELEMENT COMPLETE begin
    E ELEMENT COMPLETING begin
    E ELEMENT COMPLETED begin
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN begin_ship
    C ELEMENT ACTIVATE ship
    E ELEMENT ACTIVATING ship
    E JOB CREATED courier retries=3
    E ELEMENT ACTIVATED ship
  )");
}

SCENARIO(PR1_completing_the_job_ends_the_instance) {
  given.process("order", start("begin") >> service_task("ship", job("courier")) >> end("shipped"));
  given.instance("order");
  when.completes_job("courier", R"({"b":2})");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED courier
    E PROCESS_EVENT TRIGGERING ship
    C ELEMENT COMPLETE ship
    E ELEMENT COMPLETING ship
    E PROCESS_EVENT TRIGGERED ship
    E VARIABLE CREATED b value="2"
    E ELEMENT COMPLETED ship
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN ship_shipped
    C ELEMENT ACTIVATE shipped
    E ELEMENT ACTIVATING shipped
    E ELEMENT ACTIVATED shipped
    C ELEMENT COMPLETE shipped
    E ELEMENT COMPLETING shipped
    E ELEMENT COMPLETED shipped
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
