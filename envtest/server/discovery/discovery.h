#ifndef ENVTEST_SERVER_DISCOVERY_DISCOVERY_H_
#define ENVTEST_SERVER_DISCOVERY_DISCOVERY_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "envtest/server/request_info.h"
#include "envtest/server/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// What is at a path that is no resource's: /api and /apis in their legacy and aggregated forms,
// /version, some of /openapi/v3, and what tells that the server is well. Nothing: there is nothing,
// 404. Pure: thread-safe.
std::optional<httpserver::Response> ServeNonResource(const Resources& resources,
                                                     const httpserver::Request& request,
                                                     const RequestInfo& info);

// The 404 of a path that no group claims.
httpserver::Response PageNotFound();

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_DISCOVERY_DISCOVERY_H_
