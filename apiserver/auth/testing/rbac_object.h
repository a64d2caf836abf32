#ifndef APISERVER_AUTH_TESTING_RBAC_OBJECT_H_
#define APISERVER_AUTH_TESTING_RBAC_OBJECT_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Returns an object of rbac.authorization.k8s.io/v1 with its defaults. Its JSON must be valid (a
// CHECK).
inline Object RbacObject(absl::string_view kind, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> object =
      codec::AnyObject::DecodeJson(*api::FindKind("rbac.authorization.k8s.io/v1", kind), json);
  KUBE_CHECK(object.ok()) << object.status();
  SetDefaults(*object);
  return Object(*std::move(object));
}

inline ObjectPtr RbacObjectPtr(absl::string_view kind, absl::string_view json) {
  return std::make_shared<const StoredObject>(RbacObject(kind, json));
}

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_TESTING_RBAC_OBJECT_H_
