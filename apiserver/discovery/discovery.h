#ifndef APISERVER_DISCOVERY_DISCOVERY_H_
#define APISERVER_DISCOVERY_DISCOVERY_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "apiserver/openapi/openapi.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves the paths without a resource: /api and /apis in their legacy and aggregated forms,
// /version, /openapi by `openapi`, and the health checks. Returns nullopt if there is no such path
// (404). Thread-safe.
std::optional<httpserver::Response> ServeNonResource(OpenApi& openapi, const Resources& resources,
                                                     const httpserver::Request& request,
                                                     const RequestInfo& info);

// Returns the 404 for a path that belongs to no group.
httpserver::Response PageNotFound();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_DISCOVERY_H_
