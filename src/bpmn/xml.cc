#include "bpmn/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "bpmn/parse.h"

namespace beeline::bpmn {
namespace {

// More namespace declarations at one place than any tool writes; this limits the search for a
// prefix.
constexpr std::size_t kPrefixesMax = 200;

struct Prefix {
  std::string_view name;
  Namespace ns;
};

Namespace namespace_of(std::string_view uri) {
  if (uri == "http://www.omg.org/spec/BPMN/20100524/MODEL") return Namespace::Bpmn;
  if (uri == "http://camunda.org/schema/zeebe/1.0") return Namespace::Zeebe;
  if (uri == "https://fleans.io/schema/bpmn/1.0") return Namespace::Fleans;
  if (uri == "http://fleans.io/schema/bpmn/fleans") return Namespace::Fleans;
  return Namespace::Other;
}

std::string place(std::string_view xml, std::ptrdiff_t offset) {
  const std::size_t end = std::min(
      xml.size(), static_cast<std::size_t>(std::max(offset, static_cast<std::ptrdiff_t>(0))));
  const std::string_view before = xml.substr(0, end);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, end - line_start + 1);
}

// Returns the offset of the first byte that is not UTF-8 text, or the size.
std::size_t first_non_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    std::size_t length = 1;
    unsigned min = 0;
    unsigned code = lead;
    if (lead == 0 || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) return i;
    if (lead >= 0xF0) {
      length = 4, min = 0x10000, code = lead & 0x07u;
    } else if (lead >= 0xE0) {
      length = 3, min = 0x800, code = lead & 0x0Fu;
    } else if (lead >= 0x80) {
      length = 2, min = 0x80, code = lead & 0x1Fu;
    }
    if (i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xC0u) != 0x80u) return i;
      code = code << 6 | (byte & 0x3Fu);
    }
    if (code < min || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return i;
    i += length;
  }
  return i;
}

// Returns the encoding of the XML declaration in lower case; empty if it has none.
std::string declared_encoding(std::string_view xml) {
  if (!xml.starts_with("<?xml")) return {};
  const std::string_view declaration = xml.substr(0, xml.find("?>"));
  const std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  const std::size_t open = declaration.find_first_of("\"'", at);
  if (open == std::string_view::npos) return {};
  const std::size_t close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return {};
  std::string name(declaration.substr(open + 1, close - open - 1));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

void append_utf8(unsigned code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0u | code >> 6);
    out += static_cast<char>(0x80u | (code & 0x3Fu));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0u | code >> 12);
    out += static_cast<char>(0x80u | (code >> 6 & 0x3Fu));
    out += static_cast<char>(0x80u | (code & 0x3Fu));
  } else {
    out += static_cast<char>(0xF0u | code >> 18);
    out += static_cast<char>(0x80u | (code >> 12 & 0x3Fu));
    out += static_cast<char>(0x80u | (code >> 6 & 0x3Fu));
    out += static_cast<char>(0x80u | (code & 0x3Fu));
  }
}

