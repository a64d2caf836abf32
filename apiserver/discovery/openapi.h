#ifndef APISERVER_DISCOVERY_OPENAPI_H_
#define APISERVER_DISCOVERY_OPENAPI_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// As much of OpenAPI as kubectl asks for before it leaves the validation of fields to the server.
// /openapi/v3 and what it points to: which groups there are, and that a PATCH of their kinds has
// the parameter fieldValidation. /openapi/v2, for what is in none of them: that it knows no kind.
// Without schemas: there is nothing to explain.
//
// Nothing: the path is none of them. Pure: thread-safe.
std::optional<httpserver::Response> ServeOpenApi(const Resources& resources,
                                                 const httpserver::Request& request,
                                                 absl::string_view path);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_OPENAPI_H_
