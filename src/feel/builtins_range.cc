#include "feel/builtins.h"
#include "feel/compare.h"

// The relations between points and ranges.
namespace beeline::feel {

namespace {

// Returns the range for these functions: a point is the closed range that contains only itself.
Range as_range(const Value& value) {
  if (value.is(Kind::Range)) return value.range();
  return {value, value, true, true, Range::Form::Interval};
}

// Three-valued: empty if the operands cannot be compared.
using Verdict = std::optional<bool>;
using Ordering = std::optional<std::strong_ordering>;

// A missing start lies before everything, a missing end after everything.
Ordering order_starts(const Range& a, const Range& b) {
  if (a.start.is_null() || b.start.is_null()) {
    return !a.start.is_null() <=> !b.start.is_null();
  }
  const Ordering position = order(a.start, b.start);
  if (!position || *position != 0) return position;
  return b.start_included <=> a.start_included;  // a closed start is earlier than an open one
}

Ordering order_ends(const Range& a, const Range& b) {
  if (a.end.is_null() || b.end.is_null()) {
    return a.end.is_null() <=> b.end.is_null();
  }
  const Ordering position = order(a.end, b.end);
  if (!position || *position != 0) return position;
  return a.end_included <=> b.end_included;  // an open end is earlier than a closed one
}

Verdict is_before(const Range& a, const Range& b) {
  if (a.end.is_null() || b.start.is_null()) return false;
  const Ordering position = order(a.end, b.start);
  if (!position) return std::nullopt;
  return *position < 0 || (*position == 0 && !(a.end_included && b.start_included));
}

Verdict is_meeting(const Range& a, const Range& b) {
  const Ordering position = order(a.end, b.start);
  if (!position) return std::nullopt;
  return *position == 0 && a.end_included && b.start_included;
}

Verdict both(Verdict a, Verdict b) {
  if (a == false || b == false) return false;
  return a && b ? Verdict(true) : std::nullopt;
}

Verdict inverted(Verdict verdict) {
  return verdict ? Verdict(!*verdict) : std::nullopt;
}

Verdict is_overlapping(const Range& a, const Range& b) {
  return both(inverted(is_before(a, b)), inverted(is_before(b, a)));
}

Verdict is_overlapping_before(const Range& a, const Range& b) {
  const Ordering starts = order_starts(a, b);
  const Ordering ends = order_ends(a, b);
  if (!starts || !ends) return std::nullopt;
  return both(is_overlapping(a, b), *starts < 0 && *ends <= 0);
}

Verdict is_including(const Range& a, const Range& b) {
  const Ordering starts = order_starts(a, b);
  const Ordering ends = order_ends(a, b);
  if (!starts || !ends) return std::nullopt;
  return *starts <= 0 && *ends >= 0;
}

Verdict is_finishing(const Range& a, const Range& b) {
  const Ordering starts = order_starts(b, a);
  const Ordering ends = order_ends(a, b);
  if (!starts || !ends) return std::nullopt;
  return *ends == 0 && *starts <= 0;
}

Verdict is_starting(const Range& a, const Range& b) {
  const Ordering starts = order_starts(a, b);
  const Ordering ends = order_ends(a, b);
  if (!starts || !ends) return std::nullopt;
  return *starts == 0 && *ends <= 0;
}

Verdict is_coinciding(const Range& a, const Range& b) {
  const Ordering starts = order_starts(a, b);
  const Ordering ends = order_ends(a, b);
  if (!starts || !ends) return std::nullopt;
  return *starts == 0 && *ends == 0;
}

template <Verdict (*relation)(const Range&, const Range&)>
Value relate(const BuiltinCall& call) {
  call.state().step(8);
  call.state().step_comparing(call[0], call[1]);
  return call.or_refuse(relation(as_range(call[0]), as_range(call[1])),
                        "The operands cannot be compared");
}

template <Verdict (*relation)(const Range&, const Range&)>
Value relate_inverse(const BuiltinCall& call) {
  call.state().step(8);
  call.state().step_comparing(call[0], call[1]);
  return call.or_refuse(relation(as_range(call[1]), as_range(call[0])),
                        "The operands cannot be compared");
}

constexpr BuiltinRow kRangeRows[] = {
    {"before(point1|point|range|range1:nsdtDyzr, point2|range2|range|point:nsdtDyzr)",
     &relate<is_before>},
    {"after(point1|point|range|range1:nsdtDyzr, point2|range2|range|point:nsdtDyzr)",
     &relate_inverse<is_before>},
    {"meets(range1:r, range2:r)", &relate<is_meeting>},
    {"met by(range1:r, range2:r)", &relate_inverse<is_meeting>},
    {"overlaps(range1:r, range2:r)", &relate<is_overlapping>},
    {"overlaps before(range1:r, range2:r)", &relate<is_overlapping_before>},
    {"overlaps after(range1:r, range2:r)", &relate_inverse<is_overlapping_before>},
    {"finishes(point|range1:nsdtDyzr, range|range2:r)", &relate<is_finishing>},
    {"finished by(range|range1:r, point|range2:nsdtDyzr)", &relate_inverse<is_finishing>},
    {"includes(range|range1:r, point|range2:nsdtDyzr)", &relate<is_including>},
    {"during(point|range1:nsdtDyzr, range|range2:r)", &relate_inverse<is_including>},
    {"starts(point|range1:nsdtDyzr, range|range2:r)", &relate<is_starting>},
    {"started by(range|range1:r, point|range2:nsdtDyzr)", &relate_inverse<is_starting>},
    {"coincides(point1|range1:nsdtDyzr, point2|range2:nsdtDyzr)", &relate<is_coinciding>},
};

}  // namespace

std::span<const BuiltinRow> range_builtins() {
  return kRangeRows;
}

}  // namespace beeline::feel
