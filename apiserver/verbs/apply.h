#ifndef APISERVER_VERBS_APPLY_H_
#define APISERVER_VERBS_APPLY_H_

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves a PATCH of the type application/apply-patch+yaml: server-side apply, which creates an
// object that does not exist (kube-apiserver: `applyPatcher`).
absl::StatusOr<httpserver::Response> ServeApply(Core& core, Call& call,
                                                const api::meta::v1::PatchOptions& options);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_APPLY_H_
