#ifndef APISERVER_SPECIAL_SPECIAL_H_
#define APISERVER_SPECIAL_SPECIAL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Answers what is no verb on a stored object: subresources that are more than a part of the object,
// and kinds that are not stored. Returns nothing if the call is none of these.
std::optional<absl::StatusOr<httpserver::Response>> ServeSpecial(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_SPECIAL_H_
