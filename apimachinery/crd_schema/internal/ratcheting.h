#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_RATCHETING_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_RATCHETING_H_

#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Finds the parts of an object that an update left unchanged (kube-apiserver: `CorrelatedObject` of
// `cel/common`). Pure and thread-safe.
namespace kube::crd_schema::internal {

// Returns the schema of a member, or null if it has none.
const Node* MemberSchema(const Node& node, absl::string_view name);

// Returns the old element that corresponds to `element`: in a list of type map the one with the
// same keys. Returns null if that is unknown.
const unstructured::Value* OldElement(const Node& node, const unstructured::Value& element,
                                      const unstructured::Value& old_list);

// Return whether nothing has changed. An object with members that have no schema counts as changed.
// In a list of type map the order is ignored.
bool IsUnchanged(const Node& node, const unstructured::Value& value,
                 const unstructured::Value& old_value);
bool IsUnchanged(const Node& node, const Map<unstructured::Value>& object,
                 const Map<unstructured::Value>& old_object);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_RATCHETING_H_
