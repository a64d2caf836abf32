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

// The answer with an object.
absl::StatusOr<httpserver::Response> RespondObject(int code, const StoredObject& object,
                                                   const Call& call);

// An error before which the call's warnings were said. Others are returned without an answer.
httpserver::Response RespondError(const absl::Status& error, const Call& call);

// What a PUT or PATCH answers, and for which code.
absl::StatusOr<httpserver::Response> RespondWritten(const Written& written, const Call& call);

// The answer to a deletion of one object: it, or a Status.
absl::StatusOr<httpserver::Response> RespondDeleted(const Deleted& deleted, const Call& call);

// The answer with a page of a list.
absl::StatusOr<httpserver::Response> RespondPage(const Page& page, const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_RESPOND_H_
