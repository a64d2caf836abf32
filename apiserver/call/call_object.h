#ifndef APISERVER_CALL_CALL_OBJECT_H_
#define APISERVER_CALL_CALL_OBJECT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// An object that a client sent, with defaults, of the namespace that the request names.
absl::StatusOr<Object> ObjectOf(Call& call, absl::string_view field_validation);

// Gives an object the namespace that the request names. 400 if the object names another one.
absl::Status SetNamespace(Object& object, const Call& call);

// Whether an object says the name that stands in the path.
absl::Status CheckName(const api::meta::v1::ObjectMeta& metadata, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CALL_OBJECT_H_
