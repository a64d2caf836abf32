#ifndef APISERVER_USER_H_
#define APISERVER_USER_H_

#include <map>
#include <string>
#include <vector>

namespace kube::apiserver {

// An authenticated user (kube-apiserver: `user.Info`).
struct User {
  std::string name = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  // Further attributes of the user, such as the "scopes" of a token, with the values of each.
  std::map<std::string, std::vector<std::string>> extra = {};

  friend bool operator==(const User&, const User&) = default;
};

// What requests without credentials may do.
enum class Anonymous {
  kHealthOnly,  // only /version, /healthz, /livez and /readyz, else 403 as under RBAC
  kAll,         // everything
  kNone,        // nothing: 401
};

// A rule that forbids requests. An empty field matches everything.
struct DenyRule {
  std::string user = {};
  std::string verb = {};      // "get", "list", "watch", "create", "impersonate" ...
  std::string group = {};     // the resource's group; ignored if `resource` is empty
  std::string resource = {};  // "pods", "pods/status"
  std::string namespace_name = {};
};

}  // namespace kube::apiserver

#endif  // APISERVER_USER_H_
