#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <utility>

#include "base/check.h"
#include "gateway/responses.h"

namespace beeline::gateway {
namespace {

// The common part of the sinks of polls and streams: the call, and the form of a job.
class CallSink : public service::JobSink {
 public:
  explicit CallSink(std::shared_ptr<Call> call) : call_(std::move(call)) {}

  [[nodiscard]] std::string encode(Key key, const record::JobRecord& job) const override {
    return to_activated_job(key, job).SerializeAsString();
  }
  void accept() override { call_->send_headers(); }
  void finish(service::Outcome<void> outcome) override { call_->finish(status_of(outcome)); }
  [[nodiscard]] bool is_open() const override { return call_->is_open(); }
  void on_closed(absl::AnyInvocable<void()> closed) override {
    call_->on_closed(std::move(closed));
  }

 protected:
  [[nodiscard]] Call& call() { return *call_; }

 private:
  const std::shared_ptr<Call> call_;
};

// Writes an ActivateJobsResponse around the jobs' bytes: a message consists of its fields, each
// with its number and its length.
std::string to_activate_jobs_response(const std::vector<service::EncodedJob>& jobs) {
  using google::protobuf::io::CodedOutputStream;
  constexpr std::uint32_t kLengthDelimited = 2;
  constexpr std::uint32_t kTag =
      gateway_protocol::ActivateJobsResponse::kJobsFieldNumber << 3 | kLengthDelimited;
  std::string bytes;
  google::protobuf::io::StringOutputStream output(&bytes);
  CodedOutputStream coded(&output);
  for (const service::EncodedJob& job : jobs) {
    coded.WriteTag(kTag);
    coded.WriteVarint32(static_cast<std::uint32_t>(job.bytes.size()));
    coded.WriteString(job.bytes);
  }
  coded.Trim();
  return bytes;
}

class PollSink final : public CallSink {
 public:
  using CallSink::CallSink;
  void send(std::vector<service::EncodedJob> jobs, Written written) override {
    call().send_bytes(to_activate_jobs_response(jobs), std::move(written));
  }
};

class StreamSink final : public CallSink {
 public:
  using CallSink::CallSink;
  void send(std::vector<service::EncodedJob> jobs, Written written) override {
    BEELINE_CHECK(jobs.size() == 1, "a stream is given {} jobs at once", jobs.size());
    call().send_bytes(std::move(jobs.front().bytes), std::move(written));
  }
};

}  // namespace

std::shared_ptr<service::JobSink> make_poll_sink(std::shared_ptr<Call> call) {
  return std::make_shared<PollSink>(std::move(call));
}

std::shared_ptr<service::JobSink> make_stream_sink(std::shared_ptr<Call> call) {
  return std::make_shared<StreamSink>(std::move(call));
}

}  // namespace beeline::gateway
