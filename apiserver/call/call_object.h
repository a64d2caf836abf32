#ifndef APISERVER_CALL_CALL_OBJECT_H_
#define APISERVER_CALL_CALL_OBJECT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Decodes the object in the body and fills in its defaults. Adds warnings to the call.
absl::StatusOr<Object> ObjectOf(Call& call, absl::string_view field_validation);

// Returns 400 if the object names another namespace than the request. It need not name one.
absl::Status CheckNamespace(const api::meta::v1::ObjectMeta& metadata, const Call& call);

// Sets the object's namespace to that of the request. Returns 400 if the object names another one.
absl::Status SetNamespace(Object& object, const Call& call);

// Returns 400 unless the object has the name in the path.
absl::Status CheckName(const api::meta::v1::ObjectMeta& metadata, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CALL_OBJECT_H_
