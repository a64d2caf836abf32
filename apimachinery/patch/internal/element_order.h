#ifndef APIMACHINERY_PATCH_INTERNAL_ELEMENT_ORDER_H_
#define APIMACHINERY_PATCH_INTERNAL_ELEMENT_ORDER_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

// How strategic merge patches find elements of lists, and in what order they put them.
namespace kube::patch::internal {

// What the elements of a list are found by: objects by the value of their merge key, scalars by
// themselves.
struct ElementKind {
  bool objects = false;
  absl::string_view merge_key = {};
};

// The key of an element. INVALID_ARGUMENT: it is no object or does not have the merge key.
// (validateMergeKeyInLists)
absl::StatusOr<const unstructured::Value*> KeyOf(const unstructured::Value& element,
                                                 const ElementKind& kind);

// "an object does not contain declared merge key: name" (mergepatch.ErrNoMergeKey)
absl::Status NoMergeKeyError(absl::string_view merge_key);

// Where keys are in a list. Copies them.
class KeyIndex {
 public:
  KeyIndex() = default;
  // INVALID_ARGUMENT as KeyOf.
  static absl::StatusOr<KeyIndex> Of(const List<unstructured::Value>& list,
                                     const ElementKind& kind);

  void Append(const unstructured::Value& key);
  // Without those keys, wherever they are.
  void Erase(const absl::flat_hash_set<unstructured::Value>& keys);
  size_t size() const { return keys_.size(); }

  // The first position; -1 if it is nowhere. INVALID_ARGUMENT where Go panics.
  absl::StatusOr<int> Find(const unstructured::Value& key) const;

 private:
  std::vector<unstructured::Value> keys_;
  // Of many keys; made when it is first needed.
  mutable absl::flat_hash_map<unstructured::Value, int> positions_;
  bool has_list_ = false;
  bool has_object_ = false;
};

// Puts `patch` in the order of `patch_order` and `server_only` in that of `server_order`, and
// merges the two so that each keeps its order, and as far as can be that of `server_order` too.
// (normalizeElementOrder)
absl::StatusOr<List<unstructured::Value>> NormalizeElementOrder(
    List<unstructured::Value> patch, List<unstructured::Value> server_only,
    const KeyIndex& patch_order, const KeyIndex& server_order, const ElementKind& kind);

// Puts elements in the order of `order`; behind them those that are to be deleted.
// (normalizeSliceOrder)
absl::StatusOr<List<unstructured::Value>> NormalizeOrder(List<unstructured::Value> elements,
                                                         const KeyIndex& order,
                                                         const ElementKind& kind);

// Go's sort.SliceStable of the numbers below `size`, for which `less` need not be an order: what
// comes out then depends on which it compares.
std::vector<size_t> SortStableAsGo(size_t size, const std::function<bool(size_t, size_t)>& less);

// Go's sort.Sort by `less` that holds for equal ones too, as upstream's does: equal ones change
// their order. As Go does it up to twelve elements; of more than that, with equal ones among them,
// Go's order is another.
std::vector<size_t> SortAsGo(size_t size, const std::function<bool(size_t, size_t)>& less);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_ELEMENT_ORDER_H_
