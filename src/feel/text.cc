#include "feel/text.h"

#include "feel/json.h"
#include "feel/utf8.h"

namespace beeline::feel {

namespace {

void append_text(std::string& out, const Value& value);

// Quotes keys that could not be read back without quotes.
void append_key(std::string& out, std::string_view key) {
  bool plain = !key.empty();
  for (std::size_t at = 0; plain && at < key.size();) {
    const bool first = at == 0;
    const char32_t c = utf8::next(key, at);
    plain = first ? utf8::is_name_start(c)
                  : utf8::is_name_part(c) ||
                        (c < 0x80 && std::string_view(" ./-'+*").find(static_cast<char>(c)) !=
                                         std::string_view::npos);
  }
  if (plain) {
    out += key;
  } else {
    write_json_string(out, key);
  }
}

void append_range(std::string& out, const Range& range) {
  if (range.form == Range::Form::Unequal) {
    out += "!= ";
    return append_text(out, range.start);
  }
  if (range.form == Range::Form::Comparison) {
    const bool has_start = !range.start.is_null();
    const bool has_end = !range.end.is_null();
    if (has_start && has_end) {
      out += "= ";
    } else if (has_start) {
      out += range.start_included ? ">= " : "> ";
    } else {
      out += range.end_included ? "<= " : "< ";
    }
    return append_text(out, has_start ? range.start : range.end);
  }
  out.push_back(range.start_included ? '[' : '(');
  append_text(out, range.start);
  out += "..";
  append_text(out, range.end);
  out.push_back(range.end_included ? ']' : ')');
}

void append_text(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::Null:
      out += "null";
      return;
    case Kind::Boolean:
      out += value.boolean() ? "true" : "false";
      return;
    case Kind::Number:
      out += value.number().to_string();
      return;
    case Kind::String:
      write_json_string(out, value.string());
      return;
    case Kind::List: {
      std::string_view separator = "[";
      for (const Value& item : value.list()) {
        out += separator;
        append_text(out, item);
        separator = ", ";
      }
      out += value.list().empty() ? "[]" : "]";
      return;
    }
    case Kind::Context: {
      std::string_view separator = "{";
      for (const Entry& entry : value.context().entries()) {
        out += separator;
        append_key(out, entry.name);
        out += ": ";
        append_text(out, entry.value);
        separator = ", ";
      }
      out += value.context().entries().empty() ? "{}" : "}";
      return;
    }
    case Kind::Date:
      out += value.date().to_string();
      return;
    case Kind::Time:
      out += value.time().to_string();
      return;
    case Kind::DateTime:
      out += value.date_time().to_string();
      return;
    case Kind::YearsMonthsDuration:
      out += value.years_months().to_string();
      return;
    case Kind::DaysTimeDuration:
      out += value.days_time().to_string();
      return;
    case Kind::Range:
      append_range(out, value.range());
      return;
    case Kind::Function: {
      out += "function(";
      std::string_view separator;
      for (const std::string& parameter : value.function().parameters) {
        out += separator;
        out += parameter;
        separator = ", ";
      }
      out += ")";
      return;
    }
  }
}

}  // namespace

std::string to_text(const Value& value) {
  if (value.is(Kind::String)) return value.string();
  std::string out;
  append_text(out, value);
  return out;
}

std::string describe(const Value& value) {
  constexpr std::size_t kCharactersMax = 30;
  const auto sized = [&](std::size_t size, const char* part) {
    return std::string(kind_name(value.kind())) + " of " + std::to_string(size) + " " + part;
  };
  switch (value.kind()) {
    case Kind::Null:
      return "null";
    case Kind::Function:
      return "a function";
    case Kind::List:
      return sized(value.list().size(), "items");
    case Kind::Context:
      return sized(value.context().entries().size(), "entries");
    case Kind::String: {
      const std::string_view text = value.string();
      const std::size_t end = utf8::offset_of(text, kCharactersMax);
      std::string out = "string ";
      write_json_string(out, text.substr(0, end));
      return end < text.size() ? out + "..." : out;
    }
    case Kind::Range:  // bounds may be long strings
      return "range from " + describe(value.range().start) + " to " + describe(value.range().end);
    case Kind::Boolean:
    case Kind::Number:
    case Kind::Date:
    case Kind::Time:
    case Kind::DateTime:
    case Kind::YearsMonthsDuration:
    case Kind::DaysTimeDuration:
      break;
  }
  return std::string(kind_name(value.kind())) + " " + to_text(value);
}

std::optional<Value> parse_temporal(std::string_view text, TextForms forms) {
  if (const auto date = Date::parse(text)) return Value{*date};
  if (const auto date_time = DateTime::parse(text, forms)) return Value{*date_time};
  if (const auto time = Time::parse(text, forms)) return Value{*time};
  if (const auto months = YearsMonthsDuration::parse(text)) return Value{*months};
  if (const auto days = DaysTimeDuration::parse(text)) return Value{*days};
  return std::nullopt;
}

}  // namespace beeline::feel
