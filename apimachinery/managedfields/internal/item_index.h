#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_ITEM_INDEX_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_ITEM_INDEX_H_

#include <compare>
#include <cstddef>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

// Finds items of associative lists by their keys: the items of each list are sorted once, then two
// lists are walked side by side. Path elements, which copy the key, are only made for the result.
namespace kube::managedfields::internal {

// Orders the keys of items as their path elements are ordered. Immutable, thread-safe.
class ItemOrder {
 public:
  explicit ItemOrder(const ListSchema& list);

  std::strong_ordering Compare(const ItemKey& a, const ItemKey& b) const;

 private:
  // The positions of the key fields in a key, sorted by name.
  absl::InlinedVector<size_t, 2> by_name_;
};

struct IndexedItem {
  ItemKey key;
  const unstructured::Value* value = nullptr;
  size_t position = 0;  // in the list
};

// Returns the items sorted by key, those of one key in the order of the list. An item without a key
// is left out and adds an error. The result points into `items` and `list`.
std::vector<IndexedItem> IndexItems(absl::Span<const unstructured::Value> items,
                                    const ListSchema& list, const ItemOrder& order,
                                    WalkErrors& errors);

// Returns those of the items at the front of `items` that have the key of the first one. `items`
// must be sorted and not empty.
absl::Span<const IndexedItem> FirstGroup(absl::Span<const IndexedItem> items,
                                         const ItemOrder& order);

// Returns the positions of the keys that occur before in `keys`, ascending.
std::vector<size_t> RepeatedKeys(absl::Span<const ItemKey> keys, const ItemOrder& order);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_ITEM_INDEX_H_
