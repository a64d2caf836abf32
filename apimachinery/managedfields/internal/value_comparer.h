#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_VALUE_COMPARER_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_VALUE_COMPARER_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/item_index.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// How a value differs that both objects have.
struct Difference {
  bool is_modified = false;  // the value itself
  Comparison below;

  bool empty() const { return !is_modified && below.IsSame(); }
};

// Adds the sets of a difference at `element`, which must be greater than what the sets of `to`
// have, to those of its parent.
void Attach(const PathElement& element, Difference found, Comparison& to);

// Compares Values that have passed Validate, part by part, and gathers the errors of list items
// without a key. Thread-compatible.
class ValueComparer {
 public:
  // Compares two values of one schema.
  Difference CompareBoth(const unstructured::Value& before, const unstructured::Value& after,
                         const Schema& schema);
  // Compares the members of two maps that are owned key by key. Appends what differs to `out`.
  void CompareMaps(absl::Span<const Map<unstructured::Value>::Entry> before,
                   absl::Span<const Map<unstructured::Value>::Entry> after, const MapSchema& schema,
                   Comparison& out);
  // Returns all that is below a value that only one of the objects has.
  FieldSet AllBelow(const unstructured::Value& value, const Schema& schema);

  // Returns OK or the errors of all calls.
  absl::Status ToStatus() const { return errors_.ToStatus(); }

 private:
  Difference CompareAs(Atom atom, const unstructured::Value& before,
                       const unstructured::Value& after, const Schema& schema);
  void CompareMembers(const Map<unstructured::Value>::Entry& before,
                      const Map<unstructured::Value>::Entry& after, const MapSchema& schema,
                      Comparison& out);
  void CompareLists(absl::Span<const unstructured::Value> before,
                    absl::Span<const unstructured::Value> after, const ListSchema& list,
                    Comparison& out);
  void CompareItems(absl::Span<const IndexedItem> before, absl::Span<const IndexedItem> after,
                    const ListSchema& list, size_t same, Comparison& out);
  void AppendAll(const Map<unstructured::Value>::Entry& entry, const MapSchema& schema,
                 FieldSet& out);
  void AppendAll(absl::Span<const IndexedItem> items, const ListSchema& list, FieldSet& out);

  WalkErrors errors_;
};

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_VALUE_COMPARER_H_
