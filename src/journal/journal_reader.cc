#include "journal/journal_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "journal/corruption_error.h"

namespace beeline::journal {

Journal::Reader::Reader(Journal& journal, Position from) : journal_(journal), from_(from) {
  const MutexLock lock{journal_.mutex_};
  if (journal_.segments_.empty()) return;
  const Segment& oldest = *journal_.segments_.front();
  // A checkpoint or an exporter refers to a position that the log has lost.
  if (from < oldest.header.first) {
    throw CorruptionError(
        oldest.path, 0,
        fmt::format("the log begins with position {}, but it is needed from {} on",
                    oldest.header.first.value(), from.value()));
  }
  (void)enter();
}

Journal::Reader::~Reader() {
  const MutexLock lock{journal_.mutex_};
  leave();
}

std::optional<Frame> Journal::Reader::next() {
  while (true) {
    {
      const MutexLock lock{journal_.mutex_};
      if (segment_ == nullptr && !enter()) return std::nullopt;
      while (cursor_->offset() == segment_->committed_end) {
        if (!move_on()) return std::nullopt;
      }
      BEELINE_CHECK(cursor_->offset() < segment_->committed_end,
                    "a reader is at {}, but segment {} is committed up to {}", cursor_->offset(),
                    segment_->header.sequence, segment_->committed_end);
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
  const auto it =
      std::ranges::find_if(journal_.segments_.rbegin(), journal_.segments_.rend(),
                           [&](const auto& segment) { return segment->header.first <= from_; });
  if (it == journal_.segments_.rend()) return false;
  stand_in(**it);
  return true;
}

bool Journal::Reader::move_on() {
  const auto after = std::ranges::find_if(journal_.segments_, [&](const auto& segment) {
    return segment->header.sequence > segment_->header.sequence;
  });
  if (after == journal_.segments_.end() || (*after)->committed_end == kSegmentHeaderBytes)
    return false;
  // The segment that a reader is in is not recycled, nor are later ones.
  BEELINE_CHECK((*after)->header.sequence == segment_->header.sequence + 1,
                "a reader moves from segment {} to {}", segment_->header.sequence,
                (*after)->header.sequence);
  stand_in(**after);
  return true;
}

void Journal::Reader::leave() {
  if (segment_ == nullptr) return;
  BEELINE_CHECK(segment_->readers > 0, "segment {} has {} readers", segment_->header.sequence,
                segment_->readers);
  --segment_->readers;
}

void Journal::Reader::stand_in(Segment& segment) {
  leave();
  segment_ = &segment;
  ++segment_->readers;
  cursor_.emplace(*segment.file, segment.header, segment.committed_end);
}

}  // namespace beeline::journal
