#pragma once

#include "engine/state/definitions.h"
#include "engine/step.h"

// The deletion of a process definition (spec: deployments 4). It begins on one partition, which
// distributes it. On each partition the definition drains: its instances continue, and no new one
// is created. When the last of them is gone, the definition is deleted, and the partition where the
// deletion began is notified; when all partitions have reported, the deletion is complete.
//
//     DRAINING ─▶ no instance needs it: DELETING, DELETED ─▶ DELETE_COMPLETE to where it began
//                                                            all there: FULLY_DELETED
namespace beeline::engine {

// Begins to delete a definition on this partition. Its start events return to the version that is
// the latest from now on. Throws CommandRefused if that version's start timers cannot be set.
void drain_definition(Step& step, const Definition& definition);

// Deletes the definition if it drains and no instance needs it. Texts that were borrowed from it
// stay valid until the batch ends (Definitions).
void delete_drained(Step& step, Key definition);

}  // namespace beeline::engine
