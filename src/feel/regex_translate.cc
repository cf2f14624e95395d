#include <algorithm>
#include <array>

#include "feel/regex.h"

// Translates XPath's regular expressions to PCRE2's: class subtraction, blocks, \i and \c. It
// refuses everything that only PCRE2 knows.
namespace beeline::feel {

namespace {

struct Block {
  std::string_view name;
  std::string_view range;  // inside a character class
};
constexpr std::array<Block, 42> kBlocks = {{
    {"BasicLatin", "\\x{0}-\\x{7F}"},
    {"Latin-1Supplement", "\\x{80}-\\x{FF}"},
    {"LatinExtended-A", "\\x{100}-\\x{17F}"},
    {"LatinExtended-B", "\\x{180}-\\x{24F}"},
    {"IPAExtensions", "\\x{250}-\\x{2AF}"},
    {"SpacingModifierLetters", "\\x{2B0}-\\x{2FF}"},
    {"CombiningDiacriticalMarks", "\\x{300}-\\x{36F}"},
    {"Greek", "\\x{370}-\\x{3FF}"},
    {"GreekandCoptic", "\\x{370}-\\x{3FF}"},
    {"Cyrillic", "\\x{400}-\\x{4FF}"},
    {"Armenian", "\\x{530}-\\x{58F}"},
    {"Hebrew", "\\x{590}-\\x{5FF}"},
    {"Arabic", "\\x{600}-\\x{6FF}"},
    {"Devanagari", "\\x{900}-\\x{97F}"},
    {"Bengali", "\\x{980}-\\x{9FF}"},
    {"Tamil", "\\x{B80}-\\x{BFF}"},
    {"Thai", "\\x{E00}-\\x{E7F}"},
    {"Georgian", "\\x{10A0}-\\x{10FF}"},
    {"HangulJamo", "\\x{1100}-\\x{11FF}"},
    {"LatinExtendedAdditional", "\\x{1E00}-\\x{1EFF}"},
    {"GreekExtended", "\\x{1F00}-\\x{1FFF}"},
    {"GeneralPunctuation", "\\x{2000}-\\x{206F}"},
    {"SuperscriptsandSubscripts", "\\x{2070}-\\x{209F}"},
    {"CurrencySymbols", "\\x{20A0}-\\x{20CF}"},
    {"LetterlikeSymbols", "\\x{2100}-\\x{214F}"},
    {"NumberForms", "\\x{2150}-\\x{218F}"},
    {"Arrows", "\\x{2190}-\\x{21FF}"},
    {"MathematicalOperators", "\\x{2200}-\\x{22FF}"},
    {"MiscellaneousTechnical", "\\x{2300}-\\x{23FF}"},
    {"BoxDrawing", "\\x{2500}-\\x{257F}"},
    {"BlockElements", "\\x{2580}-\\x{259F}"},
    {"GeometricShapes", "\\x{25A0}-\\x{25FF}"},
    {"MiscellaneousSymbols", "\\x{2600}-\\x{26FF}"},
    {"Dingbats", "\\x{2700}-\\x{27BF}"},
    {"CJKSymbolsandPunctuation", "\\x{3000}-\\x{303F}"},
    {"Hiragana", "\\x{3040}-\\x{309F}"},
    {"Katakana", "\\x{30A0}-\\x{30FF}"},
    {"CJKUnifiedIdeographs", "\\x{4E00}-\\x{9FFF}"},
    {"HangulSyllables", "\\x{AC00}-\\x{D7A3}"},
    {"AlphabeticPresentationForms", "\\x{FB00}-\\x{FB4F}"},
    {"HalfwidthandFullwidthForms", "\\x{FF00}-\\x{FFEF}"},
    {"Emoticons", "\\x{1F600}-\\x{1F64F}"},
}};

constexpr std::string_view kNameStart = "\\p{L}_:";
constexpr std::string_view kNamePart = "\\p{L}\\p{N}\\p{M}_:.\\x{B7}\\-";

// Thrown at the first construct that XPath does not allow.
struct BadPattern {};

class Translator {
 public:
  Translator(std::string_view pattern, bool ignore_space, Regex::Syntax syntax)
      : pattern_(ignore_space ? without_space(pattern) : std::string(pattern)), syntax_(syntax) {}

