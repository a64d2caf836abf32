#ifndef APISERVER_AUTH_RBAC_POLICY_H_
#define APISERVER_AUTH_RBAC_POLICY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// The roles and bindings of a cluster at one moment. Objects of other kinds do not count.
struct RbacObjects {
  std::vector<ObjectPtr> cluster_roles = {};
  std::vector<ObjectPtr> roles = {};
  std::vector<ObjectPtr> cluster_role_bindings = {};
  std::vector<ObjectPtr> role_bindings = {};
};

// What RBAC says about a request.
struct RbacAnswer {
  bool allowed = false;
  // The binding that allows the request: `RBAC: allowed by ClusterRoleBinding "x" of ClusterRole
  // "y" to User "z"`. If it is not allowed, the roles that a binding of the user names and that do
  // not exist, or "".
  std::string reason = {};
};

// Decides by roles and bindings what users may do (kube-apiserver: `rbac.RBACAuthorizer` and
// `validation.DefaultRuleResolver`). It does not know the group system:masters: Authorize, in
// authorize.h, lets its members pass before it asks the policy.
//
// If several bindings allow a request, the reason names the first by name, those of the cluster
// before those of the namespace; kube-apiserver has no order.
//
// A check looks up the user and each of the user's groups, and then tries the rules of the bindings
// that were found. Build, then immutable: thread-safe.
class RbacPolicy {
 public:
  explicit RbacPolicy(RbacObjects objects);
  RbacPolicy(const RbacPolicy&) = delete;
  RbacPolicy& operator=(const RbacPolicy&) = delete;

  RbacAnswer Authorize(const User& user, const RequestInfo& info) const;

  struct Rules {
    std::vector<const api::rbac::v1::PolicyRule*> rules = {};
    // The references to roles that do not exist.
    std::vector<const api::rbac::v1::RoleRef*> unresolved = {};
  };
  // Returns all rules that apply to a user in a namespace, or outside of namespaces if it is "".
  // The pointers are valid as long as the policy.
  Rules RulesOf(const User& user, absl::string_view namespace_name) const;

  // Returns the rules of the role that a binding of this namespace refers to, or null if there is
  // no such role. The namespace of a ClusterRoleBinding is "".
  const List<api::rbac::v1::PolicyRule>* FindRole(const api::rbac::v1::RoleRef& role,
                                                  absl::string_view namespace_name) const;

 private:
  struct Binding {
    const api::meta::v1::ObjectMeta* metadata = nullptr;
    const List<api::rbac::v1::Subject>* subjects = nullptr;
    const api::rbac::v1::RoleRef* role = nullptr;
    // Null if there is no such role.
    const List<api::rbac::v1::PolicyRule>* rules = nullptr;
  };
  // A subject of a binding, by their indices.
  struct Place {
    size_t binding = 0;
    size_t subject = 0;
  };
  // The bindings of a namespace or of the cluster, by name, and where they name a user or a group.
  // Service accounts are found by the name of their user.
  struct Scope {
    std::vector<Binding> bindings;
    absl::flat_hash_map<std::string, std::vector<Place>> users;
    absl::flat_hash_map<std::string, std::vector<Place>> groups;
  };
  // Called with a rule, or with null if the binding's role does not exist. Returns whether to go
  // on.
  using Visitor = absl::FunctionRef<bool(const Binding& binding, size_t subject,
                                         const api::rbac::v1::PolicyRule* rule)>;

  template <typename T>
  void AddBinding(const T& binding, absl::string_view namespace_name);
  static bool VisitScope(const Scope& scope, const User& user, Visitor visit);
  void Visit(const User& user, absl::string_view namespace_name, Visitor visit) const;
  static std::string Describe(const Binding& binding, size_t subject);

  // Keeps what the pointers in the other members point to.
  const RbacObjects objects_;
  absl::flat_hash_map<std::string, const List<api::rbac::v1::PolicyRule>*> cluster_roles_;
  // By "NAMESPACE/NAME".
  absl::flat_hash_map<std::string, const List<api::rbac::v1::PolicyRule>*> roles_;
  Scope cluster_;
  absl::flat_hash_map<std::string, Scope> namespaces_;
};

// Returns several errors as Go prints an aggregate: "[a, b]", each only once (apimachinery:
// `errors.Aggregate`). Without errors it is "".
std::string AggregateText(const std::vector<std::string>& errors);

// Returns the errors for roles that do not exist: `role.rbac.authorization.k8s.io "x" not found`.
std::string UnresolvedText(const std::vector<const api::rbac::v1::RoleRef*>& roles);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_RBAC_POLICY_H_
