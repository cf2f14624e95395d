#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "record/field.h"

namespace beeline::record {

// One variable of a document: its name and the JSON text of its value.
template <typename Text>
struct BasicDocumentEntry {
  static constexpr std::string_view kSchemaName = "DocumentEntry";

  Text name;
  Text value;
  bool operator==(const BasicDocumentEntry&) const = default;
  static constexpr auto fields() {
    using T = BasicDocumentEntry;
    return std::tuple{field(1, "name", &T::name), field(2, "value", &T::value)};
  }
};
using DocumentEntry = BasicDocumentEntry<std::string>;
using DocumentEntryView = BasicDocumentEntry<std::string_view>;

// Variables on their way in or out. The text of each value is unchanged from the client; a document
// is split into variables once, at the edge, and never encoded again.
struct Document {
  static constexpr std::string_view kSchemaName = "Document";

  std::vector<DocumentEntry> entries;
  bool operator==(const Document&) const = default;
  [[nodiscard]] bool empty() const { return entries.empty(); }
  static constexpr auto fields() { return std::tuple{field(1, "entries", &Document::entries)}; }
};

// A document whose texts are borrowed: from the bytes it was decoded from, from rows, or from a
// document.
struct DocumentView {
  std::vector<DocumentEntryView> entries;

  constexpr DocumentView() = default;
  DocumentView(const Document& document) {  // NOLINT: as a std::string is a view of itself
    entries.reserve(document.entries.size());
    for (const DocumentEntry& entry : document.entries)
      entries.push_back({entry.name, entry.value});
  }
  bool operator==(const DocumentView&) const = default;
  [[nodiscard]] bool empty() const { return entries.empty(); }
  // Returns a copy that owns its texts.
  [[nodiscard]] Document to_document() const {
    Document document;
    document.entries.reserve(entries.size());
    for (const DocumentEntryView& entry : entries) {
      document.entries.push_back({std::string{entry.name}, std::string{entry.value}});
    }
    return document;
  }
  static constexpr auto fields() { return std::tuple{field(1, "entries", &DocumentView::entries)}; }
};

// The document type of a value with texts of this type.
template <typename Text>
using DocumentOf = std::conditional_t<std::is_same_v<Text, std::string>, Document, DocumentView>;

// A pair of strings, for headers.
struct Header {
  static constexpr std::string_view kSchemaName = "Header";

  std::string key;
  std::string value;
  bool operator==(const Header&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "key", &Header::key), field(2, "value", &Header::value)};
  }
};

// Headers in model order; a map in JSON.
struct Headers {
  static constexpr std::string_view kSchemaName = "Headers";

  std::vector<Header> entries;
  bool operator==(const Headers&) const = default;
  [[nodiscard]] bool empty() const { return entries.empty(); }
  static constexpr auto fields() { return std::tuple{field(1, "entries", &Headers::entries)}; }
};

}  // namespace beeline::record
