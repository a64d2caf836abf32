#ifndef APIMACHINERY_ERRORS_PREDICATES_H_
#define APIMACHINERY_ERRORS_PREDICATES_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"

// Which error of an API server is this? The reason in the Status that the error carries decides;
// where it is none that Kubernetes has, the HTTP code does. OK, and errors that no server sent, are
// none of these. (pkg/api/errors)
//
//   absl::StatusOr<corev1::Pod> pod = pods.Get(ctx, "web-0");
//   if (errors::IsNotFound(pod.status())) return Create(ctx);
//
// Call them with their namespace: without it the compiler also finds absl::IsNotFound and
// absl::IsAlreadyExists, which look at nothing but the code. Each decodes the Status once: about a
// microsecond. Pure functions: thread-safe.
namespace kube::errors {

bool IsNotFound(const absl::Status& error);
// Of the reason alone: a 409 without one is a Conflict.
bool IsAlreadyExists(const absl::Status& error);
// Read the object again, change it again, write it again.
bool IsConflict(const absl::Status& error);
bool IsInvalid(const absl::Status& error);
bool IsGone(const absl::Status& error);
// A resourceVersion or continue token is too old: list again. Unlike upstream, a 410 without a
// reason is one too, as from a proxy; a reason Gone is only IsGone.
bool IsResourceExpired(const absl::Status& error);
bool IsNotAcceptable(const absl::Status& error);
bool IsUnsupportedMediaType(const absl::Status& error);
bool IsMethodNotSupported(const absl::Status& error);
bool IsServiceUnavailable(const absl::Status& error);
bool IsBadRequest(const absl::Status& error);
bool IsUnauthorized(const absl::Status& error);
bool IsForbidden(const absl::Status& error);
// The server gave up after its time limit; what was asked may still be done.
bool IsTimeout(const absl::Status& error);
// The server says: try again, after SuggestsClientDelay. Of the reason alone: it has no HTTP code.
bool IsServerTimeout(const absl::Status& error);
bool IsInternalError(const absl::Status& error);
// By reason or code: a 429 is one whatever its reason is.
bool IsTooManyRequests(const absl::Status& error);
// By reason or code, likewise. (IsRequestEntityTooLargeError)
bool IsRequestEntityTooLarge(const absl::Status& error);
// An object in etcd cannot be read. Of the reason alone.
bool IsStoreReadError(const absl::Status& error);

// The answer was not one of a Kubernetes API, so perhaps somebody else's: a proxy, a wrong port.
bool IsUnexpectedServerError(const absl::Status& error);
// UnexpectedObject made it.
bool IsUnexpectedObjectError(const absl::Status& error);

// Empty (metav1::kStatusReasonUnknown) where there is none.
std::string ReasonForError(const absl::Status& error);

// The first cause of this type, such as metav1::kCauseTypeFieldManagerConflict.
std::optional<api::meta::v1::StatusCause> StatusCause(const absl::Status& error,
                                                      absl::string_view type);
bool HasStatusCause(const absl::Status& error, absl::string_view type);

// How long the server asks to wait, in whole seconds and perhaps zero. Nothing: it does not ask. It
// does not say that trying again is right.
std::optional<absl::Duration> SuggestsClientDelay(const absl::Status& error);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_PREDICATES_H_
