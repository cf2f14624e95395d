#include "bpmn/builder.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace beeline::bpmn::build {
namespace {

void escape(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
}

void write(std::string& out, const Xml& xml, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  out += indent + "<" + xml.tag;
  for (const auto& [key, value] : xml.attributes) {
    out += " " + key + "=\"";
    escape(out, value);
    out += "\"";
  }
  if (xml.children.empty() && xml.text.empty()) {
    out += "/>\n";
    return;
  }
  out += ">";
  escape(out, xml.text);
  if (!xml.children.empty()) {
    out += "\n";
    for (const Xml& inner : xml.children) write(out, inner, depth + 1);
    out += indent;
  }
  out += "</" + xml.tag + ">\n";
}

// Turns paths into elements and flows. One renderer per file: ids are unique in a file.
class Renderer {
 public:
  void add_process(const Node& process) {
    Node executable = process;
    executable.items.insert(executable.items.begin(), Item(attribute("isExecutable", "true")));
    processes_.push_back(render(executable, process.id));
  }

  [[nodiscard]] std::string text() {
    Xml root{.tag = "bpmn:definitions",
             .attributes = {{"xmlns:bpmn", "http://www.omg.org/spec/BPMN/20100524/MODEL"},
                            {"xmlns:zeebe", "http://camunda.org/schema/zeebe/1.0"},
                            {"targetNamespace", "http://bpmn.io/schema/bpmn"}},
             .children = std::move(definitions_),
             .text = ""};
    std::move(processes_.begin(), processes_.end(), std::back_inserter(root.children));
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    write(out, root, 0);
    return out;
  }

 private:
  // Nodes without an id are named after their kind; every id that the author wrote is reserved.
  std::string unique(const std::string& wish) {
    std::string id = wish;
    for (int n = 2; !taken_.insert(id).second; ++n) id = wish + "_" + std::to_string(n);
    return id;
  }

  static std::string wish(std::string_view tag) {
    if (tag == "bpmn:startEvent") return "start";
    if (tag == "bpmn:endEvent") return "end";
    return std::string(tag.substr(tag.find(':') + 1));
  }

  Xml render(const Node& node, const std::string& id) {
    Part part;
    std::vector<const Path*> paths;
    for (const Item& item : node.items) {
      if (const Part* p = std::get_if<Part>(&item)) append(part, *p);
      if (const Path* p = std::get_if<Path>(&item)) paths.push_back(p);
    }
    Xml xml{.tag = node.tag, .attributes = {{"id", id}}, .children = {}, .text = ""};
    for (const auto& attribute : part.attributes) xml.attributes.push_back(attribute);
    if (Xml extensions = extension_elements(part); !extensions.children.empty()) {
      xml.children.push_back(std::move(extensions));
    }
    for (Xml& definition : part.definitions) definitions_.push_back(std::move(definition));
    if (!paths.empty()) render_scope(paths, xml);
    for (Xml& inner : part.children) xml.children.push_back(std::move(inner));
    return xml;
  }

  static Xml extension_elements(const Part& part) {
    Xml all{.tag = "bpmn:extensionElements", .attributes = {}, .children = {}, .text = ""};
    for (const auto& [wrapper, xml] : part.extensions) {
      if (wrapper.empty()) {
        all.children.push_back(xml);
        continue;
      }
      auto found = std::find_if(all.children.begin(), all.children.end(),
                                [&](const Xml& x) { return x.tag == wrapper; });
      if (found == all.children.end()) {
        all.children.push_back({.tag = wrapper, .attributes = {}, .children = {}, .text = ""});
        found = all.children.end() - 1;
      }
      found->children.push_back(xml);
    }
    return all;
  }

  void render_scope(const std::vector<const Path*>& paths, Xml& scope) {
    std::vector<Xml> flows;
    std::map<std::string, std::string> defaults;  // gateway -> flow
    for (const Path* path : paths) render_path(*path, scope, flows, defaults);
    for (Xml& xml : scope.children) {
      if (xml.attributes.empty()) continue;
      const auto found = defaults.find(xml.attributes.front().second);
      if (found != defaults.end()) xml.attributes.emplace_back("default", found->second);
    }
    std::move(flows.begin(), flows.end(), std::back_inserter(scope.children));
  }

