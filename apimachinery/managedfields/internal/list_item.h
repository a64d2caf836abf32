#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_LIST_ITEM_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_LIST_ITEM_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

// What all walks through values and schemas have in common. Pure functions: thread-safe.
namespace kube::managedfields::internal {

// Returns the path element that identifies an item of an associative list: its key fields, with the
// defaults of those that it lacks, or its value if the list has no keys. Returns INVALID_ARGUMENT
// with upstream's text, without a path, if the item has no key or is of a type that cannot be one
// (structured-merge-diff: `listItemToPathElement`).
absl::StatusOr<PathElement> ListItemElement(const unstructured::Value& item,
                                            const ListSchema& list);

// The values that identify an item: those of its key fields, in the order of ListSchema::keys and
// null for those that it lacks and that have no default; the item itself if the list has no keys.
// They point into the item and the schema.
using ItemKey = absl::InlinedVector<const unstructured::Value*, 2>;

// Finds the key of an item without making a path element of it. Returns the errors of
// ListItemElement.
absl::StatusOr<ItemKey> ItemKeyOf(const unstructured::Value& item, const ListSchema& list);
// Returns the path element of a key that ItemKeyOf returned for an item of `list`.
PathElement ElementOf(const ItemKey& key, const ListSchema& list);

// How a value is walked: what its own form and the schema leave. A null value is a leaf.
enum class Form : uint8_t {
  kLeaf,  // a scalar, null, or a list or map that is owned as a whole
  kList,  // an associative list, which may be empty
  kMap,   // a map that is owned key by key, which may be empty
};
Form FormOf(const unstructured::Value& value, const Schema& schema);

// Which of the things that a schema allows is taken for a value: what the value is, or, for null
// and for values that are not allowed, the first of map, scalar and list that the schema has
// (structured-merge-diff: `deduceAtom`, `handleAtom`).
enum class Atom : uint8_t { kNone, kMap, kScalar, kList };
Atom AtomOf(const unstructured::Value& value, const Schema& schema);

// Returns `schema`, or one that allows nothing if it is null, as for undeclared fields.
const Schema& OrNothing(const Schema* schema);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_LIST_ITEM_H_
