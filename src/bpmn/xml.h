#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bpmn/text.h"

namespace pugi {
class xml_document;
class xml_node;
struct xml_node_struct;
}  // namespace pugi

// XML with resolved namespaces, which pugixml does not offer. Private to this folder.
namespace beeline::bpmn {

enum class Namespace : unsigned char { Bpmn, Zeebe, Fleans, Other };

// An element. Views point into the document.
struct XmlNode {
  Namespace ns = Namespace::Other;
  std::string_view name;       // without prefix
  std::string_view full_name;  // as written
  int ordinal = 0;             // position in the document
  // The local names of attributes with a prefix of the zeebe namespace.
  std::vector<std::string_view> zeebe_attributes;
  pugi::xml_node_struct* raw = nullptr;
  std::vector<XmlNode> children;  // elements only

  [[nodiscard]] bool is(Namespace n, std::string_view local) const {
    return ns == n && name == local;
  }
  // Returns nothing if the attribute is missing; a present attribute may be empty.
  [[nodiscard]] std::optional<std::string_view> find_attribute(const char* name) const;
  // Returns the attribute, or an empty text.
  [[nodiscard]] std::string_view attribute(const char* name) const;
  // Returns the names of attributes without a prefix.
  [[nodiscard]] std::vector<std::string_view> attribute_names() const;
  // Returns all character data of this element, without blanks at its ends.
  [[nodiscard]] std::string text() const;
  // Returns the first child of this name, or null.
  [[nodiscard]] const XmlNode* child(Namespace n, std::string_view local) const;
};

class XmlDocument {
 public:
  // Accepts UTF-8, UTF-16 and, if declared, ISO 8859-1; the document is UTF-8. Refuses text that is
  // not well-formed XML, has a document type declaration (and could so define entities), or exceeds
  // the limits of parse.h. The error is a sentence with the place.
  [[nodiscard]] static Result<XmlDocument, std::string> parse(std::string_view bytes);

  XmlDocument(XmlDocument&&) noexcept;
  XmlDocument& operator=(XmlDocument&&) noexcept;
  ~XmlDocument();

  [[nodiscard]] const XmlNode& root() const { return root_; }

 private:
  XmlDocument();
  std::unique_ptr<pugi::xml_document> document_;
  XmlNode root_;
};

}  // namespace beeline::bpmn
