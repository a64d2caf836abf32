#ifndef ENVTEST_SERVER_CALL_RESPOND_H_
#define ENVTEST_SERVER_CALL_RESPOND_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/list_page.h"
#include "envtest/server/object.h"
#include "envtest/server/registry/registry.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

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

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_RESPOND_H_