  void render_path(const Path& path, Xml& scope, std::vector<Xml>& flows,
                   std::map<std::string, std::string>& defaults) {
    std::string previous;
    Edge edge;
    const auto arrive = [&](const std::string& id) {
      if (!previous.empty()) {
        const std::string flow_id = edge.id.empty() ? unique(previous + "_" + id) : edge.id;
        Xml xml{.tag = "bpmn:sequenceFlow",
                .attributes = {{"id", flow_id}, {"sourceRef", previous}, {"targetRef", id}},
                .children = {},
                .text = ""};
        if (!edge.condition.empty()) {
          xml.children.push_back({.tag = "bpmn:conditionExpression",
                                  .attributes = {},
                                  .children = {},
                                  .text = edge.condition});
        }
        if (edge.is_default) defaults[previous] = flow_id;
        flows.push_back(std::move(xml));
      }
      previous = id;
      edge = {};
    };
    for (const auto& step : path.steps) {
      if (const Node* node = std::get_if<Node>(&step)) {
        const std::string id = node->id.empty() ? unique(wish(node->tag)) : node->id;
        scope.children.push_back(render(*node, id));
        arrive(id);
      } else if (const Reference* reference = std::get_if<Reference>(&step)) {
        arrive(reference->id);
      } else if (const Edge* e = std::get_if<Edge>(&step)) {
        if (!e->id.empty()) edge.id = e->id;
        if (!e->condition.empty()) edge.condition = e->condition;
        edge.is_default = edge.is_default || e->is_default;
      } else if (const Association* a = std::get_if<Association>(&step)) {
        scope.children.push_back({.tag = "bpmn:association",
                                  .attributes = {{"id", unique(a->source + "_" + a->target)},
                                                 {"sourceRef", a->source},
                                                 {"targetRef", a->target}},
                                  .children = {},
                                  .text = ""});
      }
    }
  }

 public:
  void take_ids(const Node& node) {
    if (!node.id.empty()) taken_.insert(node.id);
    for (const Item& item : node.items) {
      const Path* path = std::get_if<Path>(&item);
      if (path == nullptr) continue;
      for (const auto& step : path->steps) {
        if (const Node* inner = std::get_if<Node>(&step)) take_ids(*inner);
        if (const Edge* edge = std::get_if<Edge>(&step); edge && !edge->id.empty()) {
          taken_.insert(edge->id);
        }
      }
    }
  }

 private:
  std::set<std::string> taken_;
  std::vector<Xml> definitions_;
  std::vector<Xml> processes_;
};

Path path_of(std::variant<Node, Reference, Edge, Association> step) {
  Path path;
  path.steps.push_back(std::move(step));
  return path;
}

}  // namespace

void append(Part& to, const Part& from) {
  const auto add = [](auto& target, const auto& source) {
    target.insert(target.end(), source.begin(), source.end());
  };
  add(to.attributes, from.attributes);
  add(to.extensions, from.extensions);
  add(to.children, from.children);
  add(to.definitions, from.definitions);
}

std::string Model::to_xml() const {
  Renderer renderer;
  for (const Node& process : processes_) renderer.take_ids(process);
  for (const Node& process : processes_) renderer.add_process(process);
  return renderer.text();
}

Model file(std::vector<Model> models) {
  std::vector<Node> processes;
  for (const Model& model : models) {
    processes.insert(processes.end(), model.processes().begin(), model.processes().end());
  }
  return Model(std::move(processes));
}

Path operator>>(Path left, Path right) {
  std::move(right.steps.begin(), right.steps.end(), std::back_inserter(left.steps));
  return left;
}

Path node(std::string tag, std::string id, std::vector<Item> items) {
  return path_of(Node{.tag = std::move(tag), .id = std::move(id), .items = std::move(items)});
}

Path event_node(std::string tag, Event event, std::vector<Item> items) {
  // A receive task refers to its message directly and has no event definition.
  if (tag == "bpmn:receiveTask") {
    for (const Xml& definition : event.part.children) {
      for (const auto& attribute : definition.attributes)
        event.part.attributes.push_back(attribute);
    }
    event.part.children.clear();
  }
  items.insert(items.begin(), Item(std::move(event.part)));
  return node(std::move(tag), std::move(event.id), std::move(items));
}

Path condition(std::string feel) {
  return path_of(Edge{.id = "", .condition = feel.starts_with("=") ? feel : "=" + feel});
}
Path default_flow() {
  return path_of(Edge{.id = "", .condition = "", .is_default = true});
}
Path via(std::string flow_id) {
  return path_of(Edge{.id = std::move(flow_id), .condition = ""});
}
Path from(std::string id) {
  return path_of(Reference{.id = std::move(id)});
}
Path to(std::string id) {
  return path_of(Reference{.id = std::move(id)});
}
Path flow(std::string source, std::string target, Path edge) {
  return from(std::move(source)) >> std::move(edge) >> to(std::move(target));
}
Path association(std::string source, std::string target) {
  return path_of(Association{.source = std::move(source), .target = std::move(target)});
}

}  // namespace beeline::bpmn::build
