#ifndef APIMACHINERY_ERRORS_ERRORS_H_
#define APIMACHINERY_ERRORS_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"

// The errors that an API server makes: for fakes, for servers, and for caches that say NotFound
// themselves. Each has the reason, the HTTP code, the details and the message of upstream's
// constructor of the name that it gives; status_error.h tells how they travel. (pkg/api/errors)
//
//   return errors::NotFound({.resource = "pods"}, name);     // pods "web-0" not found
//
// A delay is rounded down to seconds. Pure functions: thread-safe.
namespace kube::errors {

// (NewNotFound) 404
absl::Status NotFound(const schema::GroupResource& resource, absl::string_view name);

// (NewAlreadyExists) 409
absl::Status AlreadyExists(const schema::GroupResource& resource, absl::string_view name);

// No free name was found for a generateName. Its reason is AlreadyExists. (NewGenerateNameConflict)
// 409
absl::Status GenerateNameConflict(const schema::GroupResource& resource, absl::string_view name,
                                  absl::Duration retry_after);

// An empty reason reads "not authorized". (NewUnauthorized) 401
absl::Status Unauthorized(absl::string_view reason);

// (NewForbidden) 403
absl::Status Forbidden(const schema::GroupResource& resource, absl::string_view name,
                       absl::string_view cause);

// The object has changed since it was read. (NewConflict) 409
absl::Status Conflict(const schema::GroupResource& resource, absl::string_view name,
                      absl::string_view cause);

// Fields that others manage; reason Conflict. (NewApplyConflict) 409
absl::Status ApplyConflict(List<api::meta::v1::StatusCause> causes, absl::string_view message);

// Upstream wants ResourceExpired instead. (NewGone) 410
absl::Status Gone(absl::string_view message);

// A resourceVersion or a continue token is too old. (NewResourceExpired) 410
absl::Status ResourceExpired(absl::string_view message);

// Each field error becomes a cause; the message lists them, each once. (NewInvalid) 422
//
//   validation::field::ErrorList wrong = Validate(web);
//   if (!wrong.empty()) return errors::Invalid({.group = "e.com", .kind = "Web"}, name, wrong);
absl::Status Invalid(const schema::GroupKind& kind, absl::string_view name,
                     const validation::field::ErrorList& field_errors);
// The same of causes, which the message lists as "FIELD: MESSAGE".
absl::Status Invalid(const schema::GroupKind& kind, absl::string_view name,
                     List<api::meta::v1::StatusCause> causes);

// (NewBadRequest) 400
absl::Status BadRequest(absl::string_view reason);

// (NewTooManyRequests) 429
absl::Status TooManyRequests(absl::string_view message, absl::Duration retry_after);

// Without a delay, for requests that may be dropped. (NewTooManyRequestsError) 429
absl::Status TooManyRequestsError(absl::string_view message);

// (NewServiceUnavailable) 503
absl::Status ServiceUnavailable(absl::string_view reason);

// (NewMethodNotSupported) 405
absl::Status MethodNotSupported(const schema::GroupResource& resource, absl::string_view action);

// A transient error of the server: the client should try again. (NewServerTimeout) 500
absl::Status ServerTimeout(const schema::GroupResource& resource, absl::string_view operation,
                           absl::Duration retry_after);

// (NewInternalError) 500
absl::Status InternalError(absl::string_view cause);

// It may have been done all the same. (NewTimeoutError) 504
absl::Status Timeout(absl::string_view message, absl::Duration retry_after);

// (NewRequestEntityTooLargeError) 413
absl::Status RequestEntityTooLarge(absl::string_view message);

// What a server answered that is no Status.
struct GenericResponse {
  // The HTTP code.
  int code = 0;
  // The HTTP method, upper-case: a 409 means AlreadyExists for "POST", otherwise Conflict.
  absl::string_view method = {};
  schema::GroupResource resource = {};
  absl::string_view name = {};
  // What the server said.
  absl::string_view server_message = {};
  absl::Duration retry_after = absl::ZeroDuration();
  // Adds the cause that IsUnexpectedServerError looks for, with the server's message.
  bool is_unexpected = false;
};

// The reason follows from the code. (NewGenericServerResponse)
absl::Status GenericServerResponse(const GenericResponse& response);

// What a client found wrong with an answer: a generic, unexpected one, with a second cause of type
// `reason`; an empty one is "ClientError". (NewClientErrorReporter(code, method, reason).AsObject)
absl::Status ClientError(int code, absl::string_view method, absl::string_view reason,
                         absl::string_view cause);

}  // namespace kube::errors

#endif  // APIMACHINERY_ERRORS_ERRORS_H_
