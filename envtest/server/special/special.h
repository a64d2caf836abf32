#ifndef ENVTEST_SERVER_SPECIAL_SPECIAL_H_
#define ENVTEST_SERVER_SPECIAL_SPECIAL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers what is no verb on a stored object: subresources that are more than a part of the object,
// and kinds that are not stored. Returns nothing if the call is none of these.
std::optional<absl::StatusOr<httpserver::Response>> ServeSpecial(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_SPECIAL_H_
