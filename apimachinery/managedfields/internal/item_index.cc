#include "apimachinery/managedfields/internal/item_index.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

using unstructured::Value;

ItemOrder::ItemOrder(const ListSchema& list) : by_name_(std::max<size_t>(list.keys.size(), 1)) {
  std::iota(by_name_.begin(), by_name_.end(), size_t{0});
  std::sort(by_name_.begin(), by_name_.end(), [&list](size_t a, size_t b) {
    return a != b && list.keys[a].name < list.keys[b].name;
  });
}

// Upstream compares the lists of the fields that are there: by the name of the first field, by its
// value, by the name of the second field and so on. A list that ends before the other is less.
std::strong_ordering ItemOrder::Compare(const ItemKey& a, const ItemKey& b) const {
  const size_t end = by_name_.size();
  for (size_t i = 0, j = 0;; ++i, ++j) {
    while (i != end && a[by_name_[i]] == nullptr) ++i;
    while (j != end && b[by_name_[j]] == nullptr) ++j;
    if (i == end || j == end) return (i != end) <=> (j != end);
    if (i != j) return i <=> j;
    const std::strong_ordering order = CompareValues(*a[by_name_[i]], *b[by_name_[j]]);
    if (order != 0) return order;
  }
}

std::vector<IndexedItem> IndexItems(absl::Span<const Value> items, const ListSchema& list,
                                    const ItemOrder& order, WalkErrors& errors) {
  std::vector<IndexedItem> index;
  index.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    absl::StatusOr<ItemKey> key = ItemKeyOf(items[i], list);
    if (key.ok()) {
      index.push_back({.key = *std::move(key), .value = &items[i], .position = i});
    } else {
      errors.Add(absl::StrCat("element ", i, ": ", key.status().message()));
    }
  }
  std::sort(index.begin(), index.end(), [&order](const IndexedItem& a, const IndexedItem& b) {
    const std::strong_ordering keys = order.Compare(a.key, b.key);
    return keys != 0 ? keys < 0 : a.position < b.position;
  });
  return index;
}

absl::Span<const IndexedItem> FirstGroup(absl::Span<const IndexedItem> items,
                                         const ItemOrder& order) {
  size_t size = 1;
  while (size < items.size() && order.Compare(items.front().key, items[size].key) == 0) ++size;
  return items.subspan(0, size);
}

std::vector<size_t> RepeatedKeys(absl::Span<const ItemKey> keys, const ItemOrder& order) {
  std::vector<size_t> repeated;
  if (keys.size() < 2) return repeated;
  std::vector<size_t> sorted(keys.size());
  std::iota(sorted.begin(), sorted.end(), size_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) {
    const std::strong_ordering compared = order.Compare(keys[a], keys[b]);
    return compared != 0 ? compared < 0 : a < b;
  });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (order.Compare(keys[sorted[i - 1]], keys[sorted[i]]) == 0) repeated.push_back(sorted[i]);
  }
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

}  // namespace kube::managedfields::internal
