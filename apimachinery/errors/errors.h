#ifndef APIMACHINERY_ERRORS_ERRORS_H_
#define APIMACHINERY_ERRORS_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"

// Create the errors that an API server returns, for fakes, for servers, and for caches that must
// report NotFound themselves. Each error has the reason, the HTTP code, the details and the message
// of the Go function named with it; status_error.h describes how it is carried. apimachinery:
// package `api/errors`.
//
//   return errors::NotFound({.resource = "pods"}, name);  // pods "web-0" not found
//
// Delays are truncated to whole seconds. Pure functions: thread-safe.
namespace kube::errors {

// Returns HTTP code 404. apimachinery: `NewNotFound`.
absl::Status NotFound(const schema::GroupResource& resource, absl::string_view name);

// Returns HTTP code 409. apimachinery: `NewAlreadyExists`.
absl::Status AlreadyExists(const schema::GroupResource& resource, absl::string_view name);

// Reports that no free name was found for a generateName. The reason is AlreadyExists, the HTTP
// code 409. apimachinery: `NewGenerateNameConflict`.
absl::Status GenerateNameConflict(const schema::GroupResource& resource, absl::string_view name,
                                  absl::Duration retry_after);

// Returns HTTP code 401. If `reason` is empty, the message is "not authorized". apimachinery:
// `NewUnauthorized`.
absl::Status Unauthorized(absl::string_view reason);

// Returns HTTP code 403. apimachinery: `NewForbidden`.
absl::Status Forbidden(const schema::GroupResource& resource, absl::string_view name,
                       absl::string_view cause);

// Reports that the object has changed since it was read. HTTP code 409. apimachinery:
// `NewConflict`.
absl::Status Conflict(const schema::GroupResource& resource, absl::string_view name,
                      absl::string_view cause);

// Reports that other field managers own fields of the applied object. The reason is Conflict, the
// HTTP code 409. apimachinery: `NewApplyConflict`.
absl::Status ApplyConflict(List<api::meta::v1::StatusCause> causes, absl::string_view message);

// Returns HTTP code 410. apimachinery: `NewGone`, which is deprecated in favour of ResourceExpired.
absl::Status Gone(absl::string_view message);

// Reports that a resourceVersion or a continue token is too old. HTTP code 410. apimachinery:
// `NewResourceExpired`.
absl::Status ResourceExpired(absl::string_view message);

// Makes each field error a cause; the message lists each distinct error once. HTTP code 422.
// apimachinery: `NewInvalid`.
//
//   const validation::field::ErrorList wrong = Validate(web);
//   if (!wrong.empty()) return errors::Invalid({.group = "e.com", .kind = "Web"}, web.name, wrong);
absl::Status Invalid(const schema::GroupKind& kind, absl::string_view name,
                     const validation::field::ErrorList& field_errors);
// Returns the same error for the given causes; the message lists them as "FIELD: MESSAGE".
absl::Status Invalid(const schema::GroupKind& kind, absl::string_view name,
                     List<api::meta::v1::StatusCause> causes);

// Returns HTTP code 400. apimachinery: `NewBadRequest`.
absl::Status BadRequest(absl::string_view reason);

// Returns HTTP code 429. apimachinery: `NewTooManyRequests`.
absl::Status TooManyRequests(absl::string_view message, absl::Duration retry_after);

// Returns HTTP code 429 without a delay, for requests that may be dropped. apimachinery:
// `NewTooManyRequestsError`.
absl::Status TooManyRequestsError(absl::string_view message);

// Returns HTTP code 503. apimachinery: `NewServiceUnavailable`.
absl::Status ServiceUnavailable(absl::string_view reason);

// Returns HTTP code 405. apimachinery: `NewMethodNotSupported`.
absl::Status MethodNotSupported(const schema::GroupResource& resource, absl::string_view action);

// Reports a transient error of the server: the client should try again. HTTP code 500.
// apimachinery: `NewServerTimeout`.
absl::Status ServerTimeout(const schema::GroupResource& resource, absl::string_view operation,
                           absl::Duration retry_after);

// Returns HTTP code 500. apimachinery: `NewInternalError`.
absl::Status InternalError(absl::string_view cause);

// Reports that the server gave up after its time limit; the operation may still be carried out.
// HTTP code 504. apimachinery: `NewTimeoutError`.
absl::Status Timeout(absl::string_view message, absl::Duration retry_after);

// Returns HTTP code 413. apimachinery: `NewRequestEntityTooLargeError`.
absl::Status RequestEntityTooLarge(absl::string_view message);

// A response of a server that is not a Status.
struct GenericResponse {
  // The HTTP code.
  int code = 0;
  // The HTTP method in upper case. A 409 means AlreadyExists for "POST", otherwise Conflict.
  absl::string_view method = {};
  schema::GroupResource resource = {};
  absl::string_view name = {};
  // The text of the response.
  absl::string_view server_message = {};
  absl::Duration retry_after = absl::ZeroDuration();
  // Adds a cause with the server's message, by which IsUnexpectedServerError recognises the error.
  bool is_unexpected = false;
};

// Derives the reason from the code. apimachinery: `NewGenericServerResponse`.
absl::Status GenericServerResponse(const GenericResponse& response);

// Reports that a client found an error in a response: a generic, unexpected one with a second cause
// of type `reason`, or of type "ClientError" if `reason` is empty. apimachinery:
// `NewClientErrorReporter(code, method, reason).AsObject`.
absl::Status ClientError(int code, absl::string_view method, absl::string_view reason,
                         absl::string_view cause);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_ERRORS_H_
