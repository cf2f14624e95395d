#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <memory>

#include "base/io_error.h"
#include "state/key_value_store.h"

namespace beeline::state {
namespace {

void check(const rocksdb::Status& status, const std::string& attempt,
           const std::string& directory) {
  if (status.ok()) return;
  // RocksDB does not know quotas: it returns the system's message for an exhausted one.
  const bool is_out_of_room =
      status.IsNoSpace() || status.ToString().find(std::strerror(EDQUOT)) != std::string::npos;
  const int error = is_out_of_room ? ENOSPC : EIO;
  throw IoError(error, fmt::format("cannot {} the checkpoint in {} ({})", attempt, directory,
                                   status.ToString()));
}

rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}
std::string_view view(const rocksdb::Slice& text) {
  return {text.data(), text.size()};
}

// Discards RocksDB's log messages. RocksDB would write them into a file, and its logger ends the
// process, by an assertion, when it writes into that file again after the disk was full. Important
// errors are returned as a status anyway.
class SilentLogger final : public rocksdb::Logger {
 public:
  SilentLogger() : rocksdb::Logger(rocksdb::InfoLogLevel::HEADER_LEVEL) {}
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

rocksdb::Options options() {
  rocksdb::Options options;
  options.info_log = std::make_shared<SilentLogger>();
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  // Closing must not flush what write did not flush, because a crash would not either.
  options.avoid_flush_during_shutdown = true;
  options.max_background_jobs = 2;
  options.max_open_files = 256;
  // After a failed write the store is opened again; RocksDB must not retry by itself.
  options.max_bgerror_resume_count = 0;
  return options;
}

class RocksDbStore final : public KeyValueStore {
 public:
  explicit RocksDbStore(std::string directory) : directory_(std::move(directory)) { open(); }

  void write(const WriteBatch& batch) override {
    // After a failed write RocksDB accepts nothing until it has recovered by itself, which depends
    // on its own view of the room on the disk. When it is opened again, it is in the state after
    // the last successful write, which the caller expects.
    if (has_failed_) open();
    has_failed_ = true;
    rocksdb::WriteBatch rocksdb_batch;
    batch.for_each(
        [&](std::string_view key, std::string_view value) {
          check(rocksdb_batch.Put(slice(key), slice(value)), "gather", directory_);
        },
        [&](std::string_view key) {
          check(rocksdb_batch.Delete(slice(key)), "gather", directory_);
        });
    rocksdb::WriteOptions write_options;
    write_options.disableWAL = true;
    check(db_->Write(write_options, &rocksdb_batch), "write", directory_);
    // A batch goes into one memtable completely, so a flush contains all of it or nothing.
    check(db_->Flush(rocksdb::FlushOptions()), "flush", directory_);
    has_failed_ = false;
  }

  [[nodiscard]] std::optional<std::string> get(std::string_view key) const override {
    std::string value;
    const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), slice(key), &value);
    if (status.IsNotFound()) return std::nullopt;
    check(status, "read", directory_);
    return value;
  }

  void for_each(
      const std::function<void(std::string_view, std::string_view)>& visit) const override {
    rocksdb::ReadOptions read_options;
    read_options.fill_cache = false;
    const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(read_options));
    for (it->SeekToFirst(); it->Valid(); it->Next()) visit(view(it->key()), view(it->value()));
    check(it->status(), "read", directory_);
  }

 private:
  void open() {
    db_.reset();
    rocksdb::DB* db = nullptr;
    check(rocksdb::DB::Open(options(), directory_, &db), "open", directory_);
    db_.reset(db);
  }

  std::string directory_;
  std::unique_ptr<rocksdb::DB> db_;
  bool has_failed_ = false;  // true if the last write failed
};

}  // namespace

std::unique_ptr<KeyValueStore> open_rocksdb(const std::string& directory) {
  return std::make_unique<RocksDbStore>(directory);
}

}  // namespace beeline::state
