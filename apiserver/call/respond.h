#ifndef APISERVER_CALL_RESPOND_H_
#define APISERVER_CALL_RESPOND_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/list_page.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Returns a response with an object, and the call's warnings.
absl::StatusOr<httpserver::Response> RespondObject(int code, const StoredObject& object,
                                                   const Call& call);

// Returns a response with an error and the call's warnings. Errors without warnings are returned as
// a Status instead.
httpserver::Response RespondError(const absl::Status& error, const Call& call);

// Returns the response to a PUT or PATCH: 200, or 201 if the object was created.
absl::StatusOr<httpserver::Response> RespondWritten(const Written& written, const Call& call);

// Returns the response to the deletion of one object: the object or a Status.
absl::StatusOr<httpserver::Response> RespondDeleted(const Deleted& deleted, const Call& call);

// Returns the response with a page of a list.
absl::StatusOr<httpserver::Response> RespondPage(const Page& page, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_RESPOND_H_
