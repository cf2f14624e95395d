#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "bpmn/draft.h"

// Finds loops that never wait. Such a loop would keep the engine busy for ever, inside of one
// command. An element "passes" if a token goes through it without waiting for anything outside.
//
// Nodes of the graph are the passing elements of all processes of the file. A container leads to
// its start event, and to the elements after it only if some path through it passes completely. So
// a loop that consists of calls or subprocesses is found, and a wait inside of them breaks it. A
// path may also throw an error or an escalation: if the container's boundary event catches it, the
// container leads to the boundary event. A cancel end event leads to the cancel boundary event of
// its transaction in the same way, unless there are handlers to wait for.
namespace beeline::bpmn {
namespace {

// Calls that lead through more processes than this, in the worst order, count as waiting.
constexpr int kPassesMax = 64;
// Codes of one container beyond this count as thrown after a wait.
constexpr std::size_t kCodesMax = 64;

// An activity with a standard loop waits if one of its runs waits. Only a maximum that is not
// above zero is known to make it pass without a run.
bool never_runs(const Element& element) {
  const auto& loop = element.parts().standard_loop;
  return loop && loop->maximum && loop->maximum->is_static && loop->maximum->number &&
         *loop->maximum->number <= 0;
}

bool passes(const Element& element) {
  using enum ElementType;
  if (never_runs(element)) return true;
  const EventType event = element.event_type;
  switch (element.type) {
    case ManualTask:
    case Task:
    case ExclusiveGateway:
    case ParallelGateway:
    case InclusiveGateway:
    case StartEvent:
    case SubProcess:
    case CallActivity:
      return true;
    case ScriptTask:
      return element.parts().script.has_value();
    case BusinessRuleTask:
      return element.parts().called_decision.has_value();
    case IntermediateThrowEvent:
    case EndEvent:
      return !element.has_definition(EventType::Message) && event != EventType::Error &&
             event != EventType::Cancel;
    case IntermediateCatchEvent:
      return event == EventType::Link;
    case Unspecified:
    case Process:
    case EventSubProcess:
    case AdHocSubProcess:
    case AdHocSubProcessInnerInstance:
    case BoundaryEvent:
    case ServiceTask:
    case ReceiveTask:
    case UserTask:
    case EventBasedGateway:
    case SequenceFlow:
    case MultiInstanceBody:
    case SendTask:
      return false;
  }
  return false;
}

// A loop is refused only if it contains one of these elements. Only an error, an escalation or a
// cancellation on the way leads to a boundary event.
bool works(const Element& element) {
  using enum ElementType;
  return element.type == ManualTask || element.type == Task || element.type == CallActivity ||
         element.type == IntermediateThrowEvent || element.type == ScriptTask ||
         element.type == BusinessRuleTask || element.type == BoundaryEvent;
}

// Returns true if a token goes into the element and passes only if it passes what is in there.
bool is_container(const Element& element) {
  return (element.type == ElementType::SubProcess || element.type == ElementType::CallActivity) &&
         !never_runs(element);
}

// An error or an escalation that an element throws.
struct Thrown {
  EventType type = EventType::Error;
  std::string_view code;

  friend bool operator==(const Thrown&, const Thrown&) = default;
};

// Returns the code of an event that throws or catches errors or escalations, or null.
const std::optional<Expression>* code_of(const Element& event) {
  const Parts& parts = event.parts();
  if (event.event_type == EventType::Error && parts.error) return &parts.error->code;
  if (event.event_type == EventType::Escalation && parts.escalation) return &parts.escalation->code;
  return nullptr;
}

// Returns what this element throws without waiting, if it is known before the process runs.
std::optional<Thrown> thrown_by(const Element& element) {
  if (element.type != ElementType::EndEvent &&
      element.type != ElementType::IntermediateThrowEvent) {
    return std::nullopt;
  }
  const std::optional<Expression>* code = code_of(element);
  if (code == nullptr || !*code || !(*code)->is_static) return std::nullopt;
  return Thrown{element.event_type, (*code)->text};
}

bool cancels(const Element& element) {
  return element.type == ElementType::EndEvent && element.event_type == EventType::Cancel;
}

class LoopSearch {
 public:
  explicit LoopSearch(const std::vector<Draft>& drafts) {
    for (const Draft& draft : drafts) {
      process_start_.try_emplace(draft.process.id, elements_.size());
      for (const Element& element : draft.process.elements) {
        elements_.push_back(&element);
        base_.push_back(elements_.size() - 1 - static_cast<std::size_t>(element.index.value()));
      }
    }
    ways_.resize(elements_.size());
    find_ways();
  }

