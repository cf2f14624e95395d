#include <algorithm>

#include "feel/builtins.h"

// Contexts: reading, changing, merging.
namespace beeline::feel {

namespace {

Value with_entry(EvalState& state, const Context& context, const std::string& key, Value value) {
  state.step(context.full_size() / 32);  // the names are copied
  state.step_sorting(context.entries().size());
  std::vector<Entry> entries = context.entries();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == key; });
  if (found == entries.end()) {
    entries.push_back({key, std::move(value)});
  } else {
    found->value = std::move(value);
  }
  return Value{Context{std::move(entries)}};
}

Value get_value(const BuiltinCall& call) {
  const Value* found = call[0].find(call[1].string());
  return found != nullptr ? *found : Value{};
}

Value get_value_at_path(const BuiltinCall& call) {
  if (call[1].list().empty()) return {};
  Value at = call[0];
  for (const Value& key : call[1].list()) {
    call.state().step(2);
    const Value* found = key.is(Kind::String) ? at.find(key.string()) : nullptr;
    if (found == nullptr) return {};
    at = Value{*found};
  }
  return at;
}

Value get_entries(const BuiltinCall& call) {
  std::vector<Value> entries;
  for (const Entry& entry : call[0].context().entries()) {
    call.state().step(8 + entry.name.size() / 128);
    entries.emplace_back(Context{{{"key", Value{entry.name}}, {"value", entry.value}}});
  }
  return Value{std::move(entries)};
}

Value put(const BuiltinCall& call) {
  return with_entry(call.state(), call[0].context(), call[1].string(), call[2]);
}

Value put_at_path(const BuiltinCall& call) {
  const std::vector<Value>& keys = call[1].list();
  const bool all_strings =
      std::all_of(keys.begin(), keys.end(), [](const Value& key) { return key.is(Kind::String); });
  if (keys.empty() || !all_strings) return call.refuse("The path must consist of strings");
  call.state().check_list_size(keys.size());
  if (keys.size() > kValueDepthMax) return call.refuse("The path is too long");
  // The contexts on the way down, to be rebuilt on the way up.
  std::vector<Value> passed{call[0]};
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const Value* next = passed.back().find(keys[i].string());
    if (next != nullptr && next->is(Kind::Context)) {
      passed.push_back(*next);
    } else if (call.is_dmn()) {
      return call.refuse("The path does not lead through contexts");
    } else {
      passed.emplace_back(Context{});
    }
  }
  Value value = call[2];
  for (std::size_t i = keys.size(); i-- > 0;) {
    value = with_entry(call.state(), passed[i].context(), keys[i].string(), std::move(value));
    if (value.depth() > kValueDepthMax) return call.refuse("The context is nested too deeply");
  }
  return value;
}

Value merge(const BuiltinCall& call) {
  std::vector<Entry> entries;
  for (const Value& context : call[0].list()) {
    if (!context.is(Kind::Context)) return call.refuse("Only contexts can be merged");
    call.state().step(context.context().full_size() / 32);
    call.state().step_copying(4 * context.context().entries().size());
    const auto& added = context.context().entries();
    entries.insert(entries.end(), added.begin(), added.end());
  }
  call.state().step_sorting(entries.size());
  return Value{Context{std::move(entries)}};
}

constexpr BuiltinRow kContextRows[] = {
    {"get value(m|context:c, key:s)", &get_value},
    {"get value(context|m:c, keys:l)", &get_value_at_path, kExtension},
    {"get entries(m|context:c)", &get_entries},
    {"context put(context:c, key:s, value:a)", &put},
    {"context put(context:c, keys:l, value:a)", &put_at_path},
    {"put(context:c, key:s, value:a)", &put, kExtension},
    {"context merge(contexts...:l)", &merge},
    {"put all(contexts...:l)", &merge, kExtension},
};

}  // namespace

std::span<const BuiltinRow> context_builtins() {
  return kContextRows;
}

}  // namespace beeline::feel
