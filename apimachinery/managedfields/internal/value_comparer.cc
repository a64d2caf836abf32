#include "apimachinery/managedfields/internal/value_comparer.h"

#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/item_index.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Walks both values side by side. Maps are sorted, so that their keys are merged; scalars that are
// equal are passed over before their schema is looked up. Associative lists are compared item by
// item first: only if they differ are their items sorted by key and merged like those of maps.
// Memory is allocated for differences and for lists that differ. Each level returns its part of the
// three sets, which its parent appends in the order of the set.
namespace kube::managedfields::internal {
namespace {

using unstructured::Value;
using MapEntry = Map<Value>::Entry;

// Values that are not of the expected type count as empty, as upstream.
absl::Span<const MapEntry> EntriesOf(const Value& value) {
  const Map<Value>* map = value.object();
  if (map == nullptr) return {};
  return absl::MakeConstSpan(map->begin(), map->size());
}
absl::Span<const Value> ItemsOf(const Value& value) {
  const List<Value>* list = value.list();
  if (list == nullptr) return {};
  return absl::MakeConstSpan(list->begin(), list->size());
}

bool IsScalar(const Value& value) { return !value.is_object() && !value.is_list(); }

size_t CommonPrefix(absl::Span<const Value> a, absl::Span<const Value> b) {
  size_t size = 0;
  while (size < a.size() && size < b.size() && EqualValues(a[size], b[size])) ++size;
  return size;
}

bool SameItems(absl::Span<const IndexedItem> a, absl::Span<const IndexedItem> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!EqualValues(*a[i].value, *b[i].value)) return false;
  }
  return true;
}

void Unite(const Difference& other, Difference& to) {
  to.is_modified = to.is_modified || other.is_modified;
  to.below.removed = to.below.removed.Union(other.below.removed);
  to.below.modified = to.below.modified.Union(other.below.modified);
  to.below.added = to.below.added.Union(other.below.added);
}

}  // namespace

void Attach(const PathElement& element, Difference found, Comparison& to) {
  Comparison& below = found.below;
  if (!below.removed.empty()) to.removed.Append(element, false, std::move(below.removed));
  if (found.is_modified || !below.modified.empty()) {
    to.modified.Append(element, found.is_modified, std::move(below.modified));
  }
  if (!below.added.empty()) to.added.Append(element, false, std::move(below.added));
}

// A value may be a map in one object and a list in the other. Upstream then compares the two as
// maps and as lists: what is below the map is removed, what is below the list is added.
Difference ValueComparer::CompareBoth(const Value& before, const Value& after,
                                      const Schema& schema) {
  const Atom old_atom = AtomOf(before, schema);
  const Atom new_atom = AtomOf(after, schema);
  Difference found = CompareAs(old_atom, before, after, schema);
  if (new_atom != old_atom) Unite(CompareAs(new_atom, before, after, schema), found);
  return found;
}

// Two lists or maps without content are compared as leaves, so that null differs from empty.
Difference ValueComparer::CompareAs(Atom atom, const Value& before, const Value& after,
                                    const Schema& schema) {
  Difference found;
  if (atom == Atom::kMap && !schema.map->atomic) {
    const absl::Span<const MapEntry> old_entries = EntriesOf(before);
    const absl::Span<const MapEntry> new_entries = EntriesOf(after);
    if (!old_entries.empty() || !new_entries.empty()) {
      CompareMaps(old_entries, new_entries, *schema.map, found.below);
      return found;
    }
  } else if (atom == Atom::kList && schema.list->associative) {
    const absl::Span<const Value> old_items = ItemsOf(before);
    const absl::Span<const Value> new_items = ItemsOf(after);
    if (!old_items.empty() || !new_items.empty()) {
      CompareLists(old_items, new_items, *schema.list, found.below);
      return found;
    }
  }
  found.is_modified = !EqualValues(before, after);
  return found;
}

void ValueComparer::CompareMaps(absl::Span<const MapEntry> before, absl::Span<const MapEntry> after,
                                const MapSchema& schema, Comparison& out) {
  while (!before.empty() || !after.empty()) {
    int order = 0;
    if (before.empty() || after.empty()) {
      order = before.empty() ? 1 : -1;
    } else {
      order = before.front().key.view().compare(after.front().key.view());
    }
    if (order < 0) {
      AppendAll(before.front(), schema, out.removed);
    } else if (order > 0) {
      AppendAll(after.front(), schema, out.added);
    } else {
      CompareMembers(before.front(), after.front(), schema, out);
    }
    if (order <= 0) before.remove_prefix(1);
    if (order >= 0) after.remove_prefix(1);
  }
}

