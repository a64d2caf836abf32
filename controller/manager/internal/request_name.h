#ifndef CONTROLLER_MANAGER_INTERNAL_REQUEST_NAME_H_
#define CONTROLLER_MANAGER_INTERNAL_REQUEST_NAME_H_

#include <compare>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::controller::internal {

// The kind of a request to an API server: neither namespaces nor names of objects are in it.
struct RequestName {
  // The verb of the API, such as "list", "watch" or "deletecollection"; for what is not a resource
  // the method, such as "get".
  std::string verb = {};
  // "pods", "deployments.apps", "pods/log", "deployments.apps/scale". For what is not a resource
  // the beginning of the path: "/version", "/openapi".
  std::string resource = {};

  friend auto operator<=>(const RequestName&, const RequestName&) = default;
};

// Returns the kind of a request. `url` may have a path in front of that of the API, as behind some
// proxies. (apiserver: `RequestInfoFactory`)
RequestName NameOf(absl::string_view method, absl::string_view url);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_REQUEST_NAME_H_
