#pragma once

#include <optional>

#include "journal/journal.h"
#include "journal/segment_cursor.h"

namespace beeline::journal {

// Reads what a journal has committed. It is counted in the segment that it stands in, which is not
// recycled until it moves on or dies. The journal's mutex is held only to move and to look how far
// the commits have come.
class Journal::Reader final : public FrameReader {
 public:
  Reader(Journal& journal, Position from);
  ~Reader() override;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] std::optional<Frame> next() override;

 private:
  // Moves to the segment that `from_` is in, or to the one after the present one. False if there is
  // none yet.
  [[nodiscard]] bool enter();
  [[nodiscard]] bool move_on();
  void stand_in(Segment& segment);

  Journal& journal_;
  const Position from_;
  Segment* segment_ = nullptr;
  std::optional<SegmentCursor> cursor_;
};

}  // namespace beeline::journal
