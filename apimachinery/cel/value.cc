#include "apimachinery/cel/value.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/internal/key.h"

namespace kube::cel {
namespace {

class VectorList final : public ListValue {
 public:
  explicit VectorList(std::vector<Value> elements) : elements_(std::move(elements)) {}

  size_t size() const override { return elements_.size(); }
  Value At(size_t index) const override { return elements_[index]; }

 private:
  const std::vector<Value> elements_;
};

// Keys are iterated in the order in which they were set first.
class EntriesMap final : public MapValue {
 public:
  EntriesMap(std::vector<std::pair<Value, Value>> entries,
             absl::flat_hash_map<std::string, size_t> index)
      : entries_(std::move(entries)), index_(std::move(index)) {}

  size_t size() const override { return entries_.size(); }
  std::optional<Value> Find(const Value& key) const override {
    const std::optional<std::string> text = internal::KeyText(key);
    if (!text.has_value()) return std::nullopt;
    const auto found = index_.find(*text);
    if (found == index_.end()) return std::nullopt;
    return entries_[found->second].second;
  }
  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    keys.reserve(entries_.size());
    for (const auto& [key, value] : entries_) keys.push_back(key);
    return keys;
  }

 private:
  const std::vector<std::pair<Value, Value>> entries_;
  const absl::flat_hash_map<std::string, size_t> index_;
};

const TypePtr& DynList() {
  static base::NoDestructor<const TypePtr> type(ListType(DynType()));
  return *type;
}

const TypePtr& DynMap() {
  static base::NoDestructor<const TypePtr> type(MapType(DynType(), DynType()));
  return *type;
}

const TypePtr& DynOptional() {
  static base::NoDestructor<const TypePtr> type(OptionalType(DynType()));
  return *type;
}

const TypePtr& AnyTypeType() {
  static base::NoDestructor<const TypePtr> type(TypeOfType(DynType()));
  return *type;
}

}  // namespace

Value Value::FromString(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  const absl::string_view view = *owner;
  return Value(Rep(StringRep{std::move(owner), view}));
}

Value Value::FromBytes(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  const absl::string_view view = *owner;
  return Value(Rep(BytesRep{std::move(owner), view}));
}

Value Value::FromView(absl::string_view text) { return Value(Rep(StringRep{nullptr, text})); }

Value Value::FromPart(const Value& text, size_t offset, size_t size) {
  const StringRep& whole = *std::get_if<StringRep>(&text.rep_);
  return Value(Rep(StringRep{whole.owner, whole.view.substr(offset, size)}));
}

Value Value::FromList(std::vector<Value> elements) {
  return FromList(std::make_shared<const VectorList>(std::move(elements)));
}

Value Value::Optional(Value value) {
  return Value(Rep(OptionalRep{std::make_shared<const Value>(std::move(value))}));
}

Value Value::Error(std::string message) {
  return Value(Rep(ErrorRep{std::make_shared<const std::string>(std::move(message))}));
}

TypePtr Value::type() const {
  switch (kind()) {
    case ValueKind::kNull:
      return NullType();
    case ValueKind::kBool:
      return BoolType();
    case ValueKind::kInt:
      return IntType();
    case ValueKind::kUint:
      return UintType();
    case ValueKind::kDouble:
      return DoubleType();
    case ValueKind::kString:
      return StringType();
    case ValueKind::kBytes:
      return BytesType();
    case ValueKind::kDuration:
      return DurationType();
    case ValueKind::kTimestamp:
      return TimestampType();
    case ValueKind::kList:
      return DynList();
    case ValueKind::kMap:
      return DynMap();
    case ValueKind::kType:
      return AnyTypeType();
    case ValueKind::kOptional:
      return DynOptional();
    case ValueKind::kOpaque:
      return opaque().type();
    case ValueKind::kError:
      break;
  }
  return ErrorType();
}

const std::vector<std::string>& ListValue::keys() const {
  static base::NoDestructor<const std::vector<std::string>> none;
  return *none;
}

bool MapBuilder::Set(const Value& key, Value value) {
  std::optional<std::string> text = internal::KeyText(key);
  if (!text.has_value()) return false;
  const auto [place, is_new] = index_.try_emplace(*std::move(text), entries_.size());
  if (is_new) {
    entries_.emplace_back(key, std::move(value));
  } else {
    entries_[place->second].second = std::move(value);
  }
  return true;
}

void MapBuilder::Erase(const Value& key) {
  const std::optional<std::string> text = internal::KeyText(key);
  const auto found = text.has_value() ? index_.find(*text) : index_.end();
  if (found == index_.end()) return;
  const size_t place = found->second;
  index_.erase(found);
  entries_.erase(entries_.begin() + static_cast<ptrdiff_t>(place));
  for (auto& [name, other] : index_) {
    if (other > place) --other;
  }
}

bool MapBuilder::Contains(const Value& key) const {
  const std::optional<std::string> text = internal::KeyText(key);
  return text.has_value() && index_.contains(*text);
}

Value MapBuilder::Build() {
  auto map = std::make_shared<const EntriesMap>(std::move(entries_), std::move(index_));
  entries_.clear();
  index_.clear();
  return Value::FromMap(std::move(map));
}

}  // namespace kube::cel
