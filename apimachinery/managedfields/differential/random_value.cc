#include "apimachinery/managedfields/differential/random_value.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

constexpr absl::string_view kTexts[] = {"a", "b", "c", "a", "b", "", "<&>", "\u00e4 \u2028"};
constexpr absl::string_view kNames[] = {"a", "b", "c", "d", "name", "a.b/c", "", "\u00e4<"};
constexpr int64_t kIntegers[] = {1, 2, 80, 1, 2, -7, 0, 9007199254740991};
constexpr double kDoubles[] = {0.5, 1.0, 80.0, 1e21, -0.25};

// Returns a text that items of one key share, so that a list does not get two of them by chance.
// Numbers are compared by value, as 80 and 80.0 are one key.
std::string IdentityOf(const Value& item, const ListSchema& list) {
  if (list.keys.empty()) return unstructured::EncodeJson(item).value();
  std::string identity;
  for (const ListKey& key : list.keys) {
    const Value* field = item.Find(key.name);
    if (field == nullptr && key.default_value.has_value()) field = &*key.default_value;
    absl::StrAppend(&identity, field == nullptr ? "" : unstructured::EncodeJson(*field).value(),
                    ";");
  }
  return identity;
}

std::set<std::string> IdentitiesOf(const List<Value>& items, const ListSchema& schema) {
  std::set<std::string> identities;
  for (const Value& item : items) identities.insert(IdentityOf(item, schema));
  return identities;
}

const Value* ItemLike(const Value& item, const Value& donor, const ListSchema& list) {
  if (!donor.is_list()) return nullptr;
  const std::string identity = IdentityOf(item, list);
  for (const Value& other : *donor.list()) {
    if (IdentityOf(other, list) == identity) return &other;
  }
  return nullptr;
}

bool IsKeyOf(const ListSchema* list, absl::string_view name) {
  return list != nullptr &&
         absl::c_any_of(list->keys, [name](const ListKey& key) { return key.name == name; });
}

bool HasItemsWithFields(const ListSchema& list) {
  return list.associative && !list.keys.empty() && list.element != nullptr &&
         list.element->map != nullptr;
}

}  // namespace

// ---- New values.

Value ValueMaker::MakeAnything(int depth) {
  switch (dice_.Below(depth > 0 ? 7 : 5)) {
    case 0:
      return Value();
    case 1:
      return Value(Chance(50));
    case 2:
      return Value(Pick(kIntegers));
    case 3:
      return Value(Pick(kDoubles));
    case 4:
      return Value(Pick(kTexts));
    case 5: {
      List<Value> items = List<Value>::Empty();
      for (size_t i = dice_.Below(3); i > 0; --i) items.push_back(MakeAnything(depth - 1));
      return Value(std::move(items));
    }
    default: {
      Map<Value> members = Map<Value>::Empty();
      for (size_t i = dice_.Below(3); i > 0; --i) members[Pick(kNames)] = MakeAnything(depth - 1);
      return Value(std::move(members));
    }
  }
}

Value ValueMaker::MakeScalar(ScalarType type) {
  switch (type) {
    case ScalarType::kNumeric:
      return Chance(80) ? Value(Pick(kIntegers)) : Value(Pick(kDoubles));
    case ScalarType::kString:
      return Value(Pick(kTexts));
    case ScalarType::kBoolean:
      return Value(Chance(50));
    default:
      return Chance(50) ? Value(Pick(kTexts)) : Value(Pick(kIntegers));
  }
}

Value ValueMaker::MakeItem(const ListSchema& list, int depth) {
  if (!HasItemsWithFields(list)) {
    if (list.element == nullptr) return MakeAnything(0);
    // A set has scalars only.
    const bool is_scalar = list.associative && list.element->scalar != ScalarType::kNone;
    return is_scalar && !Chance(shape_.mistakes / 10) ? MakeScalar(list.element->scalar)
                                                      : Make(*list.element, depth);
  }
  Value item = MakeMap(*list.element->map, depth);
  for (const ListKey& key : list.keys) {
    const Schema* field = list.element->map->Find(key.name);
    if (key.default_value.has_value() && Chance(50)) {
      item.object()->erase(key.name);
    } else if (!Chance(shape_.mistakes / 5)) {
      (*item.object())[key.name] =
          MakeScalar(field == nullptr ? ScalarType::kString : field->scalar);
    }
  }
  return item;
}

Value ValueMaker::MakeList(const ListSchema& list, int depth) {
  List<Value> items = List<Value>::Empty();
  std::set<std::string> identities;
  for (size_t i = dice_.Below(4); i > 0; --i) {
    Value item = MakeItem(list, depth);
    if (list.associative && !identities.insert(IdentityOf(item, list)).second) continue;
    items.push_back(std::move(item));
  }
  if (!items.empty() && Chance(shape_.duplicates)) {
    Value duplicate = items[dice_.Below(items.size())];
    items.push_back(std::move(duplicate));
  }
  return Value(std::move(items));
}

void ValueMaker::AddMember(const MapSchema& map, int depth, Map<Value>& members) {
  if (dice_.Below(1000) < static_cast<size_t>(shape_.mistakes)) {
    members["undeclared"] = MakeAnything(0);
  } else if (!map.fields.empty() && (map.element == nullptr || Chance(60))) {
    const FieldSchema& field = map.fields[dice_.Below(map.fields.size())];
    members[field.name] = Make(*field.schema, depth);
  } else if (map.element != nullptr) {
    const absl::string_view name = Pick(kNames);
    members[name] = Make(*map.Find(name), depth);
  }
}

