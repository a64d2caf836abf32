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
  // Only /version, /healthz, /livez and /readyz, else 403. With Authorization::kRbac: what roles
  // allow to system:anonymous and system:unauthenticated, which is the same in a new cluster.
  kHealthOnly,
  kAll,   // everything
  kNone,  // nothing: 401
};

// What users may do (kube-apiserver: the flag `--authorization-mode`).
enum class Authorization {
  // Everything that no DenyRule forbids.
  kAllowAll,
  // What the roles and bindings of rbac.authorization.k8s.io in the server allow, and members of
  // the group system:masters everything. Nobody can give others more rights than he has himself,
  // except with the verbs "escalate" and "bind".
  kRbac,
};

// A rule that forbids requests, also to members of system:masters. An empty field matches
// everything.
struct DenyRule {
  std::string user = {};
  std::string verb = {};      // "get", "list", "watch", "create", "impersonate" ...
  std::string group = {};     // the resource's group; ignored if `resource` is empty
  std::string resource = {};  // "pods", "pods/status"
  std::string namespace_name = {};
};

}  // namespace kube::apiserver

#endif  // APISERVER_USER_H_
