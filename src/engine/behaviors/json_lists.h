#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace beeline::engine {

// "[null,null,...]" with `count` items.
[[nodiscard]] std::string null_list(std::size_t count);

[[nodiscard]] bool is_list(std::string_view json);

// The list with at least `count` items: in each of the first `count` places what `find` gives for
// it, counted from 1, else what `list` has there, else null. Taken for an empty list when it is
// none.
[[nodiscard]] std::string with_items(
    std::string_view list, std::size_t count,
    const std::function<const std::string*(std::size_t place)>& find);

}  // namespace beeline::engine
