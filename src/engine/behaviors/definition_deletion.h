#pragma once

#include "engine/state/definitions.h"
#include "engine/step.h"

// The end of a process definition (spec: deployments 4). It begins on one partition, which
// distributes it; on each the definition drains: its instances go on, no new one is made. Where the
// last of them is gone it is deleted, and the partition that began is told; when all have told, it
// is over.
//
//     DRAINING ─▶ no instance needs it: DELETING, DELETED ─▶ DELETE_COMPLETE to where it began
//                                                            all there: FULLY_DELETED
namespace beeline::engine {

// Begins to delete a definition on this partition. Its start events are given back to the version
// that is the latest from now on. Throws CommandRefused when that version's start timers cannot be
// set.
void drain_definition(Step& step, const Definition& definition);

// Deletes the definition if it drains and no instance needs it. What was borrowed of it stays good
// until the batch ends (Definitions).
void delete_drained(Step& step, Key definition);

}  // namespace beeline::engine
