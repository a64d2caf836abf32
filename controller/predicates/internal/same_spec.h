#ifndef CONTROLLER_PREDICATES_INTERNAL_SAME_SPEC_H_
#define CONTROLLER_PREDICATES_INTERNAL_SAME_SPEC_H_

#include "apimachinery/codec/reflect.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::controller::internal {

// Return whether two objects of one type are equal in all members but metadata, status, apiVersion
// and kind, such as the `data` of a ConfigMap. The last two are not compared because objects of a
// list lack them. Thread-safe.
bool SameMembers(const codec::ValueView& before, const codec::ValueView& after);
bool SameMembers(const unstructured::Unstructured& before, const unstructured::Unstructured& after);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_PREDICATES_INTERNAL_SAME_SPEC_H_
