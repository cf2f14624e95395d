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
// PCRE2's own limit starts again at every place of the text, and PCRE2 does not report how much was
// used. So patterns are compiled with a callout before every item: each callout counts the work
// since the previous callout, which is the distance that the search moved, and ends the search when
// the budget is used up. The work between two callouts is bounded by the pattern. Counted
// repetitions, large classes and back references make a step of one pattern cost more than a step
// of another.
class Regex {
 public:
  // Strict accepts XPath only (dmn); Lenient also accepts \b and the like and ignores unknown
  // flags.
  enum class Syntax { Strict, Lenient };

  // Returns null if the pattern or the flags are not valid. Flags: s m i x. Compiled patterns are
  // cached per thread.
  [[nodiscard]] static std::shared_ptr<const Regex> compile(std::string_view pattern,
                                                            std::string_view flags, Syntax syntax);

  // Returns the least cost of compiling a pattern, in steps of the budget, whether it is valid or
  // not.
  [[nodiscard]] static std::size_t pattern_steps(std::string_view pattern);
  // Returns the cost of compiling this pattern, including pattern_steps(); it is the same if the
  // pattern was cached.
  [[nodiscard]] std::size_t compile_steps() const { return compile_steps_; }

  // Start and end of the match and of its groups, in bytes; a group that did not match is empty.
  using Groups = std::vector<std::pair<std::size_t, std::size_t>>;
  enum class Outcome {
    Found,
    NotFound,
    OutOfSteps,   // the budget is used up
    OutOfMemory,  // too many places to return to
  };
  // Subtracts its cost from `steps_left`. The text must be valid UTF-8; the caller has checked it.
  [[nodiscard]] Outcome search(std::string_view text, std::size_t from, Groups& groups,
                               std::int64_t& steps_left) const;

  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

 private:
  explicit Regex(void* code) : code_(code) {}
  void* code_;  // pcre2_code, owned
  std::size_t compile_steps_ = 0;
  std::size_t weight_ = 1;            // cost of one step of this pattern, in steps of the budget
  bool has_back_references_ = false;  // a step may then compare as much as the whole text
};

// A pattern in PCRE2's notation.
struct TranslatedPattern {
  std::string text;
  std::size_t repetitions = 0;  // the largest number in braces
  bool has_back_references = false;
};

// Returns nothing if the pattern is not valid in XPath.
[[nodiscard]] std::optional<TranslatedPattern> translate_pattern(std::string_view pattern,
                                                                 bool ignore_space,
                                                                 Regex::Syntax syntax);

// Case mapping of all of Unicode, independent of any locale.
[[nodiscard]] std::string upper_case(std::string_view text);
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace beeline::feel
