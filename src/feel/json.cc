#include "feel/json.h"

#include "feel/state.h"
#include "feel/text.h"
#include "feel/utf8.h"

namespace beeline::feel {

namespace {

bool is_json_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Reads JSON text from left to right. Every function returns false on broken input; the reader's
// position is then undefined.
class JsonReader {
 public:
  // With a state, reading is charged to its budget.
  explicit JsonReader(std::string_view text, EvalState* state = nullptr)
      : text_(text), state_(state) {}

  [[nodiscard]] bool read_document(Value& out) {
    skip_space();
    if (!read_value(out, 0)) return false;
    skip_space();
    return at_ == text_.size();
  }

  // Reads an object at the current position and calls `member` with name and text of each member.
  // Returns false if there is no object.
  template <typename Member>
  [[nodiscard]] bool read_members(const Member& member) {
    skip_space();
    if (!take('{')) return false;
    skip_space();
    while (!take('}')) {
      std::string unescaped;
      std::string_view name;
      if (!read_name(unescaped, name) || !take_colon()) return false;
      const std::size_t start = at_;
      if (!skip_value()) return false;
      member(name, text_.substr(start, at_ - start));
      skip_space();
      if (take(',')) {
        skip_space();
      } else if (at_ >= text_.size() || text_[at_] != '}') {
        return false;
      }
    }
    return true;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && is_json_space(text_[at_])) ++at_;
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_colon() {
    skip_space();
    if (!take(':')) return false;
    skip_space();
    return true;
  }

  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void charge(std::size_t steps) {
    if (state_ != nullptr) state_->step(steps);
  }

  bool read_value(Value& out, std::uint32_t depth) {
    if (at_ >= text_.size()) return false;
    charge(2);
    switch (text_[at_]) {
      case '{':
        return read_object(out, depth + 1);
      case '[':
        return read_array(out, depth + 1);
      case '"': {
        std::string text;
        if (!read_string(text)) return false;
        out = Value{std::move(text)};
        return true;
      }
      case 't':
        out = Value{true};
        return take_word("true");
      case 'f':
        out = Value{false};
        return take_word("false");
      case 'n':
        out = Value{};
        return take_word("null");
      default:
        return read_number(out);
    }
  }

  bool read_object(Value& out, std::uint32_t depth) {
    if (depth > kValueDepthMax) return false;
    ++at_;
    std::vector<Entry> entries;
    skip_space();
    if (!take('}')) {
      do {
        skip_space();
        Entry entry;
        if (!read_string(entry.name) || !take_colon() || !read_value(entry.value, depth)) {
          return false;
        }
        entries.push_back(std::move(entry));
        skip_space();
      } while (take(','));
      if (!take('}')) return false;
    }
    if (state_ != nullptr) state_->step_sorting(4 + entries.size());
    out = Value{Context{std::move(entries)}};
    return true;
  }

  bool read_array(Value& out, std::uint32_t depth) {
    if (depth > kValueDepthMax) return false;
    ++at_;
    std::vector<Value> items;
    skip_space();
    if (!take(']')) {
      do {
        skip_space();
        if (!read_value(items.emplace_back(), depth)) return false;
        skip_space();
      } while (take(','));
      if (!take(']')) return false;
    }
    charge(2);
    out = Value{std::move(items)};
    return true;
  }

  bool read_number(Value& out) {
    const std::size_t start = at_;
    take('-');
    if (at_ >= text_.size() || !utf8::is_digit(text_[at_])) return false;
    while (at_ < text_.size() &&
           (utf8::is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == 'e' ||
            text_[at_] == 'E' || text_[at_] == '+' || text_[at_] == '-')) {
      ++at_;
    }
    charge((at_ - start) / 8);
    const std::optional<Decimal> number = Decimal::parse(text_.substr(start, at_ - start));
    if (number) out = Value{*number};
    return number.has_value();
  }

  bool read_string(std::string& out) {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const std::size_t plain = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\') ++at_;
      out.append(text_, plain, at_ - plain);
      charge(1 + (at_ - plain) / 32);
      if (take('"')) return true;
      if (at_ < text_.size() && !read_escape(out)) return false;
    }
    return false;
  }

  // Returns a piece of the text if the name has no escapes.
  bool read_name(std::string& unescaped, std::string_view& name) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\\') ++end;
    if (at_ < text_.size() && text_[at_] == '"' && end < text_.size() && text_[end] == '"') {
      name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return true;
    }
    if (!read_string(unescaped)) return false;
    name = unescaped;
    return true;
  }

