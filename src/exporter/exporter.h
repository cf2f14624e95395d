#pragma once

#include <string_view>

#include "base/ids.h"
#include "record/record.h"

namespace beeline::exporter {

// Positions that a log will never have, because a repair continued it after a checkpoint, or
// because an exporter was not configured while records left the log.
struct Gap {
  PartitionId partition;
  Position first;
  Position last;
};

// Takes committed records somewhere else: a file, a broker, a database.
//
// An exporter sees every record of one partition in order, at least once. A runner drives it:
//
//     open ──▶ export_record ... export_record ──▶ flush ──▶ export_record ... ──▶ flush
//      ▲                                             │
//      └───────── anything threw: wait, then ────────┘   again from the last flushed position
//
// Any function may throw: then the runner waits, calls open again, and repeats every record since
// the last flush that returned. So an exporter need not retry anything itself, but must accept a
// record twice.
//
// Threading: one thread, the runner's.
class Exporter {
 public:
  virtual ~Exporter() = default;
  // Prepares for records, from any condition: new, or after a failure half way through. `kept` is
  // the last position that the runner knows to be safe; it is stored outside the exporter. Returns
  // the position after which records must follow: `kept`, unless the exporter stores its own
  // position with its records, as a database does in one transaction.
  [[nodiscard]] virtual Position open(Position kept) = 0;
  // The record borrows its bytes, which are valid during the call only.
  virtual void export_record(const record::RecordView& record) = 0;
  // The records of these positions do not exist. The call comes in order, between the records
  // around it.
  virtual void export_gap(const Gap& gap) = 0;
  // Returns when everything exported is durable at its destination: only then is its position
  // stored.
  virtual void flush() = 0;
};

}  // namespace beeline::exporter
