#ifndef APIMACHINERY_MANAGEDFIELDS_EXTRACT_H_
#define APIMACHINERY_MANAGEDFIELDS_EXTRACT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// Returns the part of `object` that `manager` owns by apply: what it would have to apply to leave
// everything as it is. apiVersion, kind, name and namespace are always in it, if the object has
// them. An object that the manager never applied gives no more than these. `subresource` is "" for
// the object itself. List items have the key fields that the manager applied; defaulted ones are
// not added.
//
// Returns INVALID_ARGUMENT if the object does not fit `schema`, the manager's entry cannot be
// decoded or is of another version than the object, or the object has nothing of what the entry
// names (apimachinery: `managedfields.ExtractInto`, and what client-go's `ExtractDeploymentFrom`
// and the like add to it).
absl::StatusOr<unstructured::Value> ExtractOwned(const TrackedObject& object, const Schema& schema,
                                                 absl::string_view manager,
                                                 absl::string_view subresource = "");

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_EXTRACT_H_
