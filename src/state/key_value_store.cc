#include "state/key_value_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/io_error.h"

namespace beeline::state {
namespace {

constexpr char kPut = 'p';
constexpr char kRemove = 'r';

constexpr std::size_t kFirstChunkBytes = 4096;
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
// The size of an entry besides its key and value.
constexpr std::size_t kOverheadMax = 1 + 2 * sizeof(std::uint32_t);

void append_text(std::string_view text, std::string& out) {
  const auto size = static_cast<std::uint32_t>(text.size());
  BEELINE_CHECK(size == text.size(), "a key or row of {} bytes", text.size());
  char bytes[sizeof size];
  std::memcpy(bytes, &size, sizeof size);
  out.append(bytes, sizeof size);
  out.append(text);
}

std::string_view take_text(std::string_view& in) {
  std::uint32_t size = 0;
  std::memcpy(&size, in.data(), sizeof size);
  const std::string_view text = in.substr(sizeof size, size);
  in.remove_prefix(sizeof size + size);
  return text;
}

}  // namespace

void WriteBatch::put(std::string_view key, std::string_view value) {
  std::string& chunk = chunk_for(kOverheadMax + key.size() + value.size());
  chunk.push_back(kPut);
  append_text(key, chunk);
  append_text(value, chunk);
}

void WriteBatch::remove(std::string_view key) {
  std::string& chunk = chunk_for(kOverheadMax + key.size());
  chunk.push_back(kRemove);
  append_text(key, chunk);
}

void WriteBatch::append(WriteBatch& later) {
  std::ranges::move(later.chunks_, std::back_inserter(chunks_));
  later.clear();
}

std::size_t WriteBatch::size_bytes() const {
  std::size_t size = 0;
  for (const std::string& chunk : chunks_) size += chunk.size();
  return size;
}

std::string& WriteBatch::chunk_for(std::size_t bytes) {
  if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < bytes) {
    // The first chunk is small, because most batches of removals, and all batches in tests, are
    // small.
    const std::size_t usual = chunks_.empty() ? kFirstChunkBytes : kChunkBytes;
    chunks_.emplace_back().reserve(std::max(bytes, usual));
  }
  return chunks_.back();
}

void WriteBatch::for_each(const std::function<void(std::string_view, std::string_view)>& put,
                          const std::function<void(std::string_view)>& remove) const {
  for (std::string_view in : chunks_) {
    while (!in.empty()) {
      const bool is_put = in.front() == kPut;
      in.remove_prefix(1);
      const std::string_view key = take_text(in);
      if (is_put) {
        put(key, take_text(in));
      } else {
        remove(key);
      }
    }
  }
}

void MemoryStore::write(const WriteBatch& batch) {
  if (std::exchange(fails_next_write_, false)) throw IoError(EIO, "cannot write the checkpoint");
  if (is_full_) throw IoError(ENOSPC, "cannot write the checkpoint");
  batch.for_each(
      [&](std::string_view key, std::string_view value) {
        rows_.insert_or_assign(std::string(key), std::string(value));
      },
      [&](std::string_view key) { rows_.erase(std::string(key)); });
}

std::optional<std::string> MemoryStore::get(std::string_view key) const {
  const auto it = rows_.find(key);
  if (it == rows_.end()) return std::nullopt;
  return it->second;
}

void MemoryStore::for_each(
    const std::function<void(std::string_view, std::string_view)>& visit) const {
  for (const auto& [key, value] : rows_) visit(key, value);
}

}  // namespace beeline::state
