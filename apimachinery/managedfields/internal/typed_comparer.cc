#include "apimachinery/managedfields/internal/typed_comparer.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/typed_json.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "apimachinery/managedfields/internal/value_comparer.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Walks two structs of one type by their field tables. What is equal is stepped over. Structs, maps
// and lists whose items have stayed at their places are compared part by part; of anything else
// that differs (sets, lists with other items than before, parts that are null on one side, embedded
// JSON) Values are made, and ValueComparer compares those. So the result is that of ValueComparer,
// and the usual write, which changes a few fields, makes a few small Values or none.
namespace kube::managedfields::internal {
namespace {

using kube::table::BoxRep;
using kube::table::EntrySize;
using kube::table::Kind;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Shape;
using kube::table::StringRep;
using kube::table::Type;
using kube::table::ViewAt;
using unstructured::Value;

// What stored objects, which may be older than a rule of their schema, are checked by.
constexpr ValidateOptions kStored = {.allow_duplicates = true};

const ListBlock* BlockAt(const char* member_at) { return Load<const ListBlock*>(member_at); }
size_t SizeOf(const ListBlock* block) { return block == nullptr ? 0 : block->size; }

// The entries of a map, or none.
struct Entries {
  Entries(const ListBlock* block, Type type)
      : at(block == nullptr ? nullptr : block->elements()),
        stride(EntrySize(type)),
        left(SizeOf(block)) {}

  absl::string_view key() const { return ViewAt(at); }
  const char* value() const { return at + sizeof(StringRep); }
  void Next() {
    at += stride;
    --left;
  }