Value ValueMaker::MakeMap(const MapSchema& map, int depth) {
  Map<Value> members = Map<Value>::Empty();
  const size_t most = std::min<size_t>(map.fields.size() + 2, 7);
  for (size_t i = dice_.Below(most + 1); i > 0; --i) AddMember(map, depth, members);
  return Value(std::move(members));
}

Value ValueMaker::Make(const Schema& schema, int depth) {
  if (dice_.Below(1000) < static_cast<size_t>(shape_.mistakes)) return MakeAnything(1);
  if (Chance(shape_.nulls)) return Value();
  const bool may_be_scalar = schema.scalar != ScalarType::kNone;
  const bool has_others = schema.list != nullptr || schema.map != nullptr;
  if (may_be_scalar && (!has_others || depth <= 0 || Chance(40))) return MakeScalar(schema.scalar);
  if (schema.map != nullptr && (schema.list == nullptr || Chance(60))) {
    return depth > 0 ? MakeMap(*schema.map, depth - 1) : Value(Map<Value>::Empty());
  }
  if (schema.list != nullptr) {
    return depth > 0 ? MakeList(*schema.list, depth - 1) : Value(List<Value>::Empty());
  }
  return MakeAnything(0);
}

// ---- Parts of values.

Value ValueMaker::SubsetOfItem(const Value& item, const ListSchema& list, int kept) {
  Value subset = list.element == nullptr ? item : Subset(item, *list.element, kept);
  if (!subset.is_object() || !item.is_object()) return item;
  for (const ListKey& key : list.keys) {
    if (const Value* field = item.Find(key.name)) (*subset.object())[key.name] = *field;
  }
  return subset;
}

Value ValueMaker::Subset(const Value& value, const Schema& schema, int kept) {
  if (const Map<Value>* members = value.object(); members != nullptr && schema.map != nullptr) {
    Map<Value> subset = Map<Value>::Empty();
    for (const auto& [name, member] : *members) {
      if (!Chance(kept)) continue;
      const Schema* part = schema.map->Find(name.view());
      subset[name] = part == nullptr ? member : Subset(member, *part, kept);
    }
    return Value(std::move(subset));
  }
  if (const List<Value>* items = value.list(); items != nullptr && schema.list != nullptr) {
    if (!schema.list->associative) return value;
    List<Value> subset = List<Value>::Empty();
    for (const Value& item : *items) {
      if (Chance(kept)) subset.push_back(SubsetOfItem(item, *schema.list, kept));
    }
    return Value(std::move(subset));
  }
  return value;
}

// ---- Changed values.

Value ValueMaker::VaryMap(const Map<Value>& members, const Value& donor, const MapSchema& map,
                          const ListSchema* list, int percent) {
  Map<Value> varied = Map<Value>::Empty();
  for (const auto& [name, member] : members) {
    const bool is_key = IsKeyOf(list, name.view());
    if (is_key ? dice_.Below(1000) < static_cast<size_t>(shape_.mistakes) : Chance(percent)) {
      continue;
    }
    const Schema* part = map.Find(name.view());
    varied[name] = is_key || part == nullptr ? member : Vary(member, donor[name], *part, percent);
  }
  if (donor.is_object()) {
    for (const auto& [name, member] : *donor.object()) {
      if (!members.contains(name) && !IsKeyOf(list, name.view()) && Chance(percent)) {
        varied[name] = member;
      }
    }
  }
  if (list == nullptr && Chance(percent)) AddMember(map, 2, varied);
  return Value(std::move(varied));
}

Value ValueMaker::VaryItem(const Value& item, const Value& donor, const ListSchema& list,
                           int percent) {
  if (!HasItemsWithFields(list) || !item.is_object()) return item;
  return VaryMap(*item.object(), donor, *list.element->map, &list, percent);
}

Value ValueMaker::VaryList(const Value& value, const Value& donor, const ListSchema& list,
                           int percent) {
  std::vector<Value> varied;
  for (const Value& item : *value.list()) {
    if (Chance(percent)) continue;
    const Value* other = list.associative ? ItemLike(item, donor, list) : nullptr;
    varied.push_back(VaryItem(item, other == nullptr ? Value() : *other, list, percent));
  }
  std::set<std::string> identities = IdentitiesOf(List<Value>(varied.begin(), varied.end()), list);
  const auto insert = [&](Value item) {
    if (list.associative && !identities.insert(IdentityOf(item, list)).second) return;
    varied.insert(varied.begin() + static_cast<std::ptrdiff_t>(dice_.Below(varied.size() + 1)),
                  std::move(item));
  };
  if (donor.is_list()) {
    for (const Value& item : *donor.list()) {
      if (Chance(percent)) insert(item);
    }
  }
  if (Chance(percent)) insert(MakeItem(list, 2));
  if (Chance(percent)) std::shuffle(varied.begin(), varied.end(), dice_);
  if (!varied.empty() && Chance(shape_.duplicates)) {
    Value duplicate = varied[dice_.Below(varied.size())];
    varied.push_back(std::move(duplicate));
  }
  return Value(List<Value>(varied.begin(), varied.end()));
}

Value ValueMaker::Vary(const Value& value, const Value& donor, const Schema& schema, int percent) {
  if (Chance(percent / 3)) return donor.is_null() ? Make(schema, 2) : donor;
  if (value.is_object() && schema.map != nullptr) {
    return VaryMap(*value.object(), donor, *schema.map, nullptr, percent);
  }
  if (value.is_list() && schema.list != nullptr) {
    return VaryList(value, donor, *schema.list, percent);
  }
  return Chance(percent) ? Make(schema, 2) : value;
}

}  // namespace kube::managedfields
