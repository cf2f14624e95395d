#pragma once

#include <optional>

#include "journal/journal.h"
#include "journal/segment_cursor.h"

namespace beeline::journal {

// Reads the committed frames of a journal. Its segment counts it, and is not recycled until the
// reader leaves it or is destroyed. The journal's mutex is held only while the reader changes
// segments or reads the committed position.
class Journal::Reader final : public FrameReader {
 public:
  Reader(Journal& journal, Position from);
  ~Reader() override;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] std::optional<Frame> next() override;

 private:
  // Moves to the segment that contains `from_`, or to the one after the current one. Returns false
  // if it does not exist yet.
  [[nodiscard]] bool enter() BEELINE_REQUIRES(journal_.mutex_);
  [[nodiscard]] bool move_on() BEELINE_REQUIRES(journal_.mutex_);
  void stand_in(Segment& segment) BEELINE_REQUIRES(journal_.mutex_);
  void leave() BEELINE_REQUIRES(journal_.mutex_);

  Journal& journal_;
  const Position from_;
  Segment* segment_ = nullptr;
  std::optional<SegmentCursor> cursor_;
};

}  // namespace beeline::journal
