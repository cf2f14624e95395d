#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beeline::feel {

inline constexpr std::size_t kPatternMax = 4 * 1024;  // bytes of a regular expression

// A regular expression as XPath defines it, run by PCRE2 within a budget of steps. Immutable;
// searching is safe from several threads.
//
// PCRE2's own limit counts anew at every place of the text, and does not tell how much was used. So
// patterns are compiled with a callout before every item: each callout counts what was done since
// the one before, which is how far the search moved, and ends the search when the budget is used
// up. What happens between two callouts is bounded by the pattern: counted repetitions, large
// classes and references back are why a step of one pattern weighs more than that of another.
class Regex {
 public:
  // Strict is XPath alone (dmn); Lenient also takes \b and the like and ignores unknown flags.
  enum class Syntax { Strict, Lenient };

  // Null when the pattern or the flags are not valid. Flags: s m i x. Patterns compiled before are
  // kept per thread.
  [[nodiscard]] static std::shared_ptr<const Regex> compile(std::string_view pattern,
                                                            std::string_view flags, Syntax syntax);

  // What compiling a pattern takes at least, in steps of the budget, whether it is valid or not.
  [[nodiscard]] static std::size_t pattern_steps(std::string_view pattern);
  // What compiling this one takes, the above included; the same when it was kept.
  [[nodiscard]] std::size_t compile_steps() const { return compile_steps_; }

  // Start and end of the match and of its groups, in bytes; a group that took no part is empty.
  using Groups = std::vector<std::pair<std::size_t, std::size_t>>;
  enum class Outcome {
    Found,
    NotFound,
    OutOfSteps,   // the budget is used up
    OutOfMemory,  // too many places to return to
  };
  // Takes what it does from `steps_left`. The text is UTF-8; whoever calls has checked it.
  [[nodiscard]] Outcome search(std::string_view text, std::size_t from, Groups& groups,
                               std::int64_t& steps_left) const;

  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

 private:
  explicit Regex(void* code) : code_(code) {}
  void* code_;  // pcre2_code, owned
  std::size_t compile_steps_ = 0;
  std::size_t weight_ = 1;            // of one step, in steps of the budget
  bool has_back_references_ = false;  // a step may then compare as much as the whole text
};

// A pattern in PCRE2's notation.
struct TranslatedPattern {
  std::string text;
  std::size_t repetitions = 0;  // the largest number in braces
  bool has_back_references = false;
};

// Nothing when the pattern is not XPath's.
[[nodiscard]] std::optional<TranslatedPattern> translate_pattern(std::string_view pattern,
                                                                 bool ignore_space,
                                                                 Regex::Syntax syntax);

// Case mapping of all of Unicode, independent of any locale.
[[nodiscard]] std::string upper_case(std::string_view text);
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace beeline::feel
