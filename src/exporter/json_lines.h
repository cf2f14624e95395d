#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "exporter/exporter.h"
#include "journal/disk.h"

namespace beeline::exporter {

struct JsonLinesOptions {
  std::string directory;
  std::string name;  // of the files, without their ending
  // A file that has reached this size is complete, and a new one is begun.
  std::uint64_t file_bytes_max = std::uint64_t{256} << 20;
  // The number of complete files to keep; 0 keeps all.
  std::size_t files_max = 0;
};

// Writes one JSON object per line: a record, or, where the log has a gap,
//
//     {"recordType":"GAP","partitionId":1,"firstPosition":904,"lastPosition":921}
//
// Its files are
//
//     DIRECTORY/NAME.jsonl                            grows at its end
//     DIRECTORY/NAME-00000000000000004711.jsonl       full; its last record is 4711
//
// A power failure may leave anything after the last flush: half a line, complete lines, or lines
// with holes between them. On opening, the growing file is cut after the last record that is known
// to be safe; the records after it are exported again.
class JsonLinesExporter final : public Exporter {
 public:
  // `disk` must outlive this object.
  JsonLinesExporter(journal::Disk& disk, JsonLinesOptions options);

  [[nodiscard]] Position open(Position kept) override;
  void export_record(const record::RecordView& record) override;
  void export_gap(const Gap& gap) override;
  void flush() override;

 private:
  void open_file(Position kept);
  void add_line(std::string_view line, Position last);
  void write_buffer();
  void sync();
  void rotate();
  void remove_oldest();

  journal::Disk& disk_;
  const JsonLinesOptions options_;
  const std::string path_;
  std::unique_ptr<journal::File> file_;
  std::uint64_t size_ = 0;  // size of the file, without the buffer
  std::string buffer_;
  Position last_;
};

}  // namespace beeline::exporter
