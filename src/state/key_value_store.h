#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beeline::state {

// Puts and removals that take effect together, in the order in which they were added. The bytes are
// in chunks: a batch may grow to hundreds of megabytes while a partition works, and growing one
// string would sometimes copy them all.
class WriteBatch {
 public:
  void put(std::string_view key, std::string_view value);
  void remove(std::string_view key);
  // Adds all of `later`, which is empty afterwards.
  void append(WriteBatch& later);
  void clear() { chunks_.clear(); }

  [[nodiscard]] bool empty() const { return chunks_.empty(); }
  [[nodiscard]] std::size_t size_bytes() const;

  // Calls `put(key, value)` and `remove(key)` in order.
  void for_each(const std::function<void(std::string_view, std::string_view)>& put,
                const std::function<void(std::string_view)>& remove) const;

 private:
  [[nodiscard]] std::string& chunk_for(std::size_t bytes);

  std::vector<std::string> chunks_;
};

// The store of checkpoints: an ordered map from bytes to bytes.
//
// Threading: write is called by one thread at a time; reads may run beside it.
class KeyValueStore {
 public:
  virtual ~KeyValueStore() = default;

  // Makes the whole batch durable, or nothing of it. Throws IoError; the previous contents stay.
  virtual void write(const WriteBatch& batch) = 0;
  [[nodiscard]] virtual std::optional<std::string> get(std::string_view key) const = 0;
  // Calls `visit(key, value)` in the order of the keys.
  virtual void for_each(
      const std::function<void(std::string_view, std::string_view)>& visit) const = 0;
};

// A store for tests and the simulator. `fail_next_write` makes the next write throw, with nothing
// written; while the store is full, every write throws for lack of room.
class MemoryStore final : public KeyValueStore {
 public:
  void write(const WriteBatch& batch) override;
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const override;
  void for_each(
      const std::function<void(std::string_view, std::string_view)>& visit) const override;

  void fail_next_write() { fails_next_write_ = true; }
  void set_full(bool is_full) { is_full_ = is_full; }

 private:
  std::map<std::string, std::string, std::less<>> rows_;
  bool fails_next_write_ = false;
  bool is_full_ = false;
};

// Opens a RocksDB in `directory`, creating it if necessary. RocksDB's own write-ahead log is off,
// since the journal is the log: a batch counts once it has been flushed, and write returns only
// then.
[[nodiscard]] std::unique_ptr<KeyValueStore> open_rocksdb(const std::string& directory);

}  // namespace beeline::state
