#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/behaviors/element_context.h"
#include "record/document.h"

// Parallel-multiple events (spec: elements/multiple_events 3): an event that waits for all of its
// definitions collects their triggers and fires with the last of them. An event that does not
// interrupt goes on in rounds; triggers that come early wait for the next rounds.
//
// These functions take one of the definitions of such an event; for any other event they do
// nothing.
namespace beeline::engine {

// The triggers that an event keeps for its next rounds, besides those of the round at hand.
inline constexpr std::size_t kFurtherTriggersMax = 100;

// True if the definition belongs to a parallel-multiple event.
[[nodiscard]] bool is_collecting(const ElementContext& host, const bpmn::Element& definition);
// False if the event keeps as many triggers as it may, and this one would be one more.
[[nodiscard]] bool can_collect(const Step& step, const ElementContext& host,
                               const bpmn::Element& definition,
                               const record::DocumentView& variables);
// Keeps a trigger, and closes its subscription if the event interrupts. If it is the last one of a
// round, nothing is kept: returns the variables of the round, a later trigger's before those of an
// earlier one with the same name.
[[nodiscard]] std::optional<record::Document> collect(Step& step, const ElementContext& host,
                                                      const bpmn::Element& definition,
                                                      const record::DocumentView& variables);

// Messages that were refused for want of room. The partition of a message sends it again, unless it
// is this one.
class RefusedMessages {
 public:
  // Call this before a round is taken.
  RefusedMessages(const Step& step, const ElementContext& host, const bpmn::Element& definition);
  // Tries again when the round is gone.
  void correlate_again(Step& step) const;

 private:
  std::vector<SubscriptionKey> subscriptions_;
};

}  // namespace beeline::engine
