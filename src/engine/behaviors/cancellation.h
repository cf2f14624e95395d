#pragma once

#include "engine/step.h"

// The cancellation of transactions (spec: elements/transaction). A transaction whose cancel end
// event is at work accepts only that event and the handlers that it has started.
namespace beeline::engine {

// True if the cancel end event of this instance is at work. A process instance that a client
// cancels is no transaction.
[[nodiscard]] inline bool is_canceling_transaction(const ElementInstanceRow& row) {
  return row.is_canceling && row.flow_scope_key.is_set();
}
// True if the child of a transaction that is being canceled is its cancel end event or one of the
// handlers, which need not be active yet.
[[nodiscard]] bool takes_part_in_cancellation(const Step& step, Key child);
// Returns the transaction whose cancellation ends this scope or event, which is about to be
// terminated; unset if it ends for another reason.
[[nodiscard]] Key canceling_transaction_around(const Step& step, Key instance);

}  // namespace beeline::engine
