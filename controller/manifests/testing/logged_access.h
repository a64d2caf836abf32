#ifndef CONTROLLER_MANIFESTS_TESTING_LOGGED_ACCESS_H_
#define CONTROLLER_MANIFESTS_TESTING_LOGGED_ACCESS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apiserver/handler.h"

// Reads from a server's log of requests which rights the requests needed. Pure functions.
namespace kube::manifests {

// Something that a server has asked its authorization about, for one request.
struct LoggedAccess {
  std::string verb = {};
  std::string group = {};
  std::string resource = {};     // "deployments"; empty for a path
  std::string subresource = {};  // "status"
  std::string namespace_name = {};
  // The name in the URL. Empty for lists, and for a POST of a new object: rights that are limited
  // to names do not allow these.
  std::string name = {};
  std::string path = {};  // "/healthz", for a request without a resource
  // Whether it was forbidden.
  bool denied = false;
};

// Returns what the server has asked for: the verb of the request, and "create" too if an update or
// an apply has created its object, or was forbidden to.
std::vector<LoggedAccess> AccessesOf(const apiserver::LoggedRequest& request);

// Returns the resource with its subresource, as rules have it: "deployments/status".
std::string RuleResource(const LoggedAccess& access);

// Returns the verb and what it is for: "patch deployments.apps/status in \"web\"", "get /healthz".
std::string AccessText(const LoggedAccess& access);

// Returns the resource of a rule with its group, for messages: "deployments.apps/status".
std::string ResourceText(absl::string_view rule_resource, absl::string_view group);

}  // namespace kube::manifests

#endif  // CONTROLLER_MANIFESTS_TESTING_LOGGED_ACCESS_H_
