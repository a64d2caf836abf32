#ifndef APISERVER_TRACKING_FIELD_TRACKER_H_
#define APISERVER_TRACKING_FIELD_TRACKER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"

// Who owns which fields: metadata.managedFields of every write, and server-side apply
// (kube-apiserver: `handlers.RequestScope.FieldManager`). Thread-safe.
namespace kube::apiserver::internal {

// Returns the field manager of a request: `field_manager`, or the User-Agent up to the first slash,
// without characters that cannot be printed and at most 128 bytes long
// (kube-apiserver: `managerOrUserAgent`).
std::string ManagerOf(absl::string_view field_manager, const Call& call);

// Sets the managed fields of `object`, which the call writes in the place of `live`; `live` is null
// for a create. `field_manager` is that of the request's options. If the objects cannot be
// compared, the object has no managed fields, as upstream: a write never fails because of its
// tracking. With HandlerOptions::managed_fields off, creates are not tracked, and so neither are
// updates of objects that were never applied.
void TrackWrite(const Core& core, const Call& call, const StoredObject* live,
                absl::string_view field_manager, Object& object);

// Returns `live` with the applied configuration, defaults and managed fields; null is an object
// that does not exist. Returns 409 if others own fields that the apply changes and it is not
// forced; 400 if the configuration is of another kind or has managed fields; 500 if it does not fit
// the schema, as upstream.
absl::StatusOr<Object> ApplyConfiguration(const Call& call, const StoredObject* live,
                                          const unstructured::Value& configuration,
                                          absl::string_view field_manager, bool force);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TRACKING_FIELD_TRACKER_H_
