#ifndef APIMACHINERY_ERRORS_STATUS_ERROR_H_
#define APIMACHINERY_ERRORS_STATUS_ERROR_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/unstructured/unstructured.h"

// What an API server answers when it refuses: a metav1::Status, carried by an absl::Status.
// (apimachinery's pkg/api/errors, whose StatusError is this)
//
// The absl::Status has the server's message, the code of the table below, and the whole
// metav1::Status as a payload. Copies keep it, and so does context that is added on the way up
// (base::Annotate, KUBE_RETURN_IF_ERROR), as Go's errors.As sees through wrapped errors. An error
// that no server sent, such as a connection refused or a deadline of ours, has none, and every
// predicate of predicates.h says no to it, whatever its code is.
//
//   if (std::optional<metav1::Status> status = errors::StatusOf(error)) Log(status->details->name);
//
// Of several errors that base::JoinErrors made one, none is seen, as with upstream's aggregates.
// Pure functions: thread-safe.
namespace kube::errors {

// The payload's type; its bytes are the JSON of the Status, which is what a log shows of it.
inline constexpr absl::string_view kStatusPayload = "kubernetes.io/metav1.Status";

// The code for code that knows nothing of Kubernetes. The reason decides where it is one of these,
// else the HTTP code; other 5xx are INTERNAL, anything else UNKNOWN. Ours ask predicates instead:
// several reasons share a code.
//
//   reason                 HTTP  code
//   BadRequest              400  INVALID_ARGUMENT
//   Unauthorized            401  UNAUTHENTICATED
//   Forbidden               403  PERMISSION_DENIED
//   NotFound                404  NOT_FOUND
//   MethodNotAllowed        405  UNIMPLEMENTED
//   NotAcceptable           406  UNIMPLEMENTED       no such content type
//   AlreadyExists           409  ALREADY_EXISTS      (of the reason alone)
//   Conflict                409  ABORTED             read, change and write again
//   Gone, Expired           410  OUT_OF_RANGE        what etcd says of a compacted revision
//   RequestEntityTooLarge   413  INVALID_ARGUMENT    sending it again does not help
//   UnsupportedMediaType    415  UNIMPLEMENTED
//   Invalid                 422  INVALID_ARGUMENT
//   TooManyRequests         429  RESOURCE_EXHAUSTED
//   InternalError           500  INTERNAL
//   ServerTimeout           500  UNAVAILABLE         (of the reason alone) try again
//   StorageReadError        500  DATA_LOSS           (of the reason alone)
//   -                       501  UNIMPLEMENTED
//   -                       502  UNAVAILABLE
//   ServiceUnavailable      503  UNAVAILABLE
//   Timeout                 504  DEADLINE_EXCEEDED   it may have been done all the same
absl::StatusCode CodeFor(const api::meta::v1::Status& status);

// The error of a Status; never OK, also if the Status says "Success", which the caller has looked
// at. (errors.FromObject of a Status)
absl::Status FromStatus(const api::meta::v1::Status& status);

// The same of an object that is a metav1.Status; of any other an error that IsUnexpectedObjectError
// tells. An unstructured one whose kind is "Status", but that has a member of another type, is
// INVALID_ARGUMENT. (FromObject)
absl::Status FromObject(const codec::AnyObject& object);
absl::Status FromObject(const unstructured::Unstructured& object);

// What a server sent where a Status was expected. `object` describes it to people, and is not to
// have secrets in it. UNKNOWN. (errors.UnexpectedObjectError)
absl::Status UnexpectedObject(absl::string_view object);

// The Status that `error` carries, as the server sent it, without context that was added since.
// Nothing: it carries none, or is OK. (errors.As with an APIStatus)
std::optional<api::meta::v1::Status> StatusOf(const absl::Status& error);

namespace internal {

// The payload that marks what UnexpectedObject made.
inline constexpr absl::string_view kUnexpectedObjectPayload = "kubernetes.io/UnexpectedObject";

// Whether upstream knows the reason, so that the HTTP code does not count.
bool IsKnownReason(absl::string_view reason);

}  // namespace internal
}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_STATUS_ERROR_H_
