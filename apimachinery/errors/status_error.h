#ifndef APIMACHINERY_ERRORS_STATUS_ERROR_H_
#define APIMACHINERY_ERRORS_STATUS_ERROR_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/unstructured/unstructured.h"

// Errors of an API server: a metav1::Status carried by an absl::Status. apimachinery: package
// `api/errors`, `StatusError`.
//
// The absl::Status has the server's message, a code from the table below, and the whole
// metav1::Status as a payload. Copies keep the payload, and so do errors to which context is added
// (base::Annotate, KUBE_RETURN_IF_ERROR), as Go's errors.As finds a wrapped error. An error that no
// server sent, such as a refused connection or an expired deadline, has no payload, and all
// predicates of predicates.h return false for it, whatever its code is.
//
//   const std::optional<metav1::Status> status = errors::StatusOf(error);
//   if (status && status->details) return status->details->name;
//
// If base::JoinErrors has combined different errors, the result has no payload; in Go, aggregates
// hide their errors likewise. Pure functions: thread-safe.
namespace kube::errors {

// The type URL of the payload. Its value is the Status as JSON, which can be read in logs.
inline constexpr absl::string_view kStatusPayload = "kubernetes.io/metav1.Status";

// Returns the code for callers that know nothing of Kubernetes. If the reason is in this table, it
// decides, otherwise the HTTP code; other 5xx codes are INTERNAL, all others UNKNOWN. Several
// reasons share a code, so use the predicates instead where possible.
//
//   reason                 HTTP  code
//   BadRequest              400  INVALID_ARGUMENT
//   Unauthorized            401  UNAUTHENTICATED
//   Forbidden               403  PERMISSION_DENIED
//   NotFound                404  NOT_FOUND
//   MethodNotAllowed        405  UNIMPLEMENTED
//   NotAcceptable           406  UNIMPLEMENTED       the content type is not supported
//   AlreadyExists           409  ALREADY_EXISTS      by reason only
//   Conflict                409  ABORTED             read, change and write again
//   Gone, Expired           410  OUT_OF_RANGE        as etcd reports a compacted revision
//   RequestEntityTooLarge   413  INVALID_ARGUMENT    trying again does not help
//   UnsupportedMediaType    415  UNIMPLEMENTED
//   Invalid                 422  INVALID_ARGUMENT
//   TooManyRequests         429  RESOURCE_EXHAUSTED
//   InternalError           500  INTERNAL
//   ServerTimeout           500  UNAVAILABLE         by reason only; try again
//   StorageReadError        500  DATA_LOSS           by reason only
//   -                       501  UNIMPLEMENTED
//   -                       502  UNAVAILABLE
//   ServiceUnavailable      503  UNAVAILABLE
//   Timeout                 504  DEADLINE_EXCEEDED   it may still be carried out
absl::StatusCode CodeFor(const api::meta::v1::Status& status);

// Returns the error of a Status. It is never OK, even if the Status says "Success": check that
// first. apimachinery: `FromObject` for a Status.
absl::Status FromStatus(const api::meta::v1::Status& status);

// Returns the error of an object that is a metav1::Status. For any other object returns an error
// for which IsUnexpectedObjectError is true. Returns INVALID_ARGUMENT for an Unstructured of kind
// "Status" with a field of a wrong type. apimachinery: `FromObject`.
absl::Status FromObject(const codec::AnyObject& object);
absl::Status FromObject(const unstructured::Unstructured& object);

// Returns UNKNOWN, for an object that a server sent instead of a Status. `object` describes it for
// people and must not contain secrets. apimachinery: `UnexpectedObjectError`.
absl::Status UnexpectedObject(absl::string_view object);

// Returns the Status that `error` carries, as the server sent it, without context added since.
// Returns nullopt if it carries none or is OK. Go: `errors.As` with an APIStatus.
std::optional<api::meta::v1::Status> StatusOf(const absl::Status& error);

namespace internal {

// The payload that marks errors of UnexpectedObject.
inline constexpr absl::string_view kUnexpectedObjectPayload = "kubernetes.io/UnexpectedObject";

// Returns whether apimachinery knows the reason, so that the HTTP code does not matter.
bool IsKnownReason(absl::string_view reason);

}  // namespace internal
}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_STATUS_ERROR_H_
