#pragma once

#include <string>
#include <vector>

#include "record/field.h"

namespace beeline::record {

// One variable of a document: its name and the JSON text of its value.
struct DocumentEntry {
  std::string name;
  std::string value;
  bool operator==(const DocumentEntry&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "name", &DocumentEntry::name),
                      field(2, "value", &DocumentEntry::value)};
  }
};

// Variables on their way in or out. The text of each value is what the client sent; it is split
// into variables once, at the edge, and never re-encoded after.
struct Document {
  std::vector<DocumentEntry> entries;
  bool operator==(const Document&) const = default;
  [[nodiscard]] bool empty() const { return entries.empty(); }
  static constexpr auto fields() { return std::tuple{field(1, "entries", &Document::entries)}; }
};

// A pair of strings, for headers.
struct Header {
  std::string key;
  std::string value;
  bool operator==(const Header&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "key", &Header::key), field(2, "value", &Header::value)};
  }
};

// Headers in model order; a map in JSON.
struct Headers {
  std::vector<Header> entries;
  bool operator==(const Headers&) const = default;
  [[nodiscard]] bool empty() const { return entries.empty(); }
  static constexpr auto fields() { return std::tuple{field(1, "entries", &Headers::entries)}; }
};

}  // namespace beeline::record
