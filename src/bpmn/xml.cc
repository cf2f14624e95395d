#include "bpmn/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <utility>

#include "bpmn/parse.h"

namespace beeline::bpmn {
namespace {

// More declarations in force at one place than any tool writes; bounds the search for a prefix.
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

// The offset of the first byte that is not UTF-8 text, or the size.
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

Result<XmlDocument, std::string> XmlDocument::parse(std::string_view xml) {
  if (xml.size() > kXmlBytesMax) {
    return failure(fmt::format("Expected at most {} bytes of XML, but there are {}", kXmlBytesMax,
                               xml.size()));
  }
  if (const std::size_t bad = first_non_utf8(xml); bad < xml.size()) {
    return failure(fmt::format("Expected XML encoded in UTF-8, but there is another byte at {}",
                               place(xml, static_cast<std::ptrdiff_t>(bad))));
  }
  XmlDocument document;
  // The document type is parsed only to be seen: pugixml never expands entities of the document.
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
