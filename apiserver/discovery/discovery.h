#ifndef APISERVER_DISCOVERY_DISCOVERY_H_
#define APISERVER_DISCOVERY_DISCOVERY_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// What is at a path that is no resource's: /api and /apis in their legacy and aggregated forms,
// /version, some of /openapi/v3, and what tells that the server is well. Nothing: there is nothing,
// 404. Pure: thread-safe.
std::optional<httpserver::Response> ServeNonResource(const Resources& resources,
                                                     const httpserver::Request& request,
                                                     const RequestInfo& info);

// The 404 of a path that no group claims.
httpserver::Response PageNotFound();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_DISCOVERY_H_
