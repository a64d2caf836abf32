#include "apimachinery/patch/internal/element_order.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/internal/go_value.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

// With up to this number of keys, a linear search is as fast.
constexpr size_t kFewKeys = 16;

using Less = std::function<bool(size_t, size_t)>;

// Go's sort.insertionSort of a range, which compares neighbours.
void InsertionSort(std::vector<size_t>& order, size_t first, size_t last, const Less& less) {
  for (size_t i = first + 1; i < last; ++i) {
    for (size_t k = i; k > first && less(order[k], order[k - 1]); --k) {
      std::swap(order[k], order[k - 1]);
    }
  }
}

// Go's sort.symMerge: merges two sorted ranges, [a, m) and [m, b), in place. The algorithm is from
// "Stable Minimum Storage Merging by Symmetric Comparisons" by Kim and Kutzner.
void SymmetricMerge(std::vector<size_t>& order, size_t a, size_t m, size_t b, const Less& less) {
  const auto at = [&](size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  if (m - a == 1) {
    size_t low = m, high = b;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      less(order[middle], order[a]) ? low = middle + 1 : high = middle;
    }
    std::rotate(at(a), at(a + 1), at(low));
    return;
  }
  if (b - m == 1) {
    size_t low = a, high = m;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      !less(order[m], order[middle]) ? low = middle + 1 : high = middle;
    }
    std::rotate(at(low), at(m), at(m + 1));
    return;
  }
  const size_t middle = a + (b - a) / 2;
  const size_t n = middle + m;
  size_t start = m > middle ? n - b : a;
  size_t r = m > middle ? middle : m;
  const size_t p = n - 1;
  while (start < r) {
    const size_t c = start + (r - start) / 2;
    !less(order[p - c], order[c]) ? start = c + 1 : r = c;
  }
  const size_t end = n - start;
  if (start < m && m < end) std::rotate(at(start), at(m), at(end));
  if (a < start && start < middle) SymmetricMerge(order, a, start, middle, less);
  if (middle < end && end < b) SymmetricMerge(order, middle, end, b, less);
}

std::vector<size_t> Numbers(size_t size) {
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

List<Value> Permuted(List<Value> elements, const std::vector<size_t>& order) {
  List<Value> result = List<Value>::Empty();
  result.reserve(order.size());
  for (const size_t i : order) result.push_back(std::move(elements[i]));
  return result;
}

absl::StatusOr<std::vector<int>> PositionsOf(const List<Value>& elements, const KeyIndex& order,
                                             const ElementKind& kind) {
  std::vector<int> positions;
  positions.reserve(elements.size());
  for (const Value& element : elements) {
    KUBE_ASSIGN_OR_RETURN(const Value* key, KeyOf(element, kind));
    KUBE_ASSIGN_OR_RETURN(const int position, order.Find(*key));
    positions.push_back(position);
  }
  return positions;
}

bool IsToDelete(const Value& element) {
  const Value* directive = element.Find("$patch");
  return directive != nullptr && directive->text() == absl::string_view("delete");
}

// Removes the elements that are marked for deletion, and returns them.
List<Value> TakeDeletions(List<Value>& elements) {
  List<Value> taken;
  for (Value& element : elements) {
    if (IsToDelete(element)) taken.push_back(element);
  }
  if (!taken.empty()) erase_if(elements, IsToDelete);
  return taken;
}

}  // namespace

absl::Status NoMergeKeyError(absl::string_view merge_key) {
  return absl::InvalidArgumentError(
      absl::StrCat("an object does not contain declared merge key: ", merge_key));
}

absl::StatusOr<const Value*> KeyOf(const Value& element, const ElementKind& kind) {
  if (!kind.objects) return &element;
  if (!element.is_object()) return TypeError(ValueType::kObject, element);
  const Value* key = element.Find(kind.merge_key);
  if (key == nullptr) return NoMergeKeyError(kind.merge_key);
  return key;
}

absl::StatusOr<KeyIndex> KeyIndex::Of(const List<Value>& list, const ElementKind& kind) {
  KeyIndex index;
  index.keys_.reserve(list.size());
  for (const Value& element : list) {
    KUBE_ASSIGN_OR_RETURN(const Value* key, KeyOf(element, kind));
    index.Append(*key);
  }
  return index;
}

