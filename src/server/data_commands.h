#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

// Commands that look at a data directory while no server uses it.
namespace beeline::server {

struct InspectOptions {
  std::string data = "data";
  bool json = false;
  bool full = false;           // otherwise long values are shortened, but for JSON
  bool log = true;             // print the records
  bool state = true;           // print the rows
  std::int32_t partition = 0;  // 0: all
  std::int64_t from = 1;       // position of the first record to print
};

// Prints the records of the log, one a line, then the rows of the state. What goes wrong is a
// sentence on `errors`. Returns the exit code.
[[nodiscard]] int inspect(const InspectOptions& options, std::ostream& out, std::ostream& errors);

// Checks every frame and every record of the log, that the checkpoint fits it, and, where the log
// is there from its beginning, that replaying all of it leads to the state that checkpoint and rest
// lead to. Prints what it found for each partition; the exit code is 0 only if all is well.
[[nodiscard]] int verify(const std::string& data, std::ostream& out, std::ostream& errors);

}  // namespace beeline::server
