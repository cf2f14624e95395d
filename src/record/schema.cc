#include "record/schema.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "record/codec_impl.h"
#include "record/values.h"

namespace beeline::record {
namespace {

std::string_view message_name(const DocumentEntry*) {
  return "DocumentEntry";
}
std::string_view message_name(const Document*) {
  return "Document";
}
std::string_view message_name(const Header*) {
  return "Header";
}
std::string_view message_name(const Headers*) {
  return "Headers";
}
std::string_view message_name(const DeploymentResource*) {
  return "DeploymentResource";
}
std::string_view message_name(const ProcessMetadata*) {
  return "ProcessMetadata";
}
std::string_view message_name(const DecisionMetadata*) {
  return "DecisionMetadata";
}
std::string_view message_name(const DecisionRequirementsMetadata*) {
  return "DecisionRequirementsMetadata";
}
std::string_view message_name(const KeyPath*) {
  return "KeyPath";
}
std::string_view message_name(const StartInstruction*) {
  return "StartInstruction";
}
std::string_view message_name(const JobRecord*) {
  return "Job";
}
std::string_view message_name(const DeploymentRecord*) {
  return "Deployment";
}
std::string_view message_name(const ProcessInstanceRecord*) {
  return "ProcessInstance";
}
std::string_view message_name(const IncidentRecord*) {
  return "Incident";
}
std::string_view message_name(const MessageRecord*) {
  return "Message";
}
std::string_view message_name(const MessageSubscriptionRecord*) {
  return "MessageSubscription";
}
std::string_view message_name(const ProcessMessageSubscriptionRecord*) {
  return "ProcessMessageSubscription";
}
std::string_view message_name(const JobBatchRecord*) {
  return "JobBatch";
}
std::string_view message_name(const TimerRecord*) {
  return "Timer";
}
std::string_view message_name(const MessageStartEventSubscriptionRecord*) {
  return "MessageStartEventSubscription";
}
std::string_view message_name(const VariableRecord*) {
  return "Variable";
}
std::string_view message_name(const VariableDocumentRecord*) {
  return "VariableDocument";
}
std::string_view message_name(const ProcessInstanceCreationRecord*) {
  return "ProcessInstanceCreation";
}
std::string_view message_name(const ErrorRecord*) {
  return "Error";
}
std::string_view message_name(const ProcessInstanceResultRecord*) {
  return "ProcessInstanceResult";
}
std::string_view message_name(const ProcessRecord*) {
  return "Process";
}
std::string_view message_name(const ProcessEventRecord*) {
  return "ProcessEvent";
}
std::string_view message_name(const DecisionRecord*) {
  return "Decision";
}
std::string_view message_name(const DecisionRequirementsRecord*) {
  return "DecisionRequirements";
}
std::string_view message_name(const EvaluatedInput*) {
  return "EvaluatedInput";
}
std::string_view message_name(const EvaluatedOutput*) {
  return "EvaluatedOutput";
}
std::string_view message_name(const MatchedRule*) {
  return "MatchedRule";
}
std::string_view message_name(const EvaluatedDecision*) {
  return "EvaluatedDecision";
}
std::string_view message_name(const DecisionEvaluationRecord*) {
  return "DecisionEvaluation";
}
std::string_view message_name(const CommandDistributionRecord*) {
  return "CommandDistribution";
}
std::string_view message_name(const ProcessInstanceBatchRecord*) {
  return "ProcessInstanceBatch";
}
std::string_view message_name(const MessageBatchRecord*) {
  return "MessageBatch";
}
std::string_view message_name(const MessageCorrelationRecord*) {
  return "MessageCorrelation";
}
std::string_view message_name(const AsyncRequestRecord*) {
  return "AsyncRequest";
}

std::string_view message_name(const MultiInstanceRecord*) {
  return "MultiInstance";
}
std::string_view message_name(const ResourceDeletionRecord*) {
  return "ResourceDeletion";
}

// "processInstanceKey" -> "process_instance_key", as proto files write it.
std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      out += '_';
      out += static_cast<char>(c - 'A' + 'a');
    } else {
      out += c;
    }
  }
  return out;
}

