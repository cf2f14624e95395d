#include "record/schema.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "record/codec_impl.h"
#include "record/record.h"
#include "record/values.h"

namespace beeline::record {
namespace {

// The name of the message that a value, or a struct within a value, is on the wire.
template <HasFields T>
std::string_view message_name() {
  if constexpr (requires { T::kType; }) {
    return message_name(T::kType);
  } else {
    return T::kSchemaName;
  }
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
    const std::string_view name = message_name<T>();
    if (!seen_.insert(name).second) return;
    const std::string body = declarations<T>();
    text_ += fmt::format("\nmessage {} {{\n{}}}\n", name, body);
  }

  // A record: its metadata, and its value.
  void record() {
    const std::string body = declarations<Metadata>();
    text_ += fmt::format("\nmessage Record {{\n{}  optional bytes value = {};\n}}\n", body,
                         Metadata::kValueField);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <HasFields T>
  std::string declarations() {
    std::string text;
    for_each_field<T>([&](const auto& each) {
      using F = typename std::decay_t<decltype(each)>::Value;
      text +=
          "  " + declaration<F>(snake_case(each.name), each.number, each.of(detail::kDefaultOf<T>));
    });
    return text;
  }

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
    } else if constexpr (detail::kIsEncoded<F>) {
      return declaration<typename F::Message>(name, number, {});
    } else if constexpr (detail::kIsVector<F>) {
      using Item = typename F::value_type;
      if constexpr (detail::Scalar<Item>) {
        return fmt::format("repeated int64 {} = {} [packed = true];\n", name, number);
      } else if constexpr (std::is_same_v<Item, std::string>) {
        return fmt::format("repeated bytes {} = {};\n", name, number);
      } else {
        message<Item>();
        return fmt::format("repeated {} {} = {};\n", message_name<Item>(), name, number);
      }
    } else {
      message<F>();
      return fmt::format("optional {} {} = {};\n", message_name<F>(), name, number);
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
// least significant first. `value` holds the message that `value_type` names. A `record_type` is 0
// for an event, 1 for a command, 2 for the rejection of a command; a `rejection_type` is 255 where
// nothing was rejected. `min_pending_key` is only on commands that another partition distributes:
// the lowest key of its distributions that this partition had not acknowledged. `key` is then the
// key of the distribution. `principal` is the sender of a client's command, and of the copies
// of it that are distributed.
syntax = "proto2";

package beeline.records.v1;
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

std::string_view message_name(ValueType type) {
  switch (type) {
#define BEELINE_MESSAGE_NAME(enumerator, number, name) \
  case ValueType::enumerator:                          \
    return #enumerator;
    BEELINE_VALUE_TYPES(BEELINE_MESSAGE_NAME)
#undef BEELINE_MESSAGE_NAME
  }
  return {};
}

std::string schema_text() {
  SchemaWriter writer;
  writer.record();
  all_messages(writer, AllValues{});
  return std::string{kHead} + writer.text() +
         "\n// The numbers of value_type and of their intents; C marks commands.\n" +
         numbers_text();
}

}  // namespace beeline::record
