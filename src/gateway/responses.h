#pragma once

#include <cstddef>
#include <memory>

#include "gateway.pb.h"
#include "gateway/call.h"
#include "gateway/status.h"
#include "record/record.h"
#include "record/values/jobs.h"
#include "service/job_sink.h"

// Maps the records that answer commands to responses.
namespace beeline::gateway {

// Ends `call` with the response for the answering event.
using Respond = void (*)(const record::RecordView& answer, Call& call);
// Like Respond for responses that may be larger than `bytes_max`. Such a response is not sent: the
// call ends with RESOURCE_EXHAUSTED, and the text contains the size and what has happened
// nevertheless.
using RespondWithin = void (*)(const record::RecordView& answer, Call& call, std::size_t bytes_max);

// For commands whose response is empty.
template <typename Response>
void respond_empty(const record::RecordView&, Call& call) {
  call.respond(Response{});
}
void respond_deploy_resource(const record::RecordView& answer, Call& call);
void respond_deploy_process(const record::RecordView& answer, Call& call);
void respond_delete_resource(const record::RecordView& answer, Call& call);
void respond_create_instance(const record::RecordView& answer, Call& call);
void respond_create_instance_with_result(const record::RecordView& answer, Call& call,
                                         std::size_t bytes_max);
void respond_publish_message(const record::RecordView& answer, Call& call);
void respond_broadcast_signal(const record::RecordView& answer, Call& call);
void respond_evaluate_conditional(const record::RecordView& answer, Call& call);
void respond_evaluate_decision(const record::RecordView& answer, Call& call, std::size_t bytes_max);
void respond_set_variables(const record::RecordView& answer, Call& call);

// Converts a job into the message for its worker.
[[nodiscard]] gateway_protocol::ActivatedJob to_activated_job(Key key,
                                                              const record::JobRecord& job);

// Sinks that write jobs to a call: a message of a poll contains several jobs, a message of a stream
// one job.
[[nodiscard]] std::shared_ptr<service::JobSink> make_poll_sink(std::shared_ptr<Call> call);
[[nodiscard]] std::shared_ptr<service::JobSink> make_stream_sink(std::shared_ptr<Call> call);

}  // namespace beeline::gateway
