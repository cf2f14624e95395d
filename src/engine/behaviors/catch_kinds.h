#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/behaviors/conditional_subscriptions.h"
#include "engine/behaviors/element_context.h"
#include "engine/behaviors/message_subscriptions.h"
#include "engine/behaviors/signal_subscriptions.h"
#include "engine/behaviors/timers.h"
#include "engine/failure.h"

// The kinds of catch events that wait for something outside their process instance (spec: lifecycle
// 7). Each kind is a row of functions. subscriptions.h walks the rows for the events of an element
// instance, start_subscriptions.h for the start events of a process. A new kind is a new row, and
// an alternative of CatchPlan.
//
// Each function takes an event with one definition, or one of the definitions of a multiple event,
// which looks like such an event (bpmn/model.h).
namespace beeline::engine {

// The thing that a catch event waits for, its expressions evaluated.
using CatchPlan = std::variant<AwaitedMessage, PlannedTimer, AwaitedSignal, AwaitedCondition>;

struct CatchKind;

struct PlannedCatch {
  const CatchKind* kind = nullptr;
  const bpmn::Element* event = nullptr;
  CatchPlan plan;
};

// Where start events of a kind are open: a timer must start one instance, not one on each
// partition.
enum class StartsOn : std::uint8_t { DeployingPartition, EveryPartition };

// Why a version takes over the start events of another: it is new, or a newer one is deleted. In
// the latter case a date that has passed does not fire again.
enum class Takeover : std::uint8_t { NewVersion, FormerVersion };

struct CatchKind {
  bool (*is_kind_of)(const bpmn::Element& event);

  // These are for events of an element instance, the host. `before` contains the events of the host
  // that are planned already.
  Result<CatchPlan, Failure> (*plan)(const Step& step, const ElementContext& host,
                                     const bpmn::Element& event,
                                     std::span<const PlannedCatch> before);
  void (*open)(Step& step, const ElementContext& host, const PlannedCatch& planned);
  // Returns the keys of the subscriptions that the host has opened.
  std::vector<Key> (*opened_by)(const EngineState& state, Key host);
  // Returns the id of the event for which a subscription was opened.
  std::string_view (*event_id)(const EngineState& state, Key subscription);
  // Returns the id of its event definition, which is empty unless the event has several.
  std::string_view (*definition_id)(const EngineState& state, Key subscription);
  void (*close)(Step& step, Key subscription);

  // These are for start events of a process definition.
  StartsOn starts_on;
  // Returns no plan if the event will not fire any more.
  Result<std::optional<CatchPlan>, Failure> (*plan_start)(const Step& step,
                                                          const bpmn::Element& event,
                                                          Takeover takeover);
  void (*open_start)(Step& step, const Definition& definition, const PlannedCatch& planned);
  // Returns the keys of the subscriptions of the definition's start events.
  std::vector<Key> (*starts_of)(const EngineState& state, Key definition);
  void (*close_start)(Step& step, Key subscription);
};

// The kinds, in the order in which subscriptions are opened; they are closed in the opposite order.
[[nodiscard]] std::span<const CatchKind> catch_kinds();

}  // namespace beeline::engine
