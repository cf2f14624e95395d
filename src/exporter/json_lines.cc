#include "exporter/json_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io_error.h"

namespace beeline::exporter {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr std::string_view kEnding = ".jsonl";
constexpr std::size_t kPositionDigits = 20;

// The size of the file up to the end of its last whole line.
std::uint64_t whole_lines_size(const journal::File& file) {
  std::vector<char> block(std::size_t{64} << 10);
  for (std::uint64_t end = file.size(); end > 0;) {
    const std::uint64_t begin = end > block.size() ? end - block.size() : 0;
    const std::size_t size = file.read_at(begin, std::span(block).first(end - begin));
    const std::size_t newline = std::string_view(block.data(), size).rfind('\n');
    if (newline != std::string_view::npos) return begin + newline + 1;
    end = begin;
  }
  return 0;
}

}  // namespace

JsonLinesExporter::JsonLinesExporter(journal::Disk& disk, JsonLinesOptions options)
    : disk_(disk),
      options_(std::move(options)),
      path_(fmt::format("{}/{}{}", options_.directory, options_.name, kEnding)) {}

void JsonLinesExporter::open() {
  file_.reset();
  buffer_.clear();
  last_ = Position{};
  disk_.create_directory(options_.directory);
  open_file();
}

void JsonLinesExporter::open_file() {
  if (disk_.exists(path_)) {
    file_ = disk_.open(path_, journal::OpenMode::Existing);
    size_ = whole_lines_size(*file_);
    if (size_ != file_->size()) file_->truncate(size_);
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
  add_line(fmt::format(R"({{"recordType":"GAP","partitionId":{},"firstPosition":{},)"
                       R"("lastPosition":{}}})",
                       gap.partition.value(), gap.first.value(), gap.last.value()),
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
  // What is written into a file that somebody has removed is lost however well it is synced.
  if (!disk_.exists(path_)) throw IoError(ENOENT, path_ + " has disappeared");
}

void JsonLinesExporter::rotate() {
  const std::string full = fmt::format("{}/{}-{:0{}}{}", options_.directory, options_.name,
                                       last_.value(), kPositionDigits, kEnding);
  // After a crash records are repeated, and a file may end where another one did that holds more
  // before it. Neither may replace the other: this one ends with a later record instead.
  if (disk_.exists(full)) return;
  sync();
  file_.reset();
  disk_.rename(path_, full);
  disk_.sync_directory(options_.directory);
  if (options_.files_max > 0) remove_oldest();
  open_file();
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
