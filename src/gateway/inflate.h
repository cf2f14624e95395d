#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "gateway/status.h"

namespace beeline::gateway {

enum class Compression { Gzip, Deflate };

// Unpacks one compressed message, piece by piece, and stops as soon as the unpacked bytes exceed a
// limit: a few kilobytes can unpack to gigabytes, and gRPC's own decompression has no limit.
//
//     Inflater inflater(Compression::Gzip, limit);
//     for (piece of the message) inflater.add(piece);
//     auto bytes = inflater.finish();
//
// Memory: at most `bytes_max` and a fixed buffer. After an error add() does nothing, and finish()
// returns the error.
//
// Threading: one thread at a time.
class Inflater {
 public:
  Inflater(Compression compression, std::size_t bytes_max);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void add(std::string_view piece);
  // Returns the unpacked bytes; RESOURCE_EXHAUSTED if they exceed the limit, INVALID_ARGUMENT if
  // the message is not one complete stream of its compression.
  [[nodiscard]] Result<std::string, Status> finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::gateway
