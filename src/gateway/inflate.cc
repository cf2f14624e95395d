#include "gateway/inflate.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <utility>

#include "base/check.h"

namespace beeline::gateway {
namespace {

constexpr std::size_t kUnpackBytes = 16 << 10;
// zlib's codes: the largest window, and whether the stream has gzip's header or zlib's own.
constexpr int kWindowBits = 15;
constexpr int kGzipHeader = 16;

std::string_view name_of(Compression compression) {
  return compression == Compression::Gzip ? "gzip" : "deflate";
}

}  // namespace

class Inflater::Impl {
 public:
  Impl(Compression compression, std::size_t bytes_max)
      : compression_(compression), bytes_max_(bytes_max) {
    const int bits = compression == Compression::Gzip ? kWindowBits + kGzipHeader : kWindowBits;
    BEELINE_CHECK(inflateInit2(&stream_, bits) == Z_OK, "zlib has no memory for a stream");
  }
  ~Impl() { inflateEnd(&stream_); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void add(std::string_view piece) {
    packed_bytes_ += piece.size();
    while (!error_ && !piece.empty()) {
      const std::size_t taken = std::min<std::size_t>(piece.size(), UINT_MAX);
      unpack(piece.substr(0, taken));
      piece.remove_prefix(taken);
    }
  }

  Result<std::string, Status> finish() {
    if (!error_ && !ended_) not_a_stream("it ends too early");
    if (error_) return failure(*std::move(error_));
    return std::move(bytes_);
  }

 private:
  void unpack(std::string_view piece) {
    if (ended_) return not_a_stream("bytes follow its end");
    // zlib only reads from here, but its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    std::array<Bytef, kUnpackBytes> buffer;
    do {
      stream_.next_out = buffer.data();
      stream_.avail_out = static_cast<uInt>(buffer.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        return not_a_stream(stream_.msg != nullptr ? stream_.msg : "it is damaged");
      }
      const std::size_t count = buffer.size() - stream_.avail_out;
      if (bytes_.size() + count > bytes_max_) return too_large();
      bytes_.append(reinterpret_cast<const char*>(buffer.data()), count);
      ended_ = result == Z_STREAM_END;
    } while (!ended_ && stream_.avail_out == 0);
    if (ended_ && stream_.avail_in > 0) not_a_stream("bytes follow its end");
  }

  void too_large() {
    error_ = Status{
        StatusCode::ResourceExhausted,
        fmt::format("Expected a message of at most {} bytes (message-size-max), but the message, "
                    "which is compressed with {}, unpacks to more than that",
                    bytes_max_, name_of(compression_))};
    bytes_ = {};
  }

  void not_a_stream(std::string_view problem) {
    error_ = invalid_argument(
        fmt::format("Expected a message that is compressed with {}, as the call's grpc-encoding "
                    "announces, but its {} bytes cannot be unpacked: {}",
                    name_of(compression_), packed_bytes_, problem));
    bytes_ = {};
  }

  const Compression compression_;
  const std::size_t bytes_max_;
  z_stream stream_{};
  std::size_t packed_bytes_ = 0;
  std::string bytes_;
  bool ended_ = false;
  std::optional<Status> error_;
};

Inflater::Inflater(Compression compression, std::size_t bytes_max)
    : impl_(std::make_unique<Impl>(compression, bytes_max)) {}
Inflater::~Inflater() = default;
void Inflater::add(std::string_view piece) {
  impl_->add(piece);
}
Result<std::string, Status> Inflater::finish() {
  return impl_->finish();
}

}  // namespace beeline::gateway