void ValueComparer::CompareMembers(const MapEntry& before, const MapEntry& after,
                                   const MapSchema& schema, Comparison& out) {
  if (IsScalar(before.value) && EqualValues(before.value, after.value)) return;
  const size_t count = errors_.size();
  Difference found =
      CompareBoth(before.value, after.value, OrNothing(schema.Find(before.key.view())));
  errors_.Prefix(count, [&] { return absl::StrCat(".", before.key.view()); });
  if (!found.empty()) Attach(PathElement::Field(before.key.view()), std::move(found), out);
}

void ValueComparer::CompareLists(absl::Span<const Value> before, absl::Span<const Value> after,
                                 const ListSchema& list, Comparison& out) {
  const size_t same = CommonPrefix(before, after);
  if (same == before.size() && same == after.size()) return;
  const ItemOrder order(list);
  const std::vector<IndexedItem> old_index = IndexItems(before, list, order, errors_);
  const std::vector<IndexedItem> new_index = IndexItems(after, list, order, errors_);
  absl::Span<const IndexedItem> old_rest = old_index;
  absl::Span<const IndexedItem> new_rest = new_index;
  while (!old_rest.empty() || !new_rest.empty()) {
    auto compared = std::strong_ordering::equal;
    if (old_rest.empty() || new_rest.empty()) {
      compared = old_rest.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
    } else {
      compared = order.Compare(old_rest.front().key, new_rest.front().key);
    }
    absl::Span<const IndexedItem> old_items;
    absl::Span<const IndexedItem> new_items;
    if (compared <= 0) old_items = FirstGroup(old_rest, order);
    if (compared >= 0) new_items = FirstGroup(new_rest, order);
    CompareItems(old_items, new_items, list, same, out);
    old_rest.remove_prefix(old_items.size());
    new_rest.remove_prefix(new_items.size());
  }
}

// Compares the items of one key. `same` is the number of equal items at the beginning of the two
// lists. Several items of one key are one leaf, whose order counts; if there is only one on the
// other side, the leaf was added or removed, and that item was removed or added.
void ValueComparer::CompareItems(absl::Span<const IndexedItem> before,
                                 absl::Span<const IndexedItem> after, const ListSchema& list,
                                 size_t same, Comparison& out) {
  if (before.size() == 1 && after.size() == 1) {
    const IndexedItem& old_item = before.front();
    const IndexedItem& new_item = after.front();
    if (old_item.position < same && old_item.position == new_item.position) return;
    const size_t count = errors_.size();
    Difference found = CompareBoth(*old_item.value, *new_item.value, OrNothing(list.element));
    errors_.Prefix(count, [&] { return ElementOf(old_item.key, list).ToString(); });
    if (!found.empty()) Attach(ElementOf(old_item.key, list), std::move(found), out);
  } else if (before.size() >= 2 && after.size() >= 2) {
    if (!SameItems(before, after)) {
      out.modified.Append(ElementOf(before.front().key, list), true, FieldSet());
    }
  } else {
    AppendAll(before, list, out.removed);
    AppendAll(after, list, out.added);
  }
}

FieldSet ValueComparer::AllBelow(const Value& value, const Schema& schema) {
  FieldSet out;
  switch (FormOf(value, schema)) {
    case Form::kLeaf:
      break;
    case Form::kMap:
      for (const MapEntry& entry : *value.object()) AppendAll(entry, *schema.map, out);
      break;
    case Form::kList: {
      const ItemOrder order(*schema.list);
      const std::vector<IndexedItem> index =
          IndexItems(ItemsOf(value), *schema.list, order, errors_);
      absl::Span<const IndexedItem> rest = index;
      while (!rest.empty()) {
        const absl::Span<const IndexedItem> items = FirstGroup(rest, order);
        AppendAll(items, *schema.list, out);
        rest.remove_prefix(items.size());
      }
      break;
    }
  }
  return out;
}

// Appends a member of a map that only one of the objects has, and all that is below it.
void ValueComparer::AppendAll(const MapEntry& entry, const MapSchema& schema, FieldSet& out) {
  FieldSet below;
  if (!IsScalar(entry.value)) {
    const size_t count = errors_.size();
    below = AllBelow(entry.value, OrNothing(schema.Find(entry.key.view())));
    errors_.Prefix(count, [&] { return absl::StrCat(".", entry.key.view()); });
  }
  out.Append(PathElement::Field(entry.key.view()), true, std::move(below));
}

// Appends the items of one key, of which there may be none.
void ValueComparer::AppendAll(absl::Span<const IndexedItem> items, const ListSchema& list,
                              FieldSet& out) {
  if (items.empty()) return;
  PathElement element = ElementOf(items.front().key, list);
  FieldSet below;
  if (items.size() == 1) {
    const size_t count = errors_.size();
    below = AllBelow(*items.front().value, OrNothing(list.element));
    errors_.Prefix(count, [&] { return element.ToString(); });
  }
  out.Append(std::move(element), true, std::move(below));
}

}  // namespace kube::managedfields::internal
