#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/scenarios/compensation_models.h"

// Models that the scenarios of transactions share.
namespace beeline::testing {

// A transaction "trip" with these items, the handlers cancel_flight and cancel_hotel of its
// activities "flight" and "hotel", and a path that cancels it when the job "check" is completed.
template <typename... Items>
Path trip_transaction(Items... items) {
  std::vector<Item> inner = undone("flight", "cancel_flight", "cf");
  for (Item& item : undone("hotel", "cancel_hotel", "ch")) inner.push_back(std::move(item));
  (inner.emplace_back(std::move(items)), ...);
  inner.emplace_back(from("fork") >> service_task("check", job("check")) >> end(cancel("abort")));
  return node("bpmn:transaction", "trip", std::move(inner));
}

// Two activities are completed and a third waits beside the check.
inline Path flight_and_hotel() {
  return start("wanted") >> task("flight") >> task("hotel") >> parallel_gateway("fork") >>
         service_task("pay", job("pay")) >> end("paid");
}

// True if a job of this type exists.
inline bool has_job(const World& world, std::string_view type) {
  return std::ranges::any_of(world.records(), [&](const record::OwnedRecord& each) {
    if (each.metadata.value_type != record::ValueType::Job) return false;
    const engine::JobRow* row = world.state().jobs().find(each.metadata.key);
    return row != nullptr && row->type == type;
  });
}

template <typename... Items>
Model travel(Path transaction, Items... items) {
  return process("travel", start() >> std::move(transaction) >> end("booked"),
                 boundary("trip", cancel("refused")) >> end("undone"), std::move(items)...);
}

}  // namespace beeline::testing
