#include "apimachinery/managedfields/to_field_set.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/item_index.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using internal::Form;
using internal::IndexedItem;
using unstructured::Value;

// Collects the set from the leaves up: maps and indexed items are visited in the order of the set,
// so that each node is appended once.
class Collector {
 public:
  // Appends what is owned below `value` to `out`, which is empty. Returns whether the value itself
  // is owned even if nothing else says so: a leaf, or an empty map. An empty associative list is
  // not owned.
  bool Collect(const Value& value, const Schema& schema, FieldSet& out) {
    switch (internal::FormOf(value, schema)) {
      case Form::kLeaf:
        return true;
      case Form::kMap:
        for (const Map<Value>::Entry& entry : *value.object()) {
          CollectMember(entry, *schema.map, out);
        }
        return value.object()->empty();
      case Form::kList:
        CollectItems(*value.list(), *schema.list, out);
        return false;
    }
    return false;
  }

  absl::Status ToStatus() const { return errors_.ToStatus(); }

 private:
  void CollectMember(const Map<Value>::Entry& entry, const MapSchema& schema, FieldSet& out) {
    const size_t count = errors_.size();
    const Schema* field = schema.FindField(entry.key.view());
    FieldSet below;
    // A key that is not a declared field is owned beside what is below it.
    const bool is_owned =
        Collect(entry.value, internal::OrNothing(field != nullptr ? field : schema.element),
                below) ||
        field == nullptr;
    errors_.Prefix(count, [&] { return absl::StrCat(".", entry.key.view()); });
    if (is_owned || !below.empty()) {
      out.Append(PathElement::Field(entry.key.view()), is_owned, std::move(below));
    }
  }

  // Several items of one key are owned together, without what is below them.
  void CollectItems(const List<Value>& items, const ListSchema& list, FieldSet& out) {
    const internal::ItemOrder order(list);
    const std::vector<IndexedItem> index =
        internal::IndexItems(absl::MakeConstSpan(items.data(), items.size()), list, order, errors_);
    absl::Span<const IndexedItem> rest = index;
    while (!rest.empty()) {
      const absl::Span<const IndexedItem> group = internal::FirstGroup(rest, order);
      rest.remove_prefix(group.size());
      PathElement element = internal::ElementOf(group.front().key, list);
      FieldSet below;
      if (group.size() == 1) {
        const size_t count = errors_.size();
        Collect(*group.front().value, internal::OrNothing(list.element), below);
        errors_.Prefix(count, [&] { return element.ToString(); });
      }
      out.Append(std::move(element), true, std::move(below));
    }
  }

  internal::WalkErrors errors_;
};

}  // namespace

absl::StatusOr<FieldSet> ToFieldSet(const Value& value, const Schema& schema) {
  Collector collector;
  FieldSet set;
  // Nobody owns the object as a whole.
  collector.Collect(value, schema, set);
  KUBE_RETURN_IF_ERROR(collector.ToStatus());
  return set;
}

}  // namespace kube::managedfields
