#ifndef APISERVER_USER_H_
#define APISERVER_USER_H_

#include <map>
#include <string>
#include <vector>

namespace kube::apiserver {

// Who asks. (user.Info)
struct User {
  std::string name = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  // What else is known of the user, as "scopes" of a token: each key's values.
  std::map<std::string, std::vector<std::string>> extra = {};

  friend bool operator==(const User&, const User&) = default;
};

// What requests without a credential may do.
enum class Anonymous {
  kHealthOnly,  // /version, /healthz, /livez and /readyz; 403 elsewhere, as under RBAC
  kAll,         // everything
  kNone,        // nothing: 401
};

// Who may not do what. Empty members stand for all there are.
struct DenyRule {
  std::string user = {};
  std::string verb = {};      // "get", "list", "watch", "create", "impersonate" ...
  std::string group = {};     // of the resource; looked at where `resource` is set
  std::string resource = {};  // "pods", "pods/status"
  std::string namespace_name = {};
};

}  // namespace kube::apiserver

#endif  // APISERVER_USER_H_
