#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beeline::feel {

inline constexpr std::size_t kPatternMax = 4 * 1024;  // bytes of a regular expression

// A regular expression as XPath defines it, run by PCRE2 with limits on every search. Immutable;
// searching is safe from several threads.
class Regex {
 public:
  // Strict is XPath alone (dmn); Lenient also takes \b and the like and ignores unknown flags.
  enum class Syntax { Strict, Lenient };

  // Null when the pattern or the flags are not valid. Flags: s m i x. Patterns compiled before are
  // kept per thread.
  [[nodiscard]] static std::shared_ptr<const Regex> compile(std::string_view pattern,
                                                            std::string_view flags, Syntax syntax);

  // Start and end of the match and of its groups, in bytes; a group that took no part is empty.
  using Groups = std::vector<std::pair<std::size_t, std::size_t>>;
  enum class Outcome { Found, NotFound, LimitExceeded };
  [[nodiscard]] Outcome search(std::string_view text, std::size_t from, Groups& groups) const;

  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

 private:
  explicit Regex(void* code) : code_(code) {}
  void* code_;  // pcre2_code, owned
};

// The pattern in PCRE2's notation; nothing when it is not XPath's.
[[nodiscard]] std::optional<std::string> translate_pattern(std::string_view pattern,
                                                           bool ignore_space, Regex::Syntax syntax);

// Case mapping of all of Unicode, independent of any locale.
[[nodiscard]] std::string upper_case(std::string_view text);
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace beeline::feel
