#include "journal/gap_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/check.h"

namespace beeline::journal {
namespace {

constexpr std::string_view kGapsName = "gaps";
constexpr std::string_view kHead =
    "# partition, first and last position that is not on its log, time of the repair\n";

}  // namespace

std::vector<NotedGap> read_gaps(const DataDirectory& directory) {
  std::vector<NotedGap> gaps;
  std::istringstream lines{directory.read(kGapsName).value_or("")};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words{line};
    std::int32_t partition = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::string when;
    if (!(words >> partition >> first >> last >> when)) {
      throw DataDirectoryError(
          fmt::format("{} has a line that does not describe a gap of a log: '{}'; restore the file "
                      "or remove the line",
                      directory.path_of("beeline.gaps"), line));
    }
    gaps.push_back({PartitionId{partition}, Position{first}, Position{last}, std::move(when)});
  }
  return gaps;
}

void note_gap(const DataDirectory& directory, const NotedGap& gap) {
  BEELINE_CHECK(gap.first <= gap.last, "first={} last={}", gap.first.value(), gap.last.value());
  const auto is_same = [&](const NotedGap& known) {
    return known.partition == gap.partition && known.first == gap.first && known.last == gap.last;
  };
  if (std::ranges::any_of(read_gaps(directory), is_same)) return;
  std::string bytes = directory.read(kGapsName).value_or(std::string{kHead});
  bytes += fmt::format("{} {} {} {}\n", gap.partition.value(), gap.first.value(), gap.last.value(),
                       gap.when);
  directory.write(kGapsName, bytes);
}

}  // namespace beeline::journal