  void report(Findings& findings) {
    component_.assign(elements_.size(), -1);
    order_.assign(elements_.size(), -1);
    low_.assign(elements_.size(), -1);
    for (std::size_t node = 0; node < elements_.size(); ++node) {
      if (order_[node] < 0 && passes(*elements_[node])) visit(node);
    }
    std::vector<bool> reported(elements_.size(), false);
    for (std::size_t node = 0; node < elements_.size(); ++node) {
      if (component_[node] < 0 || !works(*elements_[node])) continue;
      const auto component = static_cast<std::size_t>(component_[node]);
      if (reported[component]) continue;
      const std::string path = loop_path(node);
      if (path.empty()) continue;
      reported[component] = true;
      findings.error(elements_[node]->id,
                     fmt::format("must not be in a loop that never waits: {}", path));
    }
  }

 private:
  [[nodiscard]] std::size_t node_of(std::size_t from, ElementIndex index) const {
    return base_[from] + static_cast<std::size_t>(index.value());
  }

  // Returns the container that this element leads into: itself, or the process that it calls.
  [[nodiscard]] std::optional<std::size_t> container_of(std::size_t node) const {
    const Element& element = *elements_[node];
    if (never_runs(element)) return std::nullopt;
    if (element.type == ElementType::SubProcess) return node;
    const auto& called = element.parts().called_element;
    if (!called || !called->process_id.is_static) return std::nullopt;
    const auto found = process_start_.find(called->process_id.text);
    if (found == process_start_.end()) return std::nullopt;
    return found->second;
  }

  // Visits the places that a token reaches from here without waiting, inside of the same scope.
  template <typename Visit>
  void for_each_next(std::size_t node, Visit visit_next) const {
    const Element& element = *elements_[node];
    if (is_container(element)) {
      const std::optional<std::size_t> container = container_of(node);
      if (!container) return;
      for (const Thrown& thrown : ways_[*container].thrown) {
        const std::optional<std::size_t> catcher = catcher_of(node, thrown);
        if (catcher) visit_next(*catcher);
      }
      if (ways_[*container].cancels) visit_next(cancel_boundary_of(node));
      if (!ways_[*container].passes) return;
    }
    for (const ElementIndex flow : element.outgoing) {
      const std::size_t target = node_of(node, elements_[node_of(node, flow)]->target);
      if (passes(*elements_[target]) || thrown_by(*elements_[target]) ||
          cancels(*elements_[target])) {
        visit_next(target);
      }
    }
    if (element.parts().link && element.parts().link->catch_event.is_set()) {
      visit_next(node_of(node, element.parts().link->catch_event));
    }
  }

  template <typename Visit>
  void for_each_next_or_inside(std::size_t node, Visit visit_next) const {
    const std::optional<std::size_t> container = container_of(node);
    if (container && elements_[*container]->none_start.is_set()) {
      visit_next(node_of(*container, elements_[*container]->none_start));
    }
    for_each_next(node, visit_next);
  }

  // The ways in which a token leaves a container without waiting: to the end, through a
  // cancellation, or with an error or an escalation that nothing in the container catches.
  struct Ways {
    bool passes = false;
    bool cancels = false;
    std::vector<Thrown> thrown;

    friend bool operator==(const Ways&, const Ways&) = default;
  };

  // Returns the event of `host` that catches it, chosen as the engine does (find_error_catcher).
  [[nodiscard]] std::optional<std::size_t> catcher_of(std::size_t host,
                                                      const Thrown& thrown) const {
    const Element& element = *elements_[host];
    std::optional<std::size_t> catch_all;
    const auto catches = [&](std::size_t node) {
      return std::ranges::any_of(elements_[node]->definitions(), [&](const Element& event) {
        if (event.event_type != thrown.type) return false;
        const std::optional<Expression>* code = code_of(event);
        if (code != nullptr && *code) return (*code)->text == thrown.code;
        if (!catch_all) catch_all = node;
        return false;
      });
    };
    for (const ElementIndex subprocess : element.event_subprocesses) {
      for (const ElementIndex start : elements_[node_of(host, subprocess)]->start_events) {
        if (catches(node_of(host, start))) return node_of(host, start);
      }
    }
    for (const ElementIndex event : element.boundary_events) {
      if (catches(node_of(host, event))) return node_of(host, event);
    }
    return catch_all;
  }

  // Returns the cancel boundary event of a transaction that contains a cancel end event.
  [[nodiscard]] std::size_t cancel_boundary_of(std::size_t transaction) const {
    for (const ElementIndex event : elements_[transaction]->boundary_events) {
      const std::size_t node = node_of(transaction, event);
      if (elements_[node]->event_type == EventType::Cancel) return node;
    }
    return transaction;
  }

  // Returns true if some activity within the container is a compensation handler.
  [[nodiscard]] bool has_handlers(std::size_t container) const {
    return std::ranges::any_of(elements_[container]->children, [&](ElementIndex index) {
      const std::size_t child = node_of(container, index);
      return elements_[child]->for_compensation ||
             (is_scope(elements_[child]->type) && has_handlers(child));
    });
  }

