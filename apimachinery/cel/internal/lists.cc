#include "apimachinery/cel/internal/lists.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "apimachinery/cel/internal/objects/go_key.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kMaxElements = size_t{1} << 31;

// Two lists, one behind the other.
class ConcatList final : public ListValue {
 public:
  ConcatList(std::shared_ptr<const ListValue> left, std::shared_ptr<const ListValue> right)
      : left_(std::move(left)), right_(std::move(right)), size_(left_->size() + right_->size()) {}

  size_t size() const override { return size_; }
  Value At(size_t index) const override {
    return index < left_->size() ? left_->At(index) : right_->At(index - left_->size());
  }
  bool has_schema() const override { return left_->has_schema(); }

 private:
  const std::shared_ptr<const ListValue> left_;
  const std::shared_ptr<const ListValue> right_;
  const size_t size_;
};

// A set or a map of an object, after elements were added.
class OwnedList final : public ListValue {
 public:
  OwnedList(std::vector<Value> elements, ListKind kind, std::vector<std::string> keys)
      : elements_(std::move(elements)), kind_(kind), keys_(std::move(keys)) {}

  size_t size() const override { return elements_.size(); }
  Value At(size_t index) const override { return elements_[index]; }
  ListKind list_kind() const override { return kind_; }
  const std::vector<std::string>& keys() const override { return keys_; }
  bool has_schema() const override { return true; }

 private:
  const std::vector<Value> elements_;
  const ListKind kind_;
  const std::vector<std::string> keys_;
};

std::vector<Value> Elements(const ListValue& list, Budget& budget) {
  std::vector<Value> elements;
  for (size_t i = 0; i < list.size() && budget.Work(); ++i) elements.push_back(list.At(i));
  return elements;
}

Value AddToSet(const ListValue& a, const ListValue& b, Budget& budget) {
  std::vector<Value> elements = Elements(a, budget);
  absl::flat_hash_set<std::string> keys;
  for (size_t i = 0; i < a.size() && budget.Work(); ++i) {
    if (GoKey key = StoredSetKey(a, i, budget)) keys.insert(*std::move(key));
  }
  for (size_t i = 0; i < b.size() && budget.Work(); ++i) {
    Value element = b.At(i);
    GoKey key = SetKey(element, budget);
    if (key.has_value() && !keys.insert(*std::move(key)).second) continue;
    elements.push_back(std::move(element));
  }
  return Value::FromList(
      std::make_shared<const OwnedList>(std::move(elements), ListKind::kSet, a.keys()));
}

Value AddToMap(const ListValue& a, const ListValue& b, Budget& budget) {
  std::vector<Value> elements = Elements(a, budget);
  absl::flat_hash_map<std::string, size_t> places;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (GoKey key = ListMapKey(elements[i], a.keys(), budget)) {
      places.insert_or_assign(*std::move(key), i);
    }
  }
  // As upstream, elements of the right list do not replace each other.
  for (size_t i = 0; i < b.size() && budget.Work(); ++i) {
    Value element = b.At(i);
    const GoKey key = ListMapKey(element, a.keys(), budget);
    const auto place = key.has_value() ? places.find(*key) : places.end();
    if (place == places.end()) {
      elements.push_back(std::move(element));
    } else {
      elements[place->second] = std::move(element);
    }
  }
  return Value::FromList(
      std::make_shared<const OwnedList>(std::move(elements), ListKind::kMap, a.keys()));
}

}  // namespace

Value AddLists(const Value& a, const Value& b, Budget& budget) {
  const ListValue& left = a.list();
  const ListValue& right = b.list();
  if (left.list_kind() == ListKind::kSet) return AddToSet(left, right, budget);
  if (left.list_kind() == ListKind::kMap) return AddToMap(left, right, budget);
  if (left.size() == 0 && !left.has_schema()) return b;
  if (right.size() == 0) return a;
  if (left.size() + right.size() > kMaxElements) return Value::Error("list is too large");
  return Value::FromList(std::make_shared<const ConcatList>(a.list_ptr(), b.list_ptr()));
}

Value StringList(absl::Span<const std::string> texts) {
  std::vector<Value> elements;
  elements.reserve(texts.size());
  for (const std::string& text : texts) elements.push_back(Value::FromString(text));
  return Value::FromList(std::move(elements));
}

}  // namespace kube::cel::internal
