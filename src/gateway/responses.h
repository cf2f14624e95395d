#pragma once

#include <cstddef>
#include <memory>

#include "gateway.pb.h"
#include "gateway/call.h"
#include "gateway/status.h"
#include "record/record.h"
#include "record/values.h"
#include "service/job_sink.h"

// From the records that answer commands to responses.
namespace beeline::gateway {

// Ends `call` with the response that the answering event makes.
using Respond = void (*)(const record::RecordView& answer, Call& call);
// A response may be larger than `bytes_max`. Such a response is not sent: the call
// ends with RESOURCE_EXHAUSTED, which names the size and what has happened all the same.
using RespondWithin = void (*)(const record::RecordView& answer, Call& call, std::size_t bytes_max);

// For the commands whose response says nothing but that it is done.
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
void respond_evaluate_decision(const record::RecordView& answer, Call& call, std::size_t bytes_max);
void respond_set_variables(const record::RecordView& answer, Call& call);

// A job as its worker sees it.
[[nodiscard]] gateway_protocol::ActivatedJob to_activated_job(Key key,
                                                              const record::JobRecord& job);

// Sinks that write jobs to a call: a poll gets messages of several jobs, a stream one job a
// message.
[[nodiscard]] std::shared_ptr<service::JobSink> make_poll_sink(std::shared_ptr<Call> call);
[[nodiscard]] std::shared_ptr<service::JobSink> make_stream_sink(std::shared_ptr<Call> call);

}  // namespace beeline::gateway