class SchemaWriter {
 public:
  template <HasFields T>
  void message() {
    const std::string_view name = message_name(static_cast<const T*>(nullptr));
    if (!seen_.insert(name).second) return;
    std::string body;
    for_each_field<T>([&](const auto& each) {
      using F = typename std::decay_t<decltype(each)>::Value;
      body +=
          "  " + declaration<F>(snake_case(each.name), each.number, each.of(detail::kDefaultOf<T>));
    });
    text_ += fmt::format("\nmessage {} {{\n{}}}\n", name, body);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <typename F>
  std::string declaration(const std::string& name, std::uint32_t number, const F& initial) {
    if constexpr (std::is_same_v<F, bool>) {
      return fmt::format("optional bool {} = {};\n", name, number);
    } else if constexpr (detail::Scalar<F>) {
      const std::int64_t value = detail::to_integer(initial);
      return fmt::format("optional int64 {} = {}{};\n", name, number,
                         value != 0 ? fmt::format(" [default = {}]", value) : "");
    } else if constexpr (detail::Text<F>) {
      // bytes, since a name or a value that a client sent need not be UTF-8 to be kept.
      return fmt::format("optional bytes {} = {}{};\n", name, number,
                         initial.empty() ? "" : fmt::format(" [default = \"{}\"]", initial));
    } else if constexpr (detail::kIsVector<F>) {
      using Item = typename F::value_type;
      if constexpr (detail::Scalar<Item>) {
        return fmt::format("repeated int64 {} = {} [packed = true];\n", name, number);
      } else if constexpr (std::is_same_v<Item, std::string>) {
        return fmt::format("repeated bytes {} = {};\n", name, number);
      } else {
        message<Item>();
        return fmt::format("repeated {} {} = {};\n",
                           message_name(static_cast<const Item*>(nullptr)), name, number);
      }
    } else {
      message<F>();
      return fmt::format("optional {} {} = {};\n", message_name(static_cast<const F*>(nullptr)),
                         name, number);
    }
  }

  std::set<std::string_view> seen_;
  std::string text_;
};

constexpr std::string_view kHead =
    R"(// The records on beeline's log and what they carry. Made from the field lists in src/record by
// `beeline inspect --schema`; a test holds the two together. Numbers are never reused, fields are
// only ever added, and a field that is missing has the default written here.
//
// One frame of the log holds records behind one another, each preceded by its length in four bytes,
// least significant first. `value` holds the message that `value_type` names.
syntax = "proto2";

package beeline.records.v1;

message Record {
  optional int64 position = 1 [default = -1];
  optional int64 source_position = 2 [default = -1];
  optional int64 key = 3 [default = -1];
  optional int64 timestamp = 4;
  // 0 event, 1 command, 2 rejection of a command
  optional uint32 record_type = 5;
  optional uint32 value_type = 6;
  optional uint32 intent = 7;
  optional uint32 version = 8 [default = 1];
  optional int32 partition = 9 [default = 1];
  // 255 where nothing was rejected
  optional uint32 rejection_type = 10 [default = 255];
  optional bytes rejection_reason = 11;
  optional uint64 request_id = 12;
  optional int64 operation_reference = 13 [default = -1];
  // Only on commands that another partition distributes: the lowest key of its distributions that
  // this partition had not acknowledged. `key` is then the key of the distribution.
  optional int64 min_pending_key = 14 [default = -1];
  optional bytes value = 15;
}
)";

template <typename... Ts>
void all_messages(SchemaWriter& writer, TypeList<Ts...>) {
  (writer.message<Ts>(), ...);
}

std::string numbers_text() {
  std::string out;
  for (const ValueType type : all_value_types()) {
    out += fmt::format("\n// {} = {}:", name_of(type), static_cast<int>(type));
    std::string line;
    for (const IntentName& intent : intents_of(type)) {
      const std::string item = fmt::format(" {} {}{},", intent.name, intent.number,
                                           intent.written_as == RecordType::Command ? " C" : "");
      if (line.size() + item.size() > 90) {
        out += "\n//  " + line;
        line.clear();
      }
      line += item;
    }
    line.back() = '\n';
    out += "\n//  " + line;
  }
  return out;
}

}  // namespace

std::string schema_text() {
  SchemaWriter writer;
  all_messages(writer, AllValues{});
  return std::string{kHead} + writer.text() +
         "\n// The numbers of value_type and of their intents; C marks commands.\n" +
         numbers_text();
}

}  // namespace beeline::record
