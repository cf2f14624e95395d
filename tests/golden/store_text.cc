#include "tests/golden/store_text.h"

#include <fmt/format.h>

#include <sstream>

namespace beeline::testing {
namespace {

std::string to_hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string{digits.substr(i, 2)}, nullptr, 16));
  }
  return bytes;
}

}  // namespace

std::string to_text(const state::KeyValueStore& store) {
  std::string text = "# the rows of a checkpoint: key, value\n";
  store.for_each([&](std::string_view key, std::string_view value) {
    text += fmt::format("{} {}\n", to_hex(key), to_hex(value));
  });
  return text;
}

void parse_rows(const std::string& text, state::KeyValueStore& store) {
  state::WriteBatch batch;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    batch.put(from_hex(line.substr(0, space)), from_hex(line.substr(space + 1)));
  }
  store.write(batch);
}

}  // namespace beeline::testing