  TranslatedPattern run() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\\') {
        out_ += read_escape(false);
      } else if (c == '[') {
        out_ += read_class();
      } else if (c == '(') {
        open_group();
      } else if (c == ')') {
        if (--open_ < 0) throw BadPattern{};
        close_group();
      } else if (c == '*' || c == '+' || c == '?' || c == '{') {
        read_quantifier();
      } else {
        if (c == ']' || c == '}') throw BadPattern{};
        out_.push_back(c);
        ++at_;
      }
    }
    if (open_ != 0) throw BadPattern{};
    return {std::move(out_), repetitions_, has_back_references_};
  }

 private:
  // Flag x: removes white space except between brackets.
  static std::string without_space(std::string_view pattern) {
    std::string kept;
    int brackets = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const char c = pattern[i];
      const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (space && brackets == 0) continue;
      // Escapes are joined too: "\ s" is "\s".
      const bool escaped = kept.ends_with('\\') && !kept.ends_with("\\\\");
      if (c == '[' && !escaped) ++brackets;
      if (c == ']' && !escaped) --brackets;
      kept.push_back(c);
    }
    return kept;
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }

  void open_group() {
    ++at_;
    ++open_;
    if (peek() == '?') {
      if (peek(1) != ':') throw BadPattern{};
      at_ += 2;
      out_ += "(?:";
      kinds_.push_back(0);
    } else {
      if (peek() == '*') throw BadPattern{};  // (*VERB) belongs to PCRE2
      out_ += "(";
      kinds_.push_back(++groups_);
    }
  }

  void close_group() {
    ++at_;
    if (kinds_.back() != 0) closed_ = std::max(closed_, kinds_.back());
    kinds_.pop_back();
    out_.push_back(')');
  }

  void read_quantifier() {
    if (out_.empty() || out_.back() == '(' || (out_.back() == '|' && !escaped_last())) {
      throw BadPattern{};
    }
    if (peek() == '{') {
      const std::size_t end = pattern_.find('}', at_);
      if (end == std::string::npos) throw BadPattern{};
      const std::string_view inside(pattern_.data() + at_ + 1, end - at_ - 1);
      if (inside.empty() || inside.find_first_not_of("0123456789,") != std::string_view::npos ||
          inside.front() == ',') {
        throw BadPattern{};
      }
      note_repetitions(inside);
      out_.append(pattern_, at_, end + 1 - at_);
      at_ = end + 1;
    } else {
      out_.push_back(pattern_[at_++]);
    }
    if (peek() == '?') out_.push_back(pattern_[at_++]);
    const char next = peek();
    if (next == '*' || next == '+' || next == '?' || next == '{') throw BadPattern{};
  }

  // PCRE2 refuses numbers that are larger than those counted here.
  void note_repetitions(std::string_view numbers) {
    std::size_t number = 0;
    for (const char c : numbers) {
      number = c == ',' ? 0
                        : std::min<std::size_t>(number * 10 + static_cast<std::size_t>(c - '0'),
                                                100'000);
      repetitions_ = std::max(repetitions_, number);
    }
  }

  [[nodiscard]] bool escaped_last() const {
    return out_.size() >= 2 && out_[out_.size() - 2] == '\\';
  }

  // Reads an escape, outside or inside a class, and returns its form in PCRE2.
  std::string read_escape(bool in_class) {
    ++at_;
    if (at_ >= pattern_.size()) throw BadPattern{};
    const char c = pattern_[at_++];
    const auto wrapped = [in_class](std::string_view set, bool negated) {
      std::string text(set);
      if (in_class && !negated) return text;
      return (negated ? "[^" : "[") + text + "]";
    };
    switch (c) {
      case 'i':
        return wrapped(kNameStart, false);
      case 'c':
        return wrapped(kNamePart, false);
      case 'I':
        if (in_class) throw BadPattern{};
        return wrapped(kNameStart, true);
      case 'C':
        if (in_class) throw BadPattern{};
        return wrapped(kNamePart, true);
      case 'p':
      case 'P':
        return read_property(c == 'P', in_class);
      default:
        break;
    }
    if (c >= '0' && c <= '9') return read_back_reference(c, in_class);
    constexpr std::string_view kAllowed = "nrt\\|.?*+(){}-[]^$sSdDwW";
    if (kAllowed.find(c) != std::string_view::npos) return {'\\', c};
    constexpr std::string_view kTolerated = "bBAzZhHvVRafe/\"'#@!%&=<>:;,~_ ";
    if (syntax_ == Regex::Syntax::Lenient && kTolerated.find(c) != std::string_view::npos) {
      return {'\\', c};
    }
    throw BadPattern{};
  }

  // Uses only as many digits as there are groups to refer to: \12 with one group is \1 and a 2.
  std::string read_back_reference(char first, bool in_class) {
    if (in_class || first == '0') throw BadPattern{};
    int number = first - '0';
    while (peek() >= '0' && peek() <= '9' && number * 10 + (peek() - '0') <= closed_) {
      number = number * 10 + (pattern_[at_++] - '0');
    }
    if (number > closed_) throw BadPattern{};
    has_back_references_ = true;
    return "\\g{" + std::to_string(number) + "}";
  }

  std::string read_property(bool negated, bool in_class) {
    if (peek() != '{') throw BadPattern{};
    const std::size_t end = pattern_.find('}', at_);
    if (end == std::string::npos) throw BadPattern{};
    std::string name = pattern_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (!name.starts_with("Is")) return (negated ? "\\P{" : "\\p{") + name + "}";
    name.erase(0, 2);
    for (const Block& block : kBlocks) {
      if (block.name != name) continue;
      if (in_class) {
        if (negated) throw BadPattern{};
        return std::string(block.range);
      }
      return (negated ? "[^" : "[") + std::string(block.range) + "]";
    }
    throw BadPattern{};
  }

  // Reads a class at `[`. A subtraction becomes a look-ahead: [a-z-[aeiou]] is
  // (?:(?![aeiou])[a-z]).
  std::string read_class() {
    constexpr int kNestingMax = 20;
    if (++class_depth_ > kNestingMax) throw BadPattern{};
    ++at_;
    std::string text = "[";
    if (peek() == '^') {
      text.push_back('^');
      ++at_;
    }
    std::string subtracted;
    const std::size_t start = text.size();
    while (true) {
      if (at_ >= pattern_.size()) throw BadPattern{};
      const char c = pattern_[at_];
      if (c == ']') break;
      if (c == '\\') {
        text += read_escape(true);
      } else if (c == '-' && peek(1) == '[') {
        ++at_;
        subtracted = read_class();
        if (peek() != ']') throw BadPattern{};
      } else if (c == '[') {
        if (syntax_ == Regex::Syntax::Strict) throw BadPattern{};
        text += "\\[";
        ++at_;
      } else {
        text.push_back(c);
        ++at_;
      }
    }
    ++at_;
    --class_depth_;
    if (text.size() == start) throw BadPattern{};  // an empty class
    text.push_back(']');
    return subtracted.empty() ? text : "(?:(?!" + subtracted + ")" + text + ")";
  }

  std::string pattern_;
  Regex::Syntax syntax_;
  std::string out_;
  std::size_t at_ = 0;
  int open_ = 0;
  int groups_ = 0;
  int closed_ = 0;  // groups that a back reference may name
  int class_depth_ = 0;
  std::size_t repetitions_ = 0;
  bool has_back_references_ = false;
  std::vector<int> kinds_;  // numbers of the open groups; 0 for groups that do not capture
};

}  // namespace

std::optional<TranslatedPattern> translate_pattern(std::string_view pattern, bool ignore_space,
                                                   Regex::Syntax syntax) {
  try {
    return Translator(pattern, ignore_space, syntax).run();
  } catch (const BadPattern&) {
    return std::nullopt;
  }
}

}  // namespace beeline::feel
