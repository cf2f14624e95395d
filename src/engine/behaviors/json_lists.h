#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace beeline::engine {

// Returns "[null,null,...]" with `count` items.
[[nodiscard]] std::string null_list(std::size_t count);

[[nodiscard]] bool is_list(std::string_view json);

// Returns the list with at least `count` items. Each of the first `count` places has the value that
// `find` returns for it, counted from 1, otherwise the value in `list`, otherwise null. A text that
// is not a list counts as an empty list.
[[nodiscard]] std::string with_items(
    std::string_view list, std::size_t count,
    const std::function<const std::string*(std::size_t place)>& find);

}  // namespace beeline::engine
