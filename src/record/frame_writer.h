#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "record/record.h"

namespace beeline::record {

// Writes the frame of one batch (frame.h). Most of the metadata of its records is the same: time,
// source, partition. That part is encoded once.
//
//     writer.begin(frame);
//     writer.set_common(metadata);
//     writer.append(metadata, value);   // as often as needed
//     writer.finish(processed);
class FrameWriter {
 public:
  // Begins a frame in `out` and discards its contents. Until finish() the contents are undefined.
  void begin(std::string& out);
  // Sets what the following records have in common: source_position, timestamp, partition and
  // operation_reference of `metadata`.
  void set_common(const Metadata& metadata);
  // Appends a record; ignores the common part of its metadata. Not for a command from outside or a
  // rejection.
  void append(const Metadata& metadata, std::string_view value);
  // Appends any record with all of its metadata.
  void append_any(const Metadata& metadata, std::string_view value);
  // Returns the size of the frame so far.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }
  void finish(Position processed);

 private:
  void make_room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      grow(bytes);
  }
  void grow(std::size_t bytes);
  void encode_position(Position position);
  void use_all_of_out();

  // `out` is as long as its capacity during writing, so each record only checks whether it fits.
  std::string* out_ = nullptr;
  char* begin_ = nullptr;
  char* at_ = nullptr;
  char* end_ = nullptr;

  // A copy of fixed size takes fewer instructions than one of the right size.
  static constexpr std::size_t kCommonBytesMax = 48;
  char common_[kCommonBytesMax] = {};
  std::size_t common_size_ = 0;

  // The position of the last record with metadata of its own; unset if the frame has none.
  Position last_any_;

  // The encoded position of the last other record. Positions are consecutive, so the next one
  // mostly differs only in its first byte.
  Position position_;
  std::uint64_t position_bytes_ = 0;
  std::size_t position_size_ = 0;
};

}  // namespace beeline::record
