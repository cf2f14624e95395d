#include "exporter/position_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace beeline::exporter {
namespace {

constexpr std::size_t kLineBytesMax = 32;
constexpr std::string_view kPositionEnding = ".position";

std::optional<Position> parse_line(std::string_view line) {
  if (!line.ends_with('\n')) return std::nullopt;
  line.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{} || end != line.data() + line.size() || value < 0) return std::nullopt;
  return Position{value};
}

}  // namespace

PositionFile::PositionFile(journal::Disk& disk, std::string directory, std::string name)
    : disk_(disk),
      directory_(std::move(directory)),
      path_(fmt::format("{}/{}{}", directory_, name, kPositionEnding)) {}

std::optional<Position> PositionFile::read() const {
  if (!disk_.exists(path_)) return std::nullopt;
  std::array<char, kLineBytesMax> buffer{};
  const auto file = disk_.open(path_, journal::OpenMode::Existing);
  const std::size_t size = file->read_at(0, buffer);
  const auto position = parse_line(std::string_view(buffer.data(), size));
  if (!position) {
    throw std::runtime_error(fmt::format(
        "{} contains no position; delete it to export the log again from its beginning", path_));
  }
  return position;
}

void PositionFile::write(Position position) {
  disk_.create_directory(directory_);
  const std::string temporary = path_ + ".new";
  if (disk_.exists(temporary)) disk_.remove(temporary);  // a crash left it behind
  {
    const auto file = disk_.open(temporary, journal::OpenMode::Create);
    file->write_at(0, fmt::format("{}\n", position.value()));
    file->sync();
  }
  disk_.rename(temporary, path_);
  disk_.sync_directory(directory_);
}

void check_exported_positions(journal::Disk& disk, const std::string& directory,
                              Position committed) {
  if (!disk.exists(directory)) return;
  for (const std::string& file : disk.list(directory)) {
    if (!file.ends_with(kPositionEnding)) continue;
    const PositionFile position(disk, directory,
                                file.substr(0, file.size() - kPositionEnding.size()));
    const auto exported = position.read();
    if (!exported || *exported <= committed) continue;
    throw std::runtime_error(
        fmt::format("{} records that position {} was exported, but the log ends at {}: the log has "
                    "lost the positions between them, or the file belongs to another log; restore "
                    "the log from a copy, or remove the file to export the log from its beginning",
                    position.path(), exported->value(), committed.value()));
  }
}

}  // namespace beeline::exporter
