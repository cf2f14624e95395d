#pragma once

#include <fmt/format.h>

#include <string_view>

namespace beeline::log {

// Writes one line per event: a sentence, then the details as key=value. Variable values never
// appear at info or above, because they are the users' data.
enum class Level { Debug, Info, Warn, Error };

void set_level(Level level);
// Switches to JSON lines instead of text.
void set_json(bool json);
void write(Level level, std::string_view message);

template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::Debug, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::Info, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::Warn, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::Error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace beeline::log
