#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_OBJECT_TEXT_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_OBJECT_TEXT_H_

#include <string>

#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// Returns the kind of an object. It is empty, as upstream, if the apiVersion is malformed
// (apimachinery: `Unstructured.GroupVersionKind`).
schema::GroupVersionKind KindOf(const unstructured::Value& object);

// Names an object in errors: "default/web; apps/v1, Kind=Deployment"
// (apimachinery: `objectGVKNN`).
std::string ObjectText(const unstructured::Value& object);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_OBJECT_TEXT_H_