  const char* at;
  size_t stride;
  size_t left;
};

// Returns whether the JSON of a value of this kind is a scalar or null.
bool IsScalar(Kind kind) {
  switch (kind) {
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
    case Kind::kStringList:
    case Kind::kMessage:
    case Kind::kValue:
      return false;
    default:
      return true;
  }
}

bool IsSkipped(TypedComparer::Place place, absl::string_view name) {
  if (place == TypedComparer::Place::kInside) return false;
  if (place == TypedComparer::Place::kMetadata) return name == "managedFields";
  return name == "apiVersion" || name == "kind";
}

// The members of the items of a list that are its keys; empty if the list is not one of structs
// with keys.
using KeyMembers = absl::InlinedVector<const TypedMember*, 2>;

// How many items of a list may differ for it to be compared item by item.
constexpr size_t kMaxInStep = 32;

KeyMembers KeyMembersOf(const TypedMember& list) {
  KeyMembers members;
  if (list.sub == nullptr || !list.sub->is_object()) return members;
  for (const ListKey& key : list.schema->list->keys) {
    const TypedMember* member = list.sub->Find(key.name);
    if (member == nullptr) return {};
    members.push_back(member);
  }
  return members;
}

bool HasAllKeys(const char* item, const KeyMembers& keys) {
  return std::all_of(keys.begin(), keys.end(), [item](const TypedMember* key) {
    return IsWritten(item + key->field->offset, *key);
  });
}

bool SameKeys(TypedJson& json, const char* a, const char* b, const KeyMembers& keys) {
  return std::all_of(keys.begin(), keys.end(), [&json, a, b](const TypedMember* key) {
    const size_t offset = key->field->offset;
    return json.SameMember(a + offset, b + offset, *key);
  });
}

PathElement KeyElementOf(TypedJson& json, const char* item, const KeyMembers& keys) {
  Map<Value> fields;
  for (const TypedMember* key : keys) {
    fields.insert_or_assign(key->name, json.ValueOf(item + key->field->offset, *key));
  }
  return PathElement::Key(std::move(fields));
}

}  // namespace

absl::Status TypedComparer::ToStatus() const {
  return json_.status().ok() ? values_.ToStatus() : json_.status();
}

// ---- What the type does not guarantee

void TypedComparer::Check(const char* object, const TypedPlan& plan) {
  if (!plan.needs_check) return;
  const TypedJson::Level level(json_);
  if (level.is_too_deep()) return;
  for (const TypedMember& member : plan.members) {
    CheckMember(object + member.field->offset, member);
  }
}

void TypedComparer::CheckMember(const char* member_at, const TypedMember& member) {
  if (member.needs_check) {
    if (SizeOf(BlockAt(member_at)) != 0) IsValid(json_.ValueOf(member_at, member), *member.schema);
    return;
  }
  if (member.sub == nullptr || !member.sub->needs_check) return;
  switch (member.shape) {
    case Shape::kValue:
      return Check(member_at, *member.sub);
    case Shape::kOpt:
      if (member_at[member.field->element_size] != 0) Check(member_at, *member.sub);
      return;
    case Shape::kBox:
      if (const auto box = Load<BoxRep>(member_at)) Check(box.value(), *member.sub);
      return;
    case Shape::kList: {
      const ListBlock* block = BlockAt(member_at);
      for (size_t i = 0; i < SizeOf(block); ++i) {
        Check(block->elements() + i * member.type.size, *member.sub);
      }
      return;
    }
    case Shape::kMap:
      for (Entries entries(BlockAt(member_at), member.type); entries.left != 0; entries.Next()) {
        Check(entries.value(), *member.sub);
      }
      return;
  }
}

bool TypedComparer::IsValid(const Value& value, const Schema& schema) {
  const absl::Status valid = Validate(value, schema, kStored);
  json_.Note(valid);
  return valid.ok();
}

// ---- Comparing

Comparison TypedComparer::CompareStructs(const char* before, const char* after,
                                         const TypedPlan& plan, Place place) {
  Comparison out;
  const TypedJson::Level level(json_);
  if (level.is_too_deep()) return out;
  for (const TypedMember& member : plan.members) {
    if (IsSkipped(place, member.name)) continue;
    const bool is_metadata = place == Place::kRoot && member.name == "metadata";
    const size_t offset = member.field->offset;
    CompareMember(before + offset, after + offset, member,
                  is_metadata ? Place::kMetadata : Place::kInside, out);
  }
  return out;
}

void TypedComparer::CompareMember(const char* before, const char* after, const TypedMember& member,
                                  Place place, Comparison& out) {
  // Structs are walked once: below, they are compared and not only looked at.
  const bool is_struct = member.sub != nullptr && member.sub->is_object() &&
                         (member.shape == Shape::kValue || member.shape == Shape::kBox);
  if (is_struct) {
    if (member.shape == Shape::kBox && !Load<BoxRep>(before) && !Load<BoxRep>(after)) return;
  } else if (json_.SameMember(before, after, member)) {
    return;
  }
  const bool was_written = IsWritten(before, member);
  const bool is_written = IsWritten(after, member);
  if (was_written && is_written) {
    Difference found = CompareWritten(before, after, member, place);
    if (!found.empty()) Attach(PathElement::Field(member.name), std::move(found), out);
  } else if (was_written) {
    out.removed.Append(PathElement::Field(member.name), true,
                       AllBelowMember(before, member, place));
  } else if (is_written) {
    out.added.Append(PathElement::Field(member.name), true, AllBelowMember(after, member, place));
  }
}

Difference TypedComparer::CompareWritten(const char* before, const char* after,
                                         const TypedMember& member, Place place) {
  switch (member.shape) {
    case Shape::kValue:
      return CompareElements(before, after, member.type, member.sub, *member.schema, place);
    case Shape::kOpt: {
      const size_t presence = member.field->element_size;
      if (before[presence] == 0 || after[presence] == 0) break;
      return CompareElements(before, after, member.type, member.sub, *member.schema, place);
    }
    case Shape::kBox: {
      const auto x = Load<BoxRep>(before);
      const auto y = Load<BoxRep>(after);
      if (!x || !y) break;
      return CompareElements(x.value(), y.value(), member.type, member.sub, *member.schema, place);
    }
    case Shape::kList:
      return CompareLists(before, after, member);
    case Shape::kMap:
      return CompareMaps(before, after, member);
  }
  // One of them is null.
  return CompareValues(json_.ValueOf(before, member), json_.ValueOf(after, member), *member.schema);
}

Difference TypedComparer::CompareElements(const char* before, const char* after, Type type,
                                          const TypedPlan* sub, const Schema& schema, Place place) {
  if (sub != nullptr && sub->is_object() && !schema.map->atomic) {
    return {.is_modified = false, .below = CompareStructs(before, after, *sub, place)};
  }
  if (json_.SameElement(before, after, type, sub)) return {};
  const bool is_leaf = (sub != nullptr && sub->is_object()) || IsScalar(type.kind);
  if (is_leaf) return {.is_modified = true, .below = {}};
  return CompareValues(json_.ValueOf(before, type), json_.ValueOf(after, type), schema);
}

Difference TypedComparer::CompareLists(const char* before, const char* after,
                                       const TypedMember& member) {
  const ListBlock* x = BlockAt(before);
  const ListBlock* y = BlockAt(after);
  // The caller knows that they are not the same: of two empty ones, one is null.
  const bool is_leaf = !member.schema->list->associative || (SizeOf(x) == 0 && SizeOf(y) == 0);
  if (is_leaf) return {.is_modified = true, .below = {}};
  if (SizeOf(x) == SizeOf(y)) {
    Difference found;
    if (CompareInStep(*x, *y, member, found.below)) return found;
  }
  return CompareValues(json_.ValueOf(before, member), json_.ValueOf(after, member), *member.schema);
}

// Compares two lists of the same size item by item. Returns false, and leaves `out` as it was, if
// an item that differs does not have the key of that at its place, or shares it with another item
// of its list, or if a key may be a default. It also gives up when many items differ: searching for
// their keys would then take longer than comparing Values, for which there is an index of keys.
bool TypedComparer::CompareInStep(const ListBlock& before, const ListBlock& after,
                                  const TypedMember& member, Comparison& out) {
  const KeyMembers keys = KeyMembersOf(member);
  if (keys.empty()) return false;
  const auto item_of = [&member](const ListBlock& block, size_t i) {
    return block.elements() + i * member.type.size;
  };
  std::vector<size_t> differing;
  for (size_t i = 0; i < before.size; ++i) {
    const char* x = item_of(before, i);
    const char* y = item_of(after, i);
    if (!HasAllKeys(x, keys) || !HasAllKeys(y, keys)) return false;
    if (json_.SameStruct(x, y, *member.sub)) continue;
    if (!SameKeys(json_, x, y, keys)) return false;
    differing.push_back(i);
  }
  if (differing.size() > kMaxInStep) return false;
  for (const size_t i : differing) {
    for (size_t j = 0; j < before.size; ++j) {
      if (j != i && SameKeys(json_, item_of(before, i), item_of(before, j), keys)) return false;
    }
  }
  std::vector<std::pair<PathElement, Difference>> found;
  for (const size_t i : differing) {
    const char* x = item_of(before, i);
    Difference difference = CompareElements(x, item_of(after, i), member.type, member.sub,
                                            *member.schema->list->element, Place::kInside);
    if (difference.empty()) continue;
    found.emplace_back(KeyElementOf(json_, x, keys), std::move(difference));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [element, difference] : found) Attach(element, std::move(difference), out);
  return true;
}

Difference TypedComparer::CompareMaps(const char* before, const char* after,
                                      const TypedMember& member) {
  const ListBlock* x = BlockAt(before);
  const ListBlock* y = BlockAt(after);
  const bool is_leaf = member.schema->map->atomic || (SizeOf(x) == 0 && SizeOf(y) == 0);
  if (is_leaf) return {.is_modified = true, .below = {}};
  Difference found;
  if (MergeEntries(x, y, member, found.below)) return found;
  return CompareValues(json_.ValueOf(before, member), json_.ValueOf(after, member), *member.schema);
}

// Compares two maps key by key. Returns false if a key that differs is not UTF-8: then its JSON is
// another key, which may be elsewhere in the order.
bool TypedComparer::MergeEntries(const ListBlock* before, const ListBlock* after,
                                 const TypedMember& member, Comparison& out) {
  const Schema& schema = *member.schema->map->element;
  Entries x(before, member.type);
  Entries y(after, member.type);
  while (x.left != 0 || y.left != 0) {
    int order = x.left == 0 ? 1 : -1;
    if (x.left != 0 && y.left != 0) order = x.key().compare(y.key());
    const absl::string_view key = order <= 0 ? x.key() : y.key();
    const bool is_same =
        order == 0 && json_.SameElement(x.value(), y.value(), member.type, member.sub);
    if (!is_same && !text::IsValidUtf8(key)) return false;
    if (order == 0 && !is_same) {
      Difference found =
          CompareElements(x.value(), y.value(), member.type, member.sub, schema, Place::kInside);
      if (!found.empty()) Attach(PathElement::Field(key), std::move(found), out);
    } else if (order < 0) {
      out.removed.Append(
          PathElement::Field(key), true,
          AllBelowElement(x.value(), member.type, member.sub, schema, Place::kInside));
    } else if (order > 0) {
      out.added.Append(PathElement::Field(key), true,
                       AllBelowElement(y.value(), member.type, member.sub, schema, Place::kInside));
    }
    if (order <= 0) x.Next();
    if (order >= 0) y.Next();
  }
  return true;
}

Difference TypedComparer::CompareValues(const Value& before, const Value& after,
                                        const Schema& schema) {
  if (!IsValid(before, schema) || !IsValid(after, schema)) return {};
  return values_.CompareBoth(before, after, schema);
}

// ---- What only one of the objects has

FieldSet TypedComparer::AllBelowStruct(const char* object, const TypedPlan& plan, Place place) {
  FieldSet out;
  const TypedJson::Level level(json_);
  if (level.is_too_deep()) return out;
  for (const TypedMember& member : plan.members) {
    const char* member_at = object + member.field->offset;
    if (IsSkipped(place, member.name) || !IsWritten(member_at, member)) continue;
    out.Append(PathElement::Field(member.name), true,
               AllBelowMember(member_at, member, Place::kInside));
  }
  return out;
}

FieldSet TypedComparer::AllBelowMember(const char* member_at, const TypedMember& member,
                                       Place place) {
  switch (member.shape) {
    case Shape::kValue:
      return AllBelowElement(member_at, member.type, member.sub, *member.schema, place);
    case Shape::kOpt:
      if (member_at[member.field->element_size] == 0) return {};
      return AllBelowElement(member_at, member.type, member.sub, *member.schema, place);
    case Shape::kBox: {
      const auto box = Load<BoxRep>(member_at);
      if (!box) return {};
      return AllBelowElement(box.value(), member.type, member.sub, *member.schema, place);
    }
    case Shape::kList:
      if (SizeOf(BlockAt(member_at)) == 0 || !member.schema->list->associative) return {};
      break;
    case Shape::kMap: {
      if (SizeOf(BlockAt(member_at)) == 0 || member.schema->map->atomic) return {};
      Comparison found;
      if (MergeEntries(nullptr, BlockAt(member_at), member, found)) return std::move(found.added);
      break;
    }
  }
  return AllBelowValue(json_.ValueOf(member_at, member), *member.schema);
}

FieldSet TypedComparer::AllBelowElement(const char* element, Type type, const TypedPlan* sub,
                                        const Schema& schema, Place place) {
  if (sub != nullptr && sub->is_object()) {
    return schema.map->atomic ? FieldSet() : AllBelowStruct(element, *sub, place);
  }
  if (IsScalar(type.kind)) return {};
  return AllBelowValue(json_.ValueOf(element, type), schema);
}

FieldSet TypedComparer::AllBelowValue(const Value& value, const Schema& schema) {
  return IsValid(value, schema) ? values_.AllBelow(value, schema) : FieldSet();
}

}  // namespace kube::managedfields::internal
