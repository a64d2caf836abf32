#ifndef APIMACHINERY_MANAGEDFIELDS_REMOVE_ITEMS_H_
#define APIMACHINERY_MANAGEDFIELDS_REMOVE_ITEMS_H_

#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

// Parts of objects, by field sets. The values must have passed Validate, duplicates allowed. Both
// functions visit only what is on the way to the members of the set. As upstream, they turn a list
// or map on this way into null if nothing is left of it, also the value itself.
namespace kube::managedfields {

// Returns `value` without the members of `set` and all that is below them. Lists and maps that are
// empty, or owned as a whole, become null if `set` has members below them
// (structured-merge-diff: `TypedValue.RemoveItems`).
unstructured::Value RemoveItems(const unstructured::Value& value, const FieldSet& set,
                                const Schema& schema);

struct ExtractItemsOptions {
  // Items of lists of type map keep their key fields even if these are not in the set, provided
  // that `value` has a member of the set in or below the item.
  bool append_key_fields = false;
};

// Returns only those parts of `value` that are members of `set`. Members should be leaves of
// `value`: use FieldSet::Leaves. A member that is an associative list, or a map or struct whose
// fields are owned separately, gives null unless it is empty. A member that `value` does not have
// is left out, but the lists and maps above it are not: they become null if nothing else is
// extracted from them (structured-merge-diff: `TypedValue.ExtractItems`).
unstructured::Value ExtractItems(const unstructured::Value& value, const FieldSet& set,
                                 const Schema& schema, const ExtractItemsOptions& options = {});

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_REMOVE_ITEMS_H_
