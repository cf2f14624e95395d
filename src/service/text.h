#pragma once

#include <cstddef>
#include <string_view>

// Small questions about texts that clients send. All are UTF-8; limits of the protocol count
// characters, limits of the transport bytes.
namespace beeline::service {

[[nodiscard]] std::size_t characters_in(std::string_view utf8);

// The first `count` characters at most.
[[nodiscard]] std::string_view first_characters(std::string_view utf8, std::size_t count);

// The first `bytes_max` bytes at most, without a torn character at the end.
[[nodiscard]] std::string_view first_bytes(std::string_view utf8, std::size_t bytes_max);

// The same for a text that is sent percent-encoded, as gRPC sends its status texts: bytes that are
// not printable ASCII, and the percent sign, count three.
[[nodiscard]] std::string_view first_encoded_bytes(std::string_view utf8, std::size_t bytes_max);

// Whether it is empty or all white space.
[[nodiscard]] bool is_blank(std::string_view text);

}  // namespace beeline::service
