#pragma once

#include "engine/step.h"
#include "record/values.h"

// Delivers a signal to everybody who waits for it (spec: signals 2). The partition that takes a
// signal delivers it to its own receivers, starts the instances of signal start events, and then
// distributes the signal: the other partitions deliver it to their receivers.
//
// A signal may have more receivers than one step serves. Then a row keeps what was served, and the
// command CONTINUE goes on; each partition does this for itself.
namespace beeline::engine {

// Serves the first receivers of a signal. `key` is that of the row if one is needed. `signal` has
// the snapshot, and what is needed to end the broadcast.
void begin_broadcast(Step& step, Key key, record::SignalRecord signal);
// Serves the next receivers of a signal that was paused; its row must exist.
void continue_broadcast(Step& step, Key key);
// Ends a broadcast although receivers are left, because the step that serves them cannot be
// processed.
void abandon_broadcast(Step& step, Key key);

}  // namespace beeline::engine
