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

// Finds the elements of lists for strategic merge patches, and puts them in order.
namespace kube::patch::internal {

// How the elements of a list are identified: objects by the value of their merge key, scalars by
// themselves.
struct ElementKind {
  bool objects = false;
  absl::string_view merge_key = {};
};

// Returns the key of an element. Returns INVALID_ARGUMENT if the element is not an object or does
// not have the merge key. (client-go: `validateMergeKeyInLists`)
absl::StatusOr<const unstructured::Value*> KeyOf(const unstructured::Value& element,
                                                 const ElementKind& kind);

// Returns "an object does not contain declared merge key: name" (client-go:
// `mergepatch.ErrNoMergeKey`).
absl::Status NoMergeKeyError(absl::string_view merge_key);

// The positions of keys in a list. It has copies of the keys. Thread-compatible, also for Find.
class KeyIndex {
 public:
  KeyIndex() = default;
  // Returns the errors of KeyOf.
  static absl::StatusOr<KeyIndex> Of(const List<unstructured::Value>& list,
                                     const ElementKind& kind);

  void Append(const unstructured::Value& key);
  // Removes these keys at all their positions.
  void Erase(const absl::flat_hash_set<unstructured::Value>& keys);
  size_t size() const { return keys_.size(); }

  // Returns the first position of the key, or -1. Returns INVALID_ARGUMENT in cases in which Go
  // panics: the key, and a key of the list, are both lists or both objects.
  absl::StatusOr<int> Find(const unstructured::Value& key) const;

 private:
  std::vector<unstructured::Value> keys_;
  // Used for many keys only; filled when it is first needed.
  mutable absl::flat_hash_map<unstructured::Value, int> positions_;
  bool has_list_ = false;
  bool has_object_ = false;
};

// Puts `patch` in the order of `patch_order` and `server_only` in the order of `server_order`. Then
// merges the two so that each keeps its order and, where possible, that of `server_order` is kept
// too. (client-go: `normalizeElementOrder`)
absl::StatusOr<List<unstructured::Value>> NormalizeElementOrder(
    List<unstructured::Value> patch, List<unstructured::Value> server_only,
    const KeyIndex& patch_order, const KeyIndex& server_order, const ElementKind& kind);

// Puts elements in the order of `order`, followed by the elements that are marked for deletion
// (client-go: `normalizeSliceOrder`).
absl::StatusOr<List<unstructured::Value>> NormalizeOrder(List<unstructured::Value> elements,
                                                         const KeyIndex& order,
                                                         const ElementKind& kind);

// Sorts the numbers below `size` as Go's sort.SliceStable does. `less` need not be an order: then
// the result depends on which numbers are compared, as in Go.
std::vector<size_t> SortStableAsGo(size_t size, const std::function<bool(size_t, size_t)>& less);

// Sorts as Go's sort.Sort does with a `less` that is true also for equal elements, as upstream's
// is: equal elements are reversed. The result is Go's for up to twelve elements; for more elements,
// some of them equal, Go's order is another.
std::vector<size_t> SortAsGo(size_t size, const std::function<bool(size_t, size_t)>& less);

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_ELEMENT_ORDER_H_
