#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace beeline::engine {

// "[null,null,...]" with `count` items.
[[nodiscard]] std::string null_list(std::size_t count);

// The JSON list with its item at `place`, counted from 1, replaced. Nothing when it is no list or
// too short.
[[nodiscard]] std::optional<std::string> replace_item(std::string_view list, std::int32_t place,
                                                      std::string_view item);

}  // namespace beeline::engine
