#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <cerrno>

#include "base/io_error.h"
#include "state/key_value_store.h"

namespace beeline::state {
namespace {

void check(const rocksdb::Status& status, const std::string& attempt,
           const std::string& directory) {
  if (status.ok()) return;
  const int error = status.IsNoSpace() ? ENOSPC : EIO;
  throw IoError(error, fmt::format("cannot {} the checkpoint in {} ({})", attempt, directory,
                                   status.ToString()));
}

rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}
std::string_view view(const rocksdb::Slice& text) {
  return {text.data(), text.size()};
}

rocksdb::Options options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  // Closing must not do what write forgot: a crash would not either.
  options.avoid_flush_during_shutdown = true;
  options.max_background_jobs = 2;
  options.keep_log_file_num = 2;
  options.max_open_files = 256;
  return options;
}

class RocksDbStore final : public KeyValueStore {
 public:
  explicit RocksDbStore(std::string directory) : directory_(std::move(directory)) {
    rocksdb::DB* db = nullptr;
    check(rocksdb::DB::Open(options(), directory_, &db), "open", directory_);
    db_.reset(db);
  }

  void write(const WriteBatch& batch) override {
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
    // A batch goes into one memtable as a whole, so that a flush has all of it or nothing.
    check(db_->Flush(rocksdb::FlushOptions()), "flush", directory_);
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
  std::string directory_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace

std::unique_ptr<KeyValueStore> open_rocksdb(const std::string& directory) {
  return std::make_unique<RocksDbStore>(directory);
}

}  // namespace beeline::state
