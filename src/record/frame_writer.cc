#include "record/frame_writer.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "record/frame.h"
#include "record/metadata_codec.h"

namespace beeline::record {
namespace {

constexpr std::size_t kFirstRoom = 4096;

}  // namespace

void FrameWriter::begin(std::string& out) {
  out_ = &out;
  if (out.capacity() < kFirstRoom) out.reserve(kFirstRoom);
  use_all_of_out();
  at_ = begin_ + kFrameHeadBytes;
  position_ = Position{};
  last_any_ = Position{};
}

void FrameWriter::use_all_of_out() {
  out_->resize_and_overwrite(out_->capacity(), [](char*, std::size_t size) { return size; });
  begin_ = out_->data();
  end_ = begin_ + out_->size();
  BEELINE_CHECK(out_->size() >= kFrameHeadBytes, "a frame with room for {} bytes", out_->size());
}

void FrameWriter::grow(std::size_t bytes) {
  BEELINE_CHECK(bytes <= std::numeric_limits<std::uint32_t>::max(),
                "the length of a record of {} bytes has no room", bytes);
  const std::size_t used = size();
  out_->reserve(std::max(2 * out_->capacity(), used + bytes));
  use_all_of_out();
  at_ = begin_ + used;
  BEELINE_CHECK(static_cast<std::size_t>(end_ - at_) >= bytes, "{} bytes do not fit behind {}",
                bytes, used);
}

void FrameWriter::set_common(const Metadata& metadata) {
  char bytes[4 * wire::kHeadMax];
  common_size_ = static_cast<std::size_t>(detail::write_common(bytes, metadata) - bytes);
  BEELINE_CHECK(common_size_ <= kCommonBytesMax, "a common part of {} bytes", common_size_);
  // Tags are one byte each, and a number takes ten at most.
  static_assert(4 * (1 + wire::kVarintMax) <= kCommonBytesMax &&
                kCommonBytesMax <= 4 * wire::kHeadMax);
  std::memcpy(common_, bytes, kCommonBytesMax);
}

void FrameWriter::encode_position(Position position) {
  BEELINE_CHECK(position.value() >= 0, "a record at position {}", position.value());
  char bytes[wire::kHeadMax] = {};
  const char* const end = wire::put_number(bytes, detail::kPosition, position.value());
  position_size_ = static_cast<std::size_t>(end - bytes);
  BEELINE_CHECK(position_size_ <= sizeof position_bytes_, "a position of {}", position.value());
  std::memcpy(&position_bytes_, bytes, sizeof position_bytes_);
}

void FrameWriter::append(const Metadata& metadata, std::string_view value) {
  // The lowest seven bits follow the tag; they overflow from time to time.
  constexpr std::int64_t kLowest = 0x7f;
  if (metadata.position.value() == position_.value() + 1 &&
      (position_.value() & kLowest) != kLowest) {
    position_bytes_ += 0x100;
  } else {
    BEELINE_CHECK(metadata.position > position_, "position {} comes after {}",
                  metadata.position.value(), position_.value());
    BEELINE_CHECK(common_size_ > 0, "the common part of the records is not set");
    encode_position(metadata.position);
  }
  position_ = metadata.position;
  make_room(detail::kLengthBytes + detail::kMetadataBytesMax + value.size());
  at_ = detail::write_record(
      at_, value, [&](char* at) __attribute__((always_inline)) {
        std::memcpy(at, &position_bytes_, sizeof position_bytes_);
        at += position_size_;
        std::memcpy(at, common_, kCommonBytesMax);
        return detail::write_own(at + common_size_, metadata);
      });
}

void FrameWriter::append_any(const Metadata& metadata, std::string_view value) {
  BEELINE_CHECK(metadata.position > position_, "position {} comes after {}",
                metadata.position.value(), position_.value());
  BEELINE_CHECK((metadata.record_type == RecordType::CommandRejection) ==
                    (metadata.rejection_type != RejectionType::None),
                "record {} is a rejection without type, or has one without being a rejection",
                metadata.position.value());
  BEELINE_CHECK(metadata.record_type <= RecordType::CommandRejection,
                "record {} has the type {}, which no reader accepts", metadata.position.value(),
                static_cast<int>(metadata.record_type));
  make_room(detail::record_bytes_max(metadata, value));
  at_ = detail::write_any_record(at_, metadata, value);
  last_any_ = metadata.position;
  BEELINE_CHECK(at_ <= end_, "record {} was written beyond its room", metadata.position.value());
}

void FrameWriter::finish(Position processed) {
  BEELINE_CHECK(processed.is_set(), "a frame does not say how far processing has come");
  const Position last = std::max(position_, last_any_);
  BEELINE_CHECK(!last.is_set() || processed <= last,
                "a frame that ends at {} cannot have processed {}", last.value(),
                processed.value());
  BEELINE_CHECK(size() >= kFrameHeadBytes, "a frame of {} bytes has no head", size());
  BEELINE_CHECK(at_ <= end_, "a frame of {} bytes was written beyond its room", size());
  write_frame_head(processed, begin_);
  out_->resize(size());
}

}  // namespace beeline::record
