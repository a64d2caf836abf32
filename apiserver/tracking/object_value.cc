#include "apiserver/tracking/object_value.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

using unstructured::Value;

absl::StatusOr<Value> ToValue(const Resource& resource, const Object& object) {
  if (object.is_custom()) return Value(object.ToUnstructured().object);
  KUBE_ASSIGN_OR_RETURN(Value value,
                        unstructured::ToValue(object.any().data(), *object.kind().message));
  Map<Value>& members = *value.object();
  members["kind"] = std::string(resource.kind->kind);
  members["apiVersion"] = resource.ApiVersion();
  return value;
}

absl::StatusOr<Object> ToObject(const Resource& resource, const Value& value) {
  if (resource.custom != nullptr) {
    if (!value.is_object()) return absl::InvalidArgumentError("expected an object");
    unstructured::Unstructured custom;
    custom.object = *value.object();
    return Object::MakeCustom(std::shared_ptr<const KindInfo>(resource.custom, resource.kind),
                              std::move(custom));
  }
  codec::AnyObject any(*resource.kind);
  KUBE_RETURN_IF_ERROR(
      unstructured::FromValue(value, any.data(), *resource.kind->message, /*options=*/{}));
  return Object(std::move(any));
}

}  // namespace kube::apiserver::internal