void KeyIndex::Append(const Value& key) {
  has_list_ = has_list_ || key.is_list();
  has_object_ = has_object_ || key.is_object();
  if (!positions_.empty()) positions_.try_emplace(key, static_cast<int>(keys_.size()));
  keys_.push_back(key);
}

void KeyIndex::Erase(const absl::flat_hash_set<Value>& keys) {
  std::erase_if(keys_, [&](const Value& key) { return keys.contains(key); });
  positions_.clear();
}

absl::StatusOr<int> KeyIndex::Find(const Value& key) const {
  if ((key.is_list() && has_list_) || (key.is_object() && has_object_)) return UnhashableError();
  if (keys_.size() <= kFewKeys) {
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    return found == keys_.end() ? -1 : static_cast<int>(found - keys_.begin());
  }
  if (positions_.empty()) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      positions_.try_emplace(keys_[i], static_cast<int>(i));
    }
  }
  const auto found = positions_.find(key);
  return found == positions_.end() ? -1 : found->second;
}

std::vector<size_t> SortStableAsGo(size_t size, const Less& less) {
  std::vector<size_t> order = Numbers(size);
  size_t block = 20;
  for (size_t first = 0; first < size; first += block) {
    InsertionSort(order, first, std::min(first + block, size), less);
  }
  for (; block < size; block *= 2) {
    for (size_t first = 0; first + block < size; first += 2 * block) {
      SymmetricMerge(order, first, first + block, std::min(first + 2 * block, size), less);
    }
  }
  return order;
}

std::vector<size_t> SortAsGo(size_t size, const Less& less) {
  std::vector<size_t> order = Numbers(size);
  // With such a `less`, insertion sort moves each element before all elements that are equal to it.
  std::reverse(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return less(a, b) && !less(b, a); });
  return order;
}

absl::StatusOr<List<Value>> NormalizeOrder(List<Value> elements, const KeyIndex& order,
                                           const ElementKind& kind) {
  List<Value> deletions;
  if (kind.objects) {
    for (const Value& element : elements) KUBE_RETURN_IF_ERROR(KeyOf(element, kind).status());
    deletions = TakeDeletions(elements);
  }
  if (elements.size() > 1) {
    KUBE_ASSIGN_OR_RETURN(const std::vector<int> at, PositionsOf(elements, order, kind));
    // `less` is not an order if some elements are not in `order`; the result is then that of Go's
    // sort.
    if (!std::is_sorted(at.begin(), at.end()) || at.front() < 0) {
      elements = Permuted(std::move(elements), SortStableAsGo(at.size(), [&](size_t a, size_t b) {
                            return at[a] < 0 || at[b] < 0 || at[a] < at[b];
                          }));
    }
  }
  for (Value& element : deletions) elements.push_back(std::move(element));
  return elements;
}

absl::StatusOr<List<Value>> NormalizeElementOrder(List<Value> patch, List<Value> server_only,
                                                  const KeyIndex& patch_order,
                                                  const KeyIndex& server_order,
                                                  const ElementKind& kind) {
  KUBE_ASSIGN_OR_RETURN(patch, NormalizeOrder(std::move(patch), patch_order, kind));
  KUBE_ASSIGN_OR_RETURN(server_only, NormalizeOrder(std::move(server_only), server_order, kind));
  const auto position_of = [&](const Value& element) -> absl::StatusOr<int> {
    KUBE_ASSIGN_OR_RETURN(const Value* key, KeyOf(element, kind));
    return server_order.Find(*key);
  };
  List<Value> all = List<Value>::Empty();
  all.reserve(patch.size() + server_only.size());
  size_t i = 0, k = 0;
  while (i < server_only.size() && k < patch.size()) {
    KUBE_ASSIGN_OR_RETURN(const int left, position_of(server_only[i]));
    KUBE_ASSIGN_OR_RETURN(const int right, position_of(patch[k]));
    const bool is_less = left >= 0 && right >= 0 && left < right;
    all.push_back(std::move(is_less ? server_only[i++] : patch[k++]));
  }
  for (; i < server_only.size(); ++i) all.push_back(std::move(server_only[i]));
  for (; k < patch.size(); ++k) all.push_back(std::move(patch[k]));
  return all;
}

}  // namespace kube::patch::internal
