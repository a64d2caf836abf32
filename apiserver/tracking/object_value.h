#ifndef APISERVER_TRACKING_OBJECT_VALUE_H_
#define APISERVER_TRACKING_OBJECT_VALUE_H_

#include "absl/status/statusor.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// Objects as the merge sees them: JSON values with apiVersion and kind. Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns the JSON of an object of the resource's kind. Returns the errors of
// unstructured::ToValue.
absl::StatusOr<unstructured::Value> ToValue(const Resource& resource, const Object& object);

// Returns the object of a value, without defaults. Returns INVALID_ARGUMENT if it is not an object
// of the resource's kind.
absl::StatusOr<Object> ToObject(const Resource& resource, const unstructured::Value& value);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TRACKING_OBJECT_VALUE_H_
