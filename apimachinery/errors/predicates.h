#ifndef APIMACHINERY_ERRORS_PREDICATES_H_
#define APIMACHINERY_ERRORS_PREDICATES_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"

// Classify an error of an API server. The reason of the Status that the error carries decides; if
// Kubernetes does not know that reason, the HTTP code decides. For OK, and for errors that no
// server sent, all predicates return false. apimachinery: package `api/errors`.
//
//   absl::StatusOr<corev1::Pod> pod = pods.Get(ctx, "web-0");
//   if (errors::IsNotFound(pod.status())) pod = pods.Create(ctx, wanted);
//
// Qualify the calls with the namespace: otherwise the compiler also finds absl::IsNotFound and
// absl::IsAlreadyExists, which test only the absl code. Each call decodes the Status once, which
// takes about a microsecond. Pure functions: thread-safe.
namespace kube::errors {

bool IsNotFound(const absl::Status& error);
// Tests only the reason: a 409 without a reason is a Conflict.
bool IsAlreadyExists(const absl::Status& error);
// Read the object again, apply the change to it and update it.
bool IsConflict(const absl::Status& error);
bool IsInvalid(const absl::Status& error);
bool IsGone(const absl::Status& error);
// A resourceVersion or a continue token is too old: list again. Unlike in apimachinery, a 410
// without a known reason, as from a proxy, counts too; the reason Gone counts only for IsGone.
bool IsResourceExpired(const absl::Status& error);
bool IsNotAcceptable(const absl::Status& error);
bool IsUnsupportedMediaType(const absl::Status& error);
bool IsMethodNotSupported(const absl::Status& error);
bool IsServiceUnavailable(const absl::Status& error);
bool IsBadRequest(const absl::Status& error);
bool IsUnauthorized(const absl::Status& error);
bool IsForbidden(const absl::Status& error);
// The server gave up after its time limit; the operation may still be carried out.
bool IsTimeout(const absl::Status& error);
// Try again after the time of SuggestsClientDelay. Tests only the reason, because it has no HTTP
// code of its own.
bool IsServerTimeout(const absl::Status& error);
bool IsInternalError(const absl::Status& error);
// Tests the reason or the code: a 429 counts whatever its reason is.
bool IsTooManyRequests(const absl::Status& error);
// Tests the reason or the code, too. apimachinery: `IsRequestEntityTooLargeError`.
bool IsRequestEntityTooLarge(const absl::Status& error);
// An object in etcd cannot be read. Tests only the reason.
bool IsStoreReadError(const absl::Status& error);

// The response did not come from a Kubernetes API, but for example from a proxy or another server.
bool IsUnexpectedServerError(const absl::Status& error);
// Returns whether UnexpectedObject created the error.
bool IsUnexpectedObjectError(const absl::Status& error);

// Return OK instead of an error that says NotFound or AlreadyExists, and everything else unchanged.
// For a deletion of what may be gone, or a creation of what may exist. controller-runtime:
// `client.IgnoreNotFound`, `client.IgnoreAlreadyExists`.
//
//   KUBE_RETURN_IF_ERROR(errors::IgnoreNotFound(pods.Delete(ctx, "web-0")));
absl::Status IgnoreNotFound(const absl::Status& error);
absl::Status IgnoreAlreadyExists(const absl::Status& error);

// Returns the reason of the Status, or "" (metav1::kStatusReasonUnknown) without one.
std::string ReasonForError(const absl::Status& error);

// Returns the first cause of this type, such as metav1::kCauseTypeFieldManagerConflict.
std::optional<api::meta::v1::StatusCause> StatusCause(const absl::Status& error,
                                                      absl::string_view type);
bool HasStatusCause(const absl::Status& error, absl::string_view type);

// Returns how long the server asks to wait, in whole seconds and possibly zero, or nullopt if it
// does not ask. A result does not mean that the request may be repeated.
std::optional<absl::Duration> SuggestsClientDelay(const absl::Status& error);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_PREDICATES_H_
