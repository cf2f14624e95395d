#include "exporter/json_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io_error.h"

namespace beeline::exporter {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr std::string_view kEnding = ".jsonl";
constexpr std::size_t kPositionDigits = 20;
// The beginnings of lines, and the member with a gap's last position. record::to_json writes the
// first of them.
constexpr std::string_view kRecordHead = R"({"position":)";
constexpr std::string_view kGapHead = R"({"recordType":"GAP",)";
constexpr std::string_view kGapLast = R"("lastPosition":)";

// Returns the number that follows `name` in `text`.
std::optional<std::int64_t> number_after(std::string_view name, std::string_view text) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + name.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{}) return std::nullopt;
  // The end of the digits may be in a lost sector, which is zero.
  const bool is_whole = end != digits.data() + digits.size() && (*end == ',' || *end == '}');
  return is_whole ? std::optional(number) : std::nullopt;
}

// Returns the position of our line that begins at `offset`; nothing if there is no such line.
std::optional<Position> position_of_line(const journal::File& file, std::uint64_t offset) {
  std::array<char, 256> bytes{};
  std::string_view head(bytes.data(), file.read_at(offset, bytes));
  head = head.substr(0, head.find('\n'));
  std::optional<std::int64_t> number;
  if (head.starts_with(kRecordHead)) number = number_after(kRecordHead, head);
  if (head.starts_with(kGapHead)) number = number_after(kGapLast, head);
  if (!number) return std::nullopt;
  return Position{*number};
}

// Returns the size of the file up to the end of its last line with a position of at most `kept`.
// All lines before that one were synced; nothing is known about later ones.
std::uint64_t safe_size(const journal::File& file, Position kept) {
  const auto is_safe = [&](std::uint64_t offset) {
    const auto position = position_of_line(file, offset);
    return position && *position <= kept;
  };
  std::vector<char> block(std::size_t{64} << 10);
  std::optional<std::uint64_t> line_end;  // after the newline of the line that is being searched
  for (std::uint64_t end = file.size(); end > 0;) {
    const std::uint64_t begin = end > block.size() ? end - block.size() : 0;
    std::string_view bytes(block.data(), file.read_at(begin, std::span(block).first(end - begin)));
    while (true) {
      const std::size_t newline = bytes.rfind('\n');
      if (newline == std::string_view::npos) break;
      const std::uint64_t next_line = begin + newline + 1;
      if (line_end && is_safe(next_line)) return *line_end;
      line_end = next_line;
      bytes = bytes.substr(0, newline);
    }
    end = begin;
  }
  return line_end && is_safe(0) ? *line_end : 0;
}

}  // namespace

JsonLinesExporter::JsonLinesExporter(journal::Disk& disk, JsonLinesOptions options)
    : disk_(disk),
      options_(std::move(options)),
      path_(fmt::format("{}/{}{}", options_.directory, options_.name, kEnding)) {}

Position JsonLinesExporter::open(Position kept) {
  file_.reset();
  buffer_.clear();
  last_ = Position{};
  disk_.create_directory(options_.directory);
  open_file(kept);
  return kept;
}

void JsonLinesExporter::open_file(Position kept) {
  if (disk_.exists(path_)) {
    file_ = disk_.open(path_, journal::OpenMode::Existing);
    size_ = safe_size(*file_, kept);
    if (size_ != file_->size()) {
      file_->truncate(size_);
      // Bytes that were cut off must not reappear between later ones.
      file_->sync();
    }
  } else {
    file_ = disk_.open(path_, journal::OpenMode::Create);
    disk_.sync_directory(options_.directory);
    size_ = 0;
  }
}

void JsonLinesExporter::export_record(const record::RecordView& record) {
  add_line(record::to_json(record), record.metadata.position);
}

void JsonLinesExporter::export_gap(const Gap& gap) {
  add_line(fmt::format(R"({}"partitionId":{},"firstPosition":{},{}{}}})", kGapHead,
                       gap.partition.value(), gap.first.value(), kGapLast, gap.last.value()),
           gap.last);
}

void JsonLinesExporter::add_line(std::string_view line, Position last) {
  buffer_ += line;
  buffer_ += '\n';
  last_ = last;
  if (size_ + buffer_.size() >= options_.file_bytes_max) {
    write_buffer();
    rotate();
  } else if (buffer_.size() >= kBufferBytes) {
    write_buffer();
  }
}

void JsonLinesExporter::flush() {
  write_buffer();
  sync();
}

void JsonLinesExporter::write_buffer() {
  file_->write_at(size_, buffer_);
  size_ += buffer_.size();
  buffer_.clear();
}

void JsonLinesExporter::sync() {
  file_->sync();
  // Bytes that are written into a removed file are lost, however well it is synced.
  if (!disk_.exists(path_)) throw IoError(ENOENT, path_ + " has disappeared");
}

void JsonLinesExporter::rotate() {
  const std::string full = fmt::format("{}/{}-{:0{}}{}", options_.directory, options_.name,
                                       last_.value(), kPositionDigits, kEnding);
  // After a crash records are repeated, and a file may end at the same position as another one that
  // contains more records. Neither may replace the other, so this one ends with a later record
  // instead.
  if (disk_.exists(full)) return;
  sync();
  file_.reset();
  disk_.rename(path_, full);
  disk_.sync_directory(options_.directory);
  if (options_.files_max > 0) remove_oldest();
  open_file(last_);
}

void JsonLinesExporter::remove_oldest() {
  const std::string prefix = options_.name + "-";
  const std::size_t name_size = prefix.size() + kPositionDigits + kEnding.size();
  std::vector<std::string> full;
  for (auto& name : disk_.list(options_.directory)) {
    if (name.size() == name_size && name.starts_with(prefix) && name.ends_with(kEnding)) {
      full.push_back(std::move(name));
    }
  }
  std::ranges::sort(full);  // by their last position: all names are equally long
  for (std::size_t i = 0; i + options_.files_max < full.size(); ++i) {
    disk_.remove(fmt::format("{}/{}", options_.directory, full[i]));
  }
}

}  // namespace beeline::exporter
