#include "journal/journal_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "journal/corruption_error.h"

namespace beeline::journal {

Journal::Reader::Reader(Journal& journal, Position from) : journal_(journal), from_(from) {
  const std::lock_guard lock(journal_.mutex_);
  if (journal_.segments_.empty()) return;
  const Segment& oldest = *journal_.segments_.front();
  // A checkpoint or an exporter remembers a position that the log has lost.
  if (from < oldest.header.first) {
    throw CorruptionError(
        oldest.path, 0,
        fmt::format("the log begins with position {}, but it is needed from {} on",
                    oldest.header.first.value(), from.value()));
  }
  (void)enter();
}

Journal::Reader::~Reader() {
  const std::lock_guard lock(journal_.mutex_);
  if (segment_ != nullptr) --segment_->readers;
}

std::optional<Frame> Journal::Reader::next() {
  while (true) {
    {
      const std::lock_guard lock(journal_.mutex_);
      if (segment_ == nullptr && !enter()) return std::nullopt;
      while (cursor_->offset() == segment_->committed_end) {
        if (!move_on()) return std::nullopt;
      }
      cursor_->set_limit(segment_->committed_end);
    }
    const auto frame = cursor_->next();
    if (!frame) {
      throw CorruptionError(segment_->path, cursor_->offset(),
                            fmt::format("the frame with position {} was committed, but is damaged",
                                        cursor_->next_position().value()));
    }
    if (frame->last >= from_) return frame;
  }
}

bool Journal::Reader::enter() {
  const auto& segments = journal_.segments_;
  const auto it =
      std::ranges::find_if(segments.rbegin(), segments.rend(),
                           [&](const auto& segment) { return segment->header.first <= from_; });
  if (it == segments.rend()) return false;
  stand_in(**it);
  return true;
}

bool Journal::Reader::move_on() {
  const auto& segments = journal_.segments_;
  const auto after = std::ranges::find_if(segments, [&](const auto& segment) {
    return segment->header.sequence > segment_->header.sequence;
  });
  if (after == segments.end() || (*after)->committed_end == kSegmentHeaderBytes) return false;
  stand_in(**after);
  return true;
}

void Journal::Reader::stand_in(Segment& segment) {
  if (segment_ != nullptr) --segment_->readers;
  segment_ = &segment;
  ++segment_->readers;
  cursor_.emplace(*segment.file, segment.header, segment.committed_end);
}

}  // namespace beeline::journal
