#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline::state {

class TableBase;

// A point within a batch that one can go back to. Good until the batch ends or something earlier is
// gone back to.
struct Savepoint {
  std::size_t changes = 0;
};

// The order in which the tables of a database changed during one batch. The old rows themselves are
// kept by the tables, typed, each on a stack of its own; this log only says whose turn it is when
// they are taken back. Its memory is reused from batch to batch.
class UndoLog {
 public:
  // A million epochs a second would take two thousand years to fill them.
  static constexpr int kEpochBits = 56;
  static constexpr std::uint64_t kEpochMax = (std::uint64_t{1} << kEpochBits) - 1;

  void begin();
  // Notes that `table` has put one change on its stack.
  void push(TableBase& table) { changes_.push_back(&table); }
  // Notes that `table` has changed for the first time in this batch.
  void touch(TableBase& table) { touched_.push_back(&table); }
  [[nodiscard]] Savepoint savepoint();
  void rollback_to(Savepoint savepoint);
  void commit();

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Changes with every savepoint and rollback. A row whose old value was kept in the present epoch
  // need not be kept again.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

 private:
  std::vector<TableBase*> changes_;
  std::vector<TableBase*> touched_;
  std::uint64_t epoch_ = 1;
  bool is_open_ = false;
};

}  // namespace beeline::state
