#include "feel/value.h"

#include <algorithm>
#include <numeric>

#include "feel/check.h"

namespace beeline::feel {

namespace {

constexpr std::uint64_t kScalarSize = 16;
constexpr std::uint64_t kLongNumberSize = 48;
constexpr std::uint64_t kTemporalSize =
    192;  // writing one takes as long as writing so many bytes of text
constexpr std::uint64_t kEntrySize = 64;      // so does looking for its name
constexpr std::size_t kEntriesUnsorted = 12;  // below this a linear search is faster

// Constant-initialised, so reading it needs no guard.
constinit thread_local std::int64_t live_bytes = 0;

// Counts `bytes` as live during its lifetime.
struct Counted {
  explicit Counted(std::size_t bytes) : size(static_cast<std::int64_t>(bytes)) {
    live_bytes += size;
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { live_bytes -= size; }
  std::int64_t size;
};

struct CountedString {
  explicit CountedString(std::string value)
      : text(std::move(value)), counted(sizeof(CountedString) + text.capacity()) {}
  std::string text;
  Counted counted;
};

std::shared_ptr<const std::string> share_string(std::string text) {
  auto holder = std::make_shared<const CountedString>(std::move(text));
  const std::string* inner = &holder->text;
  return {std::move(holder), inner};
}

struct CountedContext {
  explicit CountedContext(Context value)
      : context(std::move(value)),
        counted(sizeof(CountedContext) + context.entries().capacity() * sizeof(Entry)) {}
  Context context;
  Counted counted;
};

std::shared_ptr<const Context> share_context(Context context) {
  auto holder = std::make_shared<const CountedContext>(std::move(context));
  const Context* inner = &holder->context;
  return {std::move(holder), inner};
}

}  // namespace

class List {
 public:
  explicit List(std::vector<Value> values)
      : items(std::move(values)), counted(sizeof(List) + items.capacity() * sizeof(Value)) {
    for (const Value& item : items) {
      depth = std::max(depth, item.depth() + 1);
      full_size += item.full_size();
    }
  }
  std::vector<Value> items;
  std::uint32_t depth = 1;
  std::uint64_t full_size = kScalarSize;
  Counted counted;
};

std::int64_t live_value_bytes() {
  return live_bytes;
}

Value::Value() = default;
Value::Value(bool value) : data_(value) {}
Value::Value(Decimal value) : data_(value) {}
Value::Value(std::string text) : data_(share_string(std::move(text))) {}
Value::Value(const char* text) : Value(std::string(text)) {}
Value::Value(Date value) : data_(value) {}
Value::Value(Time value) : data_(value) {}
Value::Value(DateTime value) : data_(value) {}
Value::Value(YearsMonthsDuration value) : data_(value) {}
Value::Value(DaysTimeDuration value) : data_(value) {}
Value::Value(std::vector<Value> items)
    : data_(std::shared_ptr<const List>(std::make_shared<const List>(std::move(items)))) {}
Value::Value(Context context) : data_(share_context(std::move(context))) {}
Value::Value(Range range)
    : data_(std::shared_ptr<const Range>(std::make_shared<const Range>(std::move(range)))) {}
Value::Value(Function function)
    : data_(
          std::shared_ptr<const Function>(std::make_shared<const Function>(std::move(function)))) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

namespace {

template <typename T, typename Data>
const T& checked(const Data& data) {
  const T* found = std::get_if<T>(&data);
  check(found != nullptr, "the value is of another kind");
  return *found;
}

}  // namespace

bool Value::boolean() const {
  return checked<bool>(data_);
}
const Decimal& Value::number() const {
  return checked<Decimal>(data_);
}
const std::string& Value::string() const {
  return *checked<std::shared_ptr<const std::string>>(data_);
}
const std::vector<Value>& Value::list() const {
  return checked<std::shared_ptr<const List>>(data_)->items;
}
const Context& Value::context() const {
  return *checked<std::shared_ptr<const Context>>(data_);
}
const Date& Value::date() const {
  return checked<Date>(data_);
}
const Time& Value::time() const {
  return checked<Time>(data_);
}
const DateTime& Value::date_time() const {
  return checked<DateTime>(data_);
}
const YearsMonthsDuration& Value::years_months() const {
  return checked<YearsMonthsDuration>(data_);
}
const DaysTimeDuration& Value::days_time() const {
  return checked<DaysTimeDuration>(data_);
}
const Range& Value::range() const {
  return *checked<std::shared_ptr<const Range>>(data_);
}
const Function& Value::function() const {
  return *checked<std::shared_ptr<const Function>>(data_);
}

std::uint32_t Value::depth() const {
  if (const auto* list = std::get_if<std::shared_ptr<const List>>(&data_)) return (*list)->depth;
  if (const auto* context = std::get_if<std::shared_ptr<const Context>>(&data_)) {
    return (*context)->depth();
  }
  if (const auto* function = std::get_if<std::shared_ptr<const Function>>(&data_)) {
    return (*function)->depth;
  }
  return 0;
}

std::uint64_t Value::full_size() const {
  if (const auto* text = std::get_if<std::shared_ptr<const std::string>>(&data_)) {
    return kScalarSize + (*text)->size();
  }
  if (const auto* list = std::get_if<std::shared_ptr<const List>>(&data_)) {
    return (*list)->full_size;
  }
  if (const auto* context = std::get_if<std::shared_ptr<const Context>>(&data_)) {
    return kScalarSize + (*context)->full_size();
  }
  if (const auto* range = std::get_if<std::shared_ptr<const Range>>(&data_)) {
    return kScalarSize + (*range)->start.full_size() + (*range)->end.full_size();
  }
  if (const auto* number = std::get_if<Decimal>(&data_)) {
    return number->small_integer() ? kScalarSize : kLongNumberSize;
  }
  const bool is_temporal = is(Kind::Date) || is(Kind::Time) || is(Kind::DateTime) ||
                           is(Kind::YearsMonthsDuration) || is(Kind::DaysTimeDuration);
  return is_temporal ? kTemporalSize : kScalarSize;
}

const Value* Value::find(std::string_view name) const {
  const auto* context = std::get_if<std::shared_ptr<const Context>>(&data_);
  return context != nullptr ? (*context)->find(name) : nullptr;
}

Context::Context() = default;
Context::Context(const Context&) = default;
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Context::Context(std::vector<Entry> entries) : entries_(std::move(entries)) {
  if (entries_.size() < kEntriesUnsorted) {
    for (std::size_t i = 1; i < entries_.size();) {
      const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto earlier = std::find_if(
          entries_.begin(), end, [&](const Entry& entry) { return entry.name == end->name; });
      if (earlier == end) {
        ++i;
        continue;
      }
      earlier->value = std::move(end->value);
      entries_.erase(end);
    }
  } else {
    sorted_.resize(entries_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0U);
    std::stable_sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return entries_[a].name < entries_[b].name;
    });
    std::vector<bool> dropped(entries_.size());
    bool any_dropped = false;
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      Entry& earlier = entries_[sorted_[i - 1]];
      Entry& later = entries_[sorted_[i]];
      if (earlier.name != later.name) continue;
      earlier.value = std::move(later.value);
      dropped[sorted_[i]] = any_dropped = true;
      sorted_[i] = sorted_[i - 1];
    }
    if (any_dropped) {
      std::vector<Entry> kept;
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (!dropped[i]) kept.push_back(std::move(entries_[i]));
      }
      *this = Context(std::move(kept));
      return;
    }
  }
  for (const Entry& entry : entries_) {
    depth_ = std::max(depth_, entry.value.depth() + 1);
    full_size_ += kEntrySize + entry.name.size() + entry.value.full_size();
  }
}

std::size_t Context::index_of(std::string_view name) const {
  if (!sorted_.empty()) {
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), name,
                                        [&](std::uint32_t index, std::string_view wanted) {
                                          return entries_[index].name < wanted;
                                        });
    return found != sorted_.end() && entries_[*found].name == name ? *found : entries_.size();
  }
  std::size_t index = 0;
  while (index < entries_.size() && entries_[index].name != name) ++index;
  return index;
}

const Value* Context::find(std::string_view name) const {
  const std::size_t index = index_of(name);
  return index < entries_.size() ? &entries_[index].value : nullptr;
}

}  // namespace beeline::feel
