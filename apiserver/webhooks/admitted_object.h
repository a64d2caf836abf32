#ifndef APISERVER_WEBHOOKS_ADMITTED_OBJECT_H_
#define APISERVER_WEBHOOKS_ADMITTED_OBJECT_H_

#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// An object as webhooks see it: one of a resource, or of another kind, such as a Scale, an Eviction
// or PodExecOptions, which have no Object. Move-only; thread-compatible.
class AdmittedObject {
 public:
  explicit AdmittedObject(Object object) : object_(std::move(object)) {}
  explicit AdmittedObject(codec::AnyObject other) : object_(std::move(other)) {}

  AdmittedObject Copy() const;

  const KindInfo& kind() const;
  // Returns whether it was made of an Object, which is one of the resource.
  bool is_resource() const { return object() != nullptr; }
  // Returns null if the kind has no metadata.
  const Map<String>* labels() const;
  // Returns "" if it has no name, or none yet.
  absl::string_view name() const;

  // Returns the JSON with apiVersion and kind. Returns the errors of unstructured::ToValue.
  absl::StatusOr<unstructured::Value> ToValue() const;
  // Returns an object of the same kind from a JSON that was changed: decoded, pruned and with
  // defaults. `resource` is the resource whose version it has. With `strict`, fields that a
  // built-in kind does not have are an error. Returns INVALID_ARGUMENT, or an error with a Status,
  // if it is not such an object.
  absl::StatusOr<AdmittedObject> FromValue(unstructured::Value value, const Resource& resource,
                                           bool strict = false) const;

  // Returns the object in the version of `resource`. Objects of other kinds than the resource's
  // stay as they are. Returns the error of a conversion webhook, which is called for it.
  absl::StatusOr<AdmittedObject> In(const Resource& resource) const;

  // Return the object, which must have been made of one of this type.
  Object TakeObject() && { return std::move(std::get<Object>(object_)); }
  codec::AnyObject TakeOther() && { return std::move(std::get<codec::AnyObject>(object_)); }

 private:
  const Object* object() const { return std::get_if<Object>(&object_); }
  const codec::AnyObject& any() const;

  std::variant<Object, codec::AnyObject> object_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_ADMITTED_OBJECT_H_
