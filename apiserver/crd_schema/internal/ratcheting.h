#ifndef APISERVER_CRD_SCHEMA_INTERNAL_RATCHETING_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_RATCHETING_H_

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/crd_schema/internal/node.h"

// Which parts of an object an update left as they were. (apiserver's cel/common: CorrelatedObject)
// Pure functions: thread-safe.
namespace kube::crd_schema::internal {

// The schema of a member; null: it has none.
const Node* MemberSchema(const Node& node, absl::string_view name);

// What was at the place of an element of `value`, a list: in a list of type map the element with
// the same keys. Null: nobody can say.
const unstructured::Value* OldElement(const Node& node, const unstructured::Value& element,
                                      const unstructured::Value& old_list);

// Whether nothing changed. An object with members that have no schema counts as changed; the order
// in a list of type map does not matter.
bool IsUnchanged(const Node& node, const unstructured::Value& value,
                 const unstructured::Value& old_value);
bool IsUnchanged(const Node& node, const Map<unstructured::Value>& object,
                 const Map<unstructured::Value>& old_object);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_RATCHETING_H_
