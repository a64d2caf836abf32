#ifndef APISERVER_SPECIAL_SPECIAL_H_
#define APISERVER_SPECIAL_SPECIAL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Serves calls that are not verbs on stored objects: subresources with a behaviour of their own
// (binding, eviction, exec, logs, scale and others) and kinds that are never stored (reviews,
// tokens). Returns nullopt if `call` is an ordinary verb.
std::optional<absl::StatusOr<Answer>> ServeSpecial(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_SPECIAL_H_