  // Inner containers have higher indices, so one pass over them in reverse order decides all except
  // processes that call each other.
  void find_ways() {
    bool changed = true;
    for (int pass = 0; changed && pass < kPassesMax; ++pass) {
      changed = false;
      for (std::size_t node = elements_.size(); node-- > 0;) {
        const ElementType type = elements_[node]->type;
        if (type != ElementType::SubProcess && type != ElementType::Process) continue;
        Ways ways = explore(node);
        if (ways == ways_[node]) continue;
        ways_[node] = std::move(ways);
        changed = true;
      }
    }
  }

  [[nodiscard]] Ways explore(std::size_t container) {
    Ways ways;
    if (!elements_[container]->none_start.is_set()) return ways;
    seen_.resize(elements_.size(), 0);
    ++round_;
    std::deque<std::size_t> open;
    const auto add = [&](std::size_t node) {
      if (seen_[node] == round_) return;
      seen_[node] = round_;
      open.push_back(node);
    };
    std::optional<bool> waits_for_handlers;
    const auto raise = [&](const Thrown& thrown) {
      const std::optional<std::size_t> catcher = catcher_of(container, thrown);
      if (catcher && elements_[*catcher]->type == ElementType::StartEvent) return add(*catcher);
      if (ways.thrown.size() >= kCodesMax) return;
      if (std::ranges::find(ways.thrown, thrown) == ways.thrown.end()) {
        ways.thrown.push_back(thrown);
      }
    };
    add(node_of(container, elements_[container]->none_start));
    while (!open.empty()) {
      const std::size_t node = open.front();
      open.pop_front();
      const Element& element = *elements_[node];
      if (const auto thrown = thrown_by(element)) {
        raise(*thrown);
        if (thrown->type == EventType::Error) continue;
      }
      if (cancels(element)) {
        if (!waits_for_handlers) waits_for_handlers = has_handlers(container);
        ways.cancels = !*waits_for_handlers;
        continue;
      }
      const std::optional<std::size_t> inner = container_of(node);
      if (inner) {
        for (const Thrown& thrown : ways_[*inner].thrown) {
          if (!catcher_of(node, thrown)) raise(thrown);
        }
      }
      const bool leaves = !is_container(element) || (inner && ways_[*inner].passes);
      if (leaves && element.outgoing.empty() && !element.parts().link) ways.passes = true;
      for_each_next(node, add);
    }
    return ways;
  }

  // Strongly connected components by Tarjan's algorithm, with an explicit stack, because models may
  // be hostile.
  void visit(std::size_t root) {
    struct Frame {
      std::size_t node;
      std::vector<std::size_t> next;
      std::size_t done = 0;
    };
    std::vector<Frame> frames;
    const auto enter = [&](std::size_t node) {
      order_[node] = low_[node] = ++counter_;
      stack_.push_back(node);
      Frame frame{.node = node, .next = {}};
      for_each_next_or_inside(node, [&](std::size_t next) { frame.next.push_back(next); });
      frames.push_back(std::move(frame));
    };
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.done < frame.next.size()) {
        const std::size_t next = frame.next[frame.done++];
        if (order_[next] < 0) {
          enter(next);
        } else if (component_[next] < 0) {
          low_[frame.node] = std::min(low_[frame.node], order_[next]);
        }
        continue;
      }
      const std::size_t node = frame.node;
      frames.pop_back();
      if (!frames.empty()) {
        low_[frames.back().node] = std::min(low_[frames.back().node], low_[node]);
      }
      if (low_[node] != order_[node]) continue;
      while (component_[node] < 0) {
        component_[stack_.back()] = static_cast<int>(node);
        stack_.pop_back();
      }
    }
  }

  // Returns the shortest loop through this node, "a > b > a"; empty if it is in no loop.
  [[nodiscard]] std::string loop_path(std::size_t node) const {
    std::map<std::size_t, std::size_t> came_from;
    std::deque<std::size_t> open = {node};
    bool closed = false;
    while (!open.empty() && !closed) {
      const std::size_t current = open.front();
      open.pop_front();
      for_each_next_or_inside(current, [&](std::size_t next) {
        if (component_[next] != component_[node]) return;
        if (came_from.try_emplace(next, current).second) open.push_back(next);
        closed = closed || next == node;
      });
    }
    if (!closed) return {};
    std::string path = elements_[node]->id;
    std::size_t current = node;
    do {
      current = came_from.at(current);
      path.insert(0, elements_[current]->id + " > ");
    } while (current != node && path.size() < 2000);
    return path;
  }

  std::vector<const Element*> elements_;
  std::vector<std::size_t> base_;  // index of the process of each element
  std::map<std::string_view, std::size_t> process_start_;
  std::vector<Ways> ways_;  // ways of containers
  std::vector<int> seen_;
  int round_ = 0;
  std::vector<int> component_;
  std::vector<int> order_;
  std::vector<int> low_;
  std::vector<std::size_t> stack_;
  int counter_ = 0;
};

}  // namespace

void check_loops(const std::vector<Draft>& drafts, Findings& findings) {
  LoopSearch(drafts).report(findings);
}

}  // namespace beeline::bpmn
