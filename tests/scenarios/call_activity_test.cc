#include "tests/support/scenario.h"

// Call activities: spec 3.15 and 9.15.
namespace beeline::testing {
namespace {

class CallActivity : public ScenarioTest {
 protected:
  void deploy_child() {
    given.process("child", start("child_start") >> service_task("work", job("work")) >>
                               bpmn::build::end("child_end"));
  }
};

TEST_F(CallActivity, CA2_the_called_process_knows_who_called_it) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  when.instance("parent", R"({"a":1})");
  then.records_of({"C ELEMENT ACTIVATE c", "E ELEMENT ACTIVAT", "E VARIABLE", "E JOB"}, R"(
    E VARIABLE CREATED a
    E ELEMENT ACTIVATING parent
    E ELEMENT ACTIVATED parent
    E ELEMENT ACTIVATING start
    E ELEMENT ACTIVATED start
    C ELEMENT ACTIVATE call
    E ELEMENT ACTIVATING call
    E ELEMENT ACTIVATED call
    C ELEMENT ACTIVATE child
    E VARIABLE CREATED a
    E ELEMENT ACTIVATING child
    E ELEMENT ACTIVATED child
    C ELEMENT ACTIVATE child_start
    E ELEMENT ACTIVATING child_start
    E ELEMENT ACTIVATED child_start
    E ELEMENT ACTIVATING work
    E JOB CREATED work
    E ELEMENT ACTIVATED work
  )");
}

TEST_F(CallActivity, CA4_the_end_of_the_called_process_brings_its_variables_back) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >>
                              service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("parent");
  when.completes_job("work", R"({"result":42})");
  then.records_of({"E ELEMENT COMPLET", "E PROCESS_EVENT", "E VARIABLE"}, R"(
    E PROCESS_EVENT TRIGGERING work
    E ELEMENT COMPLETING work
    E PROCESS_EVENT TRIGGERED work
    E VARIABLE CREATED result
    E ELEMENT COMPLETED work
    E ELEMENT COMPLETING child_end
    E ELEMENT COMPLETED child_end
    E ELEMENT COMPLETING child
    E PROCESS_EVENT TRIGGERING call
    E ELEMENT COMPLETED child
    E ELEMENT COMPLETING call
    E PROCESS_EVENT TRIGGERED call
    E VARIABLE CREATED result
    E ELEMENT COMPLETED call
  )");
  EXPECT_EQ(then.variable(instance, "result"), "42");
}

TEST_F(CallActivity, CA4_nothing_comes_back_that_was_not_asked_for) {
  deploy_child();
  given.process("parent",
                start() >>
                    call_activity("call", CallOptions{.process_id = "child",
                                                      .propagate_all_child_variables = false}) >>
                    service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("parent");
  given.completes_job("work", R"({"result":42})");
  EXPECT_EQ(then.variable(instance, "result"), "absent");
  EXPECT_EQ(given.activates_jobs("after").size(), 1U);
}

TEST_F(CallActivity, CA1_a_missing_target_is_an_incident_until_it_is_deployed) {
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  given.instance("parent");
  EXPECT_EQ(then.open_incidents(), 1U);
  deploy_child();
  given.resolves_incident();
  given.completes_job("work");
  then.all_done();
}

TEST_F(CallActivity, CA5_canceling_the_root_ends_the_called_process_and_the_child_alone_cannot) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  const Key instance = given.instance("parent");
  when.cancels(given.element("child"));
  then.rejected(RejectionType::InvalidState, "Cancel the root process instance");
  when.cancels(instance);
  then.records_of({"E ELEMENT TERMINATED"}, R"(
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    E ELEMENT TERMINATED parent
  )");
  then.all_done();
}

TEST_F(CallActivity, CA5_a_boundary_event_ends_the_called_process_first) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end(),
                boundary("call", timer("late", 1h)) >> bpmn::build::end("expired"));
  given.instance("parent");
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED parent
  )");
  then.all_done();
}

TEST_F(CallActivity, an_error_of_the_called_process_is_caught_at_the_call) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end(),
                boundary("call", error("failed", "E1")) >> bpmn::build::end("handled"));
  given.instance("parent");
  when.throws_error("work", "E1");
  then.records_of({"E JOB", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E JOB ERROR_THROWN work
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    E ELEMENT COMPLETED failed
    E ELEMENT COMPLETED handled
    E ELEMENT COMPLETED parent
  )");
}

}  // namespace
}  // namespace beeline::testing