// Returns nothing if a surrogate is alone or a byte is left over.
std::optional<std::string> utf16_to_utf8(std::string_view xml, bool big_endian) {
  if (xml.size() % 2 != 0) return std::nullopt;
  const auto unit = [&](std::size_t i) {
    const unsigned first = static_cast<unsigned char>(xml[i]);
    const unsigned second = static_cast<unsigned char>(xml[i + 1]);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  std::string out;
  out.reserve(xml.size());
  for (std::size_t i = 0; i < xml.size(); i += 2) {
    unsigned code = unit(i);
    if (code >= 0xD800 && code < 0xE000) {
      if (code >= 0xDC00 || i + 4 > xml.size()) return std::nullopt;
      const unsigned low = unit(i + 2);
      if (low < 0xDC00 || low >= 0xE000) return std::nullopt;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    }
    append_utf8(code, out);
  }
  return out;
}

// Returns the text in UTF-8: unchanged, unless it begins like UTF-16 or is declared as ISO 8859-1.
Result<std::string, std::string> to_utf8(std::string_view xml) {
  const bool is_big = xml.starts_with("\xFE\xFF") || xml.starts_with(std::string_view("\0<", 2));
  const bool is_little = xml.starts_with("\xFF\xFE") || xml.starts_with(std::string_view("<\0", 2));
  if (is_big || is_little) {
    std::optional<std::string> converted = utf16_to_utf8(xml, is_big);
    if (!converted) {
      return failure(std::string(
          "Expected XML encoded in UTF-16, as its first bytes indicate, but some of it is not"));
    }
    return *std::move(converted);
  }
  const std::string encoding = declared_encoding(xml);
  if (encoding != "iso-8859-1" && encoding != "latin1") return std::string(xml);
  std::string out;
  out.reserve(xml.size());
  for (const char c : xml) append_utf8(static_cast<unsigned char>(c), out);
  return out;
}

// Copies the tree of elements, resolving prefixes on the way down.
class Resolver {
 public:
  explicit Resolver(std::string_view xml) : xml_(xml) {}

  [[nodiscard]] Result<XmlNode, std::string> resolve(pugi::xml_node raw, int depth) {
    if (depth > kXmlDepthMax) {
      return failure(
          fmt::format("Expected at most {} nested XML elements, but there are more at {}",
                      kXmlDepthMax, place(xml_, raw.offset_debug())));
    }
    if (++count_ > kXmlNodesMax) {
      return failure(
          fmt::format("Expected at most {} XML elements, but there are more", kXmlNodesMax));
    }
    const std::size_t outer_prefixes = prefixes_.size();
    for (const pugi::xml_attribute attribute : raw.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "xmlns") {
        prefixes_.push_back({"", namespace_of(attribute.value())});
      } else if (name.starts_with("xmlns:")) {
        prefixes_.push_back({name.substr(6), namespace_of(attribute.value())});
      }
      if (prefixes_.size() > kPrefixesMax) {
        return failure(fmt::format("Expected at most {} XML namespace prefixes, but there are more",
                                   kPrefixesMax));
      }
    }
    XmlNode node;
    node.full_name = raw.name();
    const std::size_t colon = node.full_name.find(':');
    const bool has_prefix = colon != std::string_view::npos;
    node.name = has_prefix ? node.full_name.substr(colon + 1) : node.full_name;
    node.ns = find(has_prefix ? node.full_name.substr(0, colon) : std::string_view{});
    node.ordinal = static_cast<int>(count_);
    node.raw = raw.internal_object();
    for (const pugi::xml_attribute attribute : raw.attributes()) {
      const std::string_view name = attribute.name();
      const std::size_t end = name.find(':');
      if (end != std::string_view::npos && find(name.substr(0, end)) == Namespace::Zeebe) {
        node.zeebe_attributes.push_back(name.substr(end + 1));
      }
    }
    for (const pugi::xml_node child : raw.children()) {
      if (child.type() != pugi::node_element) continue;
      BEELINE_TRY(XmlNode resolved, resolve(child, depth + 1));
      node.children.push_back(std::move(resolved));
    }
    prefixes_.resize(outer_prefixes);
    return node;
  }

 private:
  [[nodiscard]] Namespace find(std::string_view prefix) const {
    const auto found = std::find_if(prefixes_.rbegin(), prefixes_.rend(),
                                    [&](const Prefix& p) { return p.name == prefix; });
    return found == prefixes_.rend() ? Namespace::Other : found->ns;
  }

  std::string_view xml_;
  std::size_t count_ = 0;
  std::vector<Prefix> prefixes_;
};

}  // namespace

std::optional<std::string_view> XmlNode::find_attribute(const char* attribute_name) const {
  const pugi::xml_attribute found = pugi::xml_node(raw).attribute(attribute_name);
  if (!found) return std::nullopt;
  return std::string_view(found.value());
}

std::string_view XmlNode::attribute(const char* attribute_name) const {
  return pugi::xml_node(raw).attribute(attribute_name).value();
}

std::vector<std::string_view> XmlNode::attribute_names() const {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute attribute : pugi::xml_node(raw).attributes()) {
    const std::string_view each = attribute.name();
    if (each != "xmlns" && each.find(':') == std::string_view::npos) names.push_back(each);
  }
  return names;
}

std::string XmlNode::text() const {
  std::string all;
  for (const pugi::xml_node part : pugi::xml_node(raw).children()) {
    if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) all += part.value();
  }
  return std::string(trim(all));
}

const XmlNode* XmlNode::child(Namespace n, std::string_view local) const {
  for (const XmlNode& node : children) {
    if (node.is(n, local)) return &node;
  }
  return nullptr;
}

XmlDocument::XmlDocument() : document_(std::make_unique<pugi::xml_document>()) {}
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument& XmlDocument::operator=(XmlDocument&&) noexcept = default;
XmlDocument::~XmlDocument() = default;

Result<XmlDocument, std::string> XmlDocument::parse(std::string_view bytes) {
  if (bytes.size() > kXmlBytesMax) {
    return failure(fmt::format("Expected at most {} bytes of XML, but there are {}", kXmlBytesMax,
                               bytes.size()));
  }
  BEELINE_TRY(const std::string xml, to_utf8(bytes));
  if (const std::size_t bad = first_non_utf8(xml); bad < xml.size()) {
    return failure(
        fmt::format("Expected XML encoded in UTF-8, UTF-16 or ISO-8859-1, with the encoding in its "
                    "declaration, but it is read as UTF-8 and has an invalid byte at {}",
                    place(xml, static_cast<std::ptrdiff_t>(bad))));
  }
  XmlDocument document;
  // The document type is parsed only to be noticed: pugixml never expands entities of the document.
  const pugi::xml_parse_result parsed = document.document_->load_buffer(
      xml.data(), xml.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!parsed) {
    return failure(fmt::format("Expected well-formed XML, but at {}: {}", place(xml, parsed.offset),
                               parsed.description()));
  }
  pugi::xml_node root;
  for (const pugi::xml_node node : document.document_->children()) {
    if (node.type() == pugi::node_doctype) {
      return failure(
          std::string("Expected XML without a document type declaration, but it has one"));
    }
    if (node.type() != pugi::node_element) continue;
    if (root) return failure(std::string("Expected one XML root element, but there are more"));
    root = node;
  }
  if (!root) return failure(std::string("Expected an XML root element, but there is none"));
  BEELINE_TRY(document.root_, Resolver(xml).resolve(root, 1));
  return document;
}

}  // namespace beeline::bpmn
