#pragma once

#include "record/values/common.h"

// Jobs, and the batches in which workers activate them.
namespace beeline::record {

#define BEELINE_JOB_INTENTS(COMMAND, EVENT)                 \
  EVENT(Created, 0, "CREATED")                              \
  COMMAND(Complete, 1, "COMPLETE")                          \
  EVENT(Completed, 2, "COMPLETED")                          \
  COMMAND(TimeOut, 3, "TIME_OUT")                           \
  EVENT(TimedOut, 4, "TIMED_OUT")                           \
  COMMAND(Fail, 5, "FAIL")                                  \
  EVENT(Failed, 6, "FAILED")                                \
  COMMAND(UpdateRetries, 7, "UPDATE_RETRIES")               \
  EVENT(RetriesUpdated, 8, "RETRIES_UPDATED")               \
  COMMAND(Cancel, 9, "CANCEL")                              \
  EVENT(Canceled, 10, "CANCELED")                           \
  COMMAND(ThrowError, 11, "THROW_ERROR")                    \
  EVENT(ErrorThrown, 12, "ERROR_THROWN")                    \
  COMMAND(RecurAfterBackoff, 13, "RECUR_AFTER_BACKOFF")     \
  EVENT(RecurredAfterBackoff, 14, "RECURRED_AFTER_BACKOFF") \
  COMMAND(Yield, 15, "YIELD")                               \
  EVENT(Yielded, 16, "YIELDED")                             \
  COMMAND(UpdateTimeout, 17, "UPDATE_TIMEOUT")              \
  EVENT(TimeoutUpdated, 18, "TIMEOUT_UPDATED")
BEELINE_INTENTS(JobIntent, BEELINE_JOB_INTENTS);

template <typename Text>
struct BasicJobRecord {
  static constexpr ValueType kType = ValueType::Job;
  using Intent = JobIntent;

  Text type;
  Headers custom_headers;
  Text worker;
  std::int32_t retries = 0;
  std::int32_t priority = 0;
  Milliseconds retry_backoff{0};
  Timestamp recurring_time{-1};
  Timestamp deadline{-1};
  Milliseconds timeout{0};
  Text error_message;
  Text error_code;
  DocumentOf<Text> variables;
  Text element_id;
  ElementType element_type = ElementType::Unspecified;
  Key element_instance_key;
  std::int32_t process_definition_version = -1;
  JobKind kind = JobKind::BpmnElement;
  Key process_instance_key;
  Key process_definition_key;
  Text bpmn_process_id;
  Text tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  std::vector<std::string> tags;
  bool error_caught = false;  // on ERROR_THROWN, since its version 2
  bool operator==(const BasicJobRecord&) const = default;
  static constexpr auto kSubject = &BasicJobRecord::type;
  static constexpr Owner kOwner = Owner::Job;

  // Before version 2, a marker in place of the element's id recorded that nobody catches the error,
  // but an element may have that very id.
  static constexpr std::uint16_t version_of(Intent intent) {
    return intent == Intent::ErrorThrown ? 2 : 1;
  }

  static constexpr auto fields() {
    using T = BasicJobRecord;
    return std::tuple{field(1, "type", &T::type),
                      field(2, "customHeaders", &T::custom_headers),
                      field(3, "worker", &T::worker),
                      field(4, "retries", &T::retries),
                      field(5, "priority", &T::priority),
                      field(6, "retryBackoff", &T::retry_backoff),
                      field(7, "recurringTime", &T::recurring_time),
                      field(8, "deadline", &T::deadline),
                      field(9, "timeout", &T::timeout),
                      field(10, "errorMessage", &T::error_message),
                      field(11, "errorCode", &T::error_code),
                      field(12, "variables", &T::variables),
                      field(13, "elementId", &T::element_id),
                      field(14, "elementType", &T::element_type),
                      field(15, "elementInstanceKey", &T::element_instance_key),
                      field(16, "processDefinitionVersion", &T::process_definition_version),
                      field(17, "jobKind", &T::kind),
                      field(18, "processInstanceKey", &T::process_instance_key),
                      field(19, "processDefinitionKey", &T::process_definition_key),
                      field(20, "bpmnProcessId", &T::bpmn_process_id),
                      field(21, "tenantId", &T::tenant_id),
                      field(22, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(23, "tags", &T::tags),
                      field(24, "errorCaught", &T::error_caught)};
  }
};
using JobRecord = BasicJobRecord<std::string>;
using JobView = BasicJobRecord<std::string_view>;

#define BEELINE_JOB_BATCH_INTENTS(COMMAND, EVENT) \
  COMMAND(Activate, 0, "ACTIVATE")                \
  EVENT(Activated, 1, "ACTIVATED")
BEELINE_INTENTS(JobBatchIntent, BEELINE_JOB_BATCH_INTENTS);

template <typename Text>
struct BasicJobBatchRecord {
  static constexpr ValueType kType = ValueType::JobBatch;
  using Intent = JobBatchIntent;
  static constexpr std::uint32_t kJobsField = 8;

  Text type;
  Text worker;
  Milliseconds timeout{0};
  std::int32_t max_jobs_to_activate = -1;
  std::vector<std::string> variables;  // names to fetch; empty means all
  std::vector<std::string> tenant_ids;
  std::vector<Key> job_keys;
  std::vector<BasicJobRecord<Text>> jobs;
  bool truncated = false;
  Key first_job_key;  // older jobs are not wanted; unset: all are
  bool operator==(const BasicJobBatchRecord&) const = default;
  static constexpr auto kSubject = &BasicJobBatchRecord::type;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = BasicJobBatchRecord;
    return std::tuple{field(1, "type", &T::type),
                      field(2, "worker", &T::worker),
                      field(3, "timeout", &T::timeout),
                      field(4, "maxJobsToActivate", &T::max_jobs_to_activate),
                      field(5, "variables", &T::variables),
                      field(6, "tenantIds", &T::tenant_ids),
                      field(7, "jobKeys", &T::job_keys),
                      field(kJobsField, "jobs", &T::jobs),
                      field(9, "truncated", &T::truncated),
                      field(10, "firstJobKey", &T::first_job_key)};
  }
};
using JobBatchRecord = BasicJobBatchRecord<std::string>;
using JobBatchView = BasicJobBatchRecord<std::string_view>;

}  // namespace beeline::record
