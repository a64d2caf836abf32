#ifndef APISERVER_DISCOVERY_OPENAPI_H_
#define APISERVER_DISCOVERY_OPENAPI_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves the part of OpenAPI that kubectl needs before it leaves the validation of fields to the
// server: /openapi/v3 and the documents it refers to say which groups there are, and that a PATCH
// of their kinds has the parameter fieldValidation; /openapi/v2 says that it knows no other kinds.
// There are no schemas, so `kubectl explain` does not work.
//
// Returns nullopt for other paths. Pure and thread-safe.
std::optional<httpserver::Response> ServeOpenApi(const Resources& resources,
                                                 const httpserver::Request& request,
                                                 absl::string_view path);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_OPENAPI_H_
