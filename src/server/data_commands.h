#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

// Commands for a data directory that no server uses.
namespace beeline::server {

struct InspectOptions {
  std::string data = "data";
  bool json = false;
  bool full = false;           // otherwise long values are shortened, except in JSON
  bool log = true;             // print the records
  bool state = true;           // print the rows
  std::int32_t partition = 0;  // 0: all
  std::int64_t from = 1;       // position of the first record to print
};

// Prints the records of the log, one per line, then the rows of the state. An error is a sentence
// on `errors`. Returns the exit code.
[[nodiscard]] int inspect(const InspectOptions& options, std::ostream& out, std::ostream& errors);

// Checks every frame and every record of the log, and that the checkpoint matches it. If the log
// exists from its beginning, also checks that replaying all of it gives the state that the
// checkpoint and the rest of the log give. Prints its findings for each partition; the exit code is
// 0 only if everything is right.
[[nodiscard]] int verify(const std::string& data, std::ostream& out, std::ostream& errors);

}  // namespace beeline::server
