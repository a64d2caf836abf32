#ifndef ENVTEST_USERS_H_
#define ENVTEST_USERS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apiserver/handler.h"
#include "clientset/rest/config.h"
#include "envtest/environment.h"

namespace kube::envtest {

// Options of AddUser.
struct UserOptions {
  // The name of the user, such as "jane". Not empty.
  std::string name = {};
  // Groups of the user. Members of "system:masters" may do everything.
  std::vector<std::string> groups = {};
  // What the user may do, besides what roles that exist grant to the user and the groups. Default:
  // nothing more.
  std::vector<api::rbac::v1::PolicyRule> rules = {};
  // The namespace in which `rules` hold; it must exist. Empty, the default: in all of them, and for
  // objects of the cluster.
  std::string namespace_name = {};
  // How long to wait until the server grants `rules`, which takes a real one a moment. Default: 10
  // s. Zero: do not wait.
  absl::Duration timeout = absl::Seconds(10);
};

// Add a user with certain rights, and return a configuration whose clients are that user.
// (controller-runtime: `Environment.AddUser`)
//
//   const auto jane =
//       AddUser(Context(), server,
//               {.name = "jane",
//                .rules = {{.verbs = {"get"}, .api_groups = {""}, .resources = {"configmaps"}}},
//                .namespace_name = "default"});
//   ASSERT_THAT(jane, IsOk());
//   const rest::Client client = *rest::MakeClient(*jane);
//
// If there are rules, they become the Role "envtest:NAME" in the namespace and a RoleBinding of
// that name, or a ClusterRole and a ClusterRoleBinding; in the name "/", "%" and "=" are escaped as
// "=2F", "=25" and "=3D". What is left of an earlier call with this name and namespace is replaced;
// rights in other namespaces stay. They only matter to servers that decide by roles: a
// ControlPlane, and an embedded server with Authorization::kRbac.
//
// The three functions differ in the credentials:
// * For the embedded server without sockets, a token of the user.
// * For an Environment, a client certificate of the user. Returns FAILED_PRECONDITION without TLS.
// * For any other cluster, of which `admin` is the administrator, impersonation: the requests are
//   those of `admin`, who must be allowed to impersonate.
//
// Block. Return INVALID_ARGUMENT without a name, DEADLINE_EXCEEDED if the rights are not granted in
// time, and the errors of the server. Thread-safe.
absl::StatusOr<rest::Config> AddUser(const Context& ctx, apiserver::ApiHandler& server,
                                     const UserOptions& options);
absl::StatusOr<rest::Config> AddUser(const Context& ctx, const Environment& environment,
                                     const UserOptions& options);
absl::StatusOr<rest::Config> AddUser(const Context& ctx, const rest::Config& admin,
                                     const UserOptions& options);

}  // namespace kube::envtest

#endif  // ENVTEST_USERS_H_
