#pragma once

#include <cstddef>
#include <string_view>

// Helpers for texts that clients send. All texts are UTF-8; limits of the protocol count
// characters, limits of the transport count bytes.
namespace beeline::service {

[[nodiscard]] std::size_t characters_in(std::string_view utf8);

// Returns at most the first `count` characters.
[[nodiscard]] std::string_view first_characters(std::string_view utf8, std::size_t count);

// Returns at most the first `bytes_max` bytes, without an incomplete character at the end.
[[nodiscard]] std::string_view first_bytes(std::string_view utf8, std::size_t bytes_max);

// Like first_bytes() for a text that is sent percent-encoded, as gRPC sends its status texts: bytes
// that are not printable ASCII, and the percent sign, count three.
[[nodiscard]] std::string_view first_encoded_bytes(std::string_view utf8, std::size_t bytes_max);

// True if the text is empty or only white space.
[[nodiscard]] bool is_blank(std::string_view text);

}  // namespace beeline::service
