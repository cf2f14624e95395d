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

// XML with namespaces resolved, which pugixml leaves to its users. Private to this folder.
namespace beeline::bpmn {

enum class Namespace : unsigned char { Bpmn, Zeebe, Fleans, Other };

// An element. Views point into the document.
struct XmlNode {
  Namespace ns = Namespace::Other;
  std::string_view name;       // without prefix
  std::string_view full_name;  // as written
  int ordinal = 0;             // position in the document
  // The local names of attributes that are written with a prefix of the zeebe namespace.
  std::vector<std::string_view> zeebe_attributes;
  pugi::xml_node_struct* raw = nullptr;
  std::vector<XmlNode> children;  // elements only

  [[nodiscard]] bool is(Namespace n, std::string_view local) const {
    return ns == n && name == local;
  }
  // Absent and empty differ.
  [[nodiscard]] std::optional<std::string_view> find_attribute(const char* name) const;
  // The attribute, or an empty text.
  [[nodiscard]] std::string_view attribute(const char* name) const;
  // The names of attributes that are written without prefix.
  [[nodiscard]] std::vector<std::string_view> attribute_names() const;
  // All character data of this element, without blanks at its ends.
  [[nodiscard]] std::string text() const;
  // The first child of this name, or null.
  [[nodiscard]] const XmlNode* child(Namespace n, std::string_view local) const;
};

class XmlDocument {
 public:
  // Takes UTF-8, UTF-16 and, where the declaration says so, ISO 8859-1; offers UTF-8. Refuses what
  // is no well-formed XML, has a document type declaration (and so entities of
  // its own), or exceeds the limits of parse.h. The error is a sentence with the place.
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
