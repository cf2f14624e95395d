#pragma once

#include "engine/state/engine_state.h"
#include "record/record.h"
#include "record/values.h"

// Appliers change the state by events. An applier decides nothing: it evaluates no expression,
// reads no clock and draws no key. Processing and replay call the same functions, which is why
// replay gives the same state. There is one file per value type and in it one function per event. A
// change of meaning needs a new record version with its own function beside the old one, which is
// kept as long as journals exist.
namespace beeline::engine {

// Each value type has one function, which names every intent of its value. So an event without an
// applier does not compile, and a command ends in no_applier().
#define BEELINE_DECLARE_APPLY(enumerator, number, name)            \
  void apply(EngineState& state, const record::Metadata& metadata, \
             const record::ViewOf<record::enumerator##Record>& value);
BEELINE_VALUE_TYPES(BEELINE_DECLARE_APPLY)
#undef BEELINE_DECLARE_APPLY

// Removes a deleted definition, unless an instance still needs it.
void forget_deleted_definition(EngineState& state, Key key);

// Gives a new instance that begins at certain elements the tokens that those elements take when
// they are activated. The scopes of the elements must exist.
void add_start_tokens(EngineState& state, const record::ProcessInstanceCreationView& creation);

// For replay: decodes the event's value and applies it. Aborts on an event that this version does
// not know, because continuing without it would make wrong state durable.
void apply_event(EngineState& state, const record::RecordView& event);

[[noreturn]] void no_applier(const record::Metadata& metadata);
[[noreturn]] void no_version(const record::Metadata& metadata);
// Aborts on a record version that has no applier.
inline void check_version(const record::Metadata& metadata, std::uint16_t latest) {
  if (metadata.version < 1 || metadata.version > latest) no_version(metadata);
}

}  // namespace beeline::engine