  bool read_escape(std::string& out) {
    ++at_;
    if (at_ >= text_.size()) return false;
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = text_[at_++];
    if (const std::size_t found = kLetters.find(letter); found != std::string_view::npos) {
      out.push_back(kMeanings[found]);
      return true;
    }
    char32_t unit = 0;
    if (letter != 'u' || !read_hex(unit)) return false;
    if (unit >= 0xD800 && unit < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      const std::size_t before = at_;
      at_ += 2;
      char32_t low = 0;
      if (!read_hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = before;
      }
    }
    utf8::append(out, unit);
    return true;
  }

  bool read_hex(char32_t& out) {
    if (at_ + 4 > text_.size()) return false;
    out = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      const int digit = utf8::is_digit(c)      ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      out = out << 4 | static_cast<char32_t>(digit);
    }
    return true;
  }

  // Moves after a value without parsing it; brackets inside are only counted.
  bool skip_value() {
    std::size_t open = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return false;
        if (open == 0) return true;
        continue;
      }
      if (open == 0 && (c == ',' || c == '}' || c == ']' || is_json_space(c))) return true;
      if (c == '{' || c == '[') ++open;
      ++at_;
      if ((c == '}' || c == ']') && --open == 0) return true;
    }
    return open == 0;
  }

  bool skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return true;
      }
      if (text_[at_] == '\\') ++at_;
    }
    return false;
  }

  std::string_view text_;
  EvalState* state_;
  std::size_t at_ = 0;
};

// Writes all digits. Whole numbers beyond 64 bits get a fraction, so readers that keep integers in
// 64 bits read them as doubles.
void write_json_number(std::string& out, const Decimal& number) {
  if (const std::optional<std::int64_t> whole = number.to_int64()) {
    out += std::to_string(*whole);
    return;
  }
  const std::string text = number.to_string();
  out += text;
  if (text.find_first_of(".eE") == std::string::npos) out += ".0";
}

}  // namespace

std::optional<Value> parse_json(std::string_view text) {
  Value value;
  if (!JsonReader(text).read_document(value)) return std::nullopt;
  return value;
}

std::optional<Value> parse_json(std::string_view text, EvalState& state) {
  state.step(text.size() / 64);  // the text that is skipped
  Value value;
  if (!JsonReader(text, &state).read_document(value)) return std::nullopt;
  state.check_memory();
  return value;
}

std::optional<std::string_view> find_json_member(std::string_view json, std::string_view name) {
  std::optional<std::string_view> found;
  const bool is_object =
      JsonReader(json).read_members([&](std::string_view each, std::string_view value) {
        if (each == name) found = value;
      });
  return is_object ? found : std::nullopt;
}

bool read_json_members(std::string_view json,
                       const std::function<void(std::string_view, std::string_view)>& member) {
  return JsonReader(json).read_members(member);
}

void write_json_string(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  const auto is_plain = [](char c) {
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    switch (const char c = text[at]) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += "\\u00";
        out.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
        out.push_back(kHex[static_cast<unsigned char>(c) & 15]);
    }
  }
  out.push_back('"');
}

void write_json(std::string& out, const Value& value, Opaque opaque) {
  switch (value.kind()) {
    case Kind::Null:
      out += "null";
      return;
    case Kind::Range:
    case Kind::Function:
      if (opaque == Opaque::AsText) return write_json_string(out, to_text(value));
      out += "null";
      return;
    case Kind::Boolean:
      out += value.boolean() ? "true" : "false";
      return;
    case Kind::Number:
      write_json_number(out, value.number());
      return;
    case Kind::String:
      write_json_string(out, value.string());
      return;
    case Kind::List: {
      out.push_back('[');
      bool first = true;
      for (const Value& item : value.list()) {
        if (!first) out.push_back(',');
        first = false;
        write_json(out, item, opaque);
      }
      out.push_back(']');
      return;
    }
    case Kind::Context: {
      out.push_back('{');
      bool first = true;
      for (const Entry& entry : value.context().entries()) {
        if (!first) out.push_back(',');
        first = false;
        write_json_string(out, entry.name);
        out.push_back(':');
        write_json(out, entry.value, opaque);
      }
      out.push_back('}');
      return;
    }
    case Kind::Date:
      return write_json_string(out, value.date().to_string());
    case Kind::Time:
      return write_json_string(out, value.time().to_string());
    case Kind::DateTime:
      return write_json_string(out, value.date_time().to_iso_string());
    case Kind::YearsMonthsDuration:
      return write_json_string(out, value.years_months().to_string());
    case Kind::DaysTimeDuration:
      return write_json_string(out, value.days_time().to_string());
  }
}

}  // namespace beeline::feel
