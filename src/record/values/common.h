#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "record/document.h"
#include "record/enums.h"
#include "record/field.h"
#include "record/value_type.h"

// The parts that the values of several kinds of record share.
//
// A value is a plain struct that describes itself; codec, schema, JSON, text and the engine's
// registries follow from the description:
//
//     kType, Intent   its value type and the enumeration of its intents
//     fields()        its fields
//     kSubject        the field that names the subject of the record, or NoSubject
//     kOwner          how its commands lead to the process instance that they concern; if that
//                     depends on the intent, the value has owner_of() instead
//     version_of()    only if an event is written in a version other than 1
//
// A struct within a value has fields(), and kSchemaName, the name of its message in the schema.
namespace beeline::record {

inline constexpr std::string_view kDefaultTenant = "<default>";

// For records that have no single named subject.
struct NoSubject {};

// How a command leads to the process instance that it concerns, which must not be banned.
enum class Owner : std::uint8_t {
  Nobody,    // it concerns no instance in particular
  Instance,  // its value has the process_instance_key
  Element,   // its value has the process_instance_key; if that is unset, its key is an element
             // instance's
  Scope,     // its value has the scope_key, an element instance's
  Job,       // its key is a job's
  Incident,  // its key is an incident's
  Timer,     // its key is a timer's
};

// One level of an element instance path: the keys from a process instance down to an element.
struct KeyPath {
  static constexpr std::string_view kSchemaName = "KeyPath";

  absl::InlinedVector<Key, 4> keys;
  bool operator==(const KeyPath&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "keys", &KeyPath::keys)}; }
};

}  // namespace beeline::record
