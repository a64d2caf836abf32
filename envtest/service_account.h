#ifndef ENVTEST_SERVICE_ACCOUNT_H_
#define ENVTEST_SERVICE_ACCOUNT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"

namespace kube::envtest {

// Options of ServiceAccountConfig.
struct ServiceAccountOptions {
  // Files, or directories whose files *.json, *.yaml and *.yml are read in the order of their
  // names, without subdirectories. A file may contain several documents.
  std::vector<std::string> paths = {};
  // More documents, as text; they are applied after those of `paths`.
  std::string manifest = {};
  // The namespace of objects that name none; it must exist, unless the manifests contain it.
  std::string namespace_name = "default";
  // The account to use, "NAME" or "NAMESPACE/NAME". Set it if the manifests have several. Default:
  // the only one.
  std::string account = {};
  // How long the token is valid, in whole seconds. Servers refuse less than 10 minutes. Default: 1
  // hour; longer tests need more.
  absl::Duration token_lifetime = absl::Hours(1);
  // How long to wait until the server grants the rights, which takes a real one a moment. Default:
  // 10 s. Zero: do not wait.
  absl::Duration timeout = absl::Seconds(10);
};

// Applies the service accounts, roles and bindings of manifests, and returns a configuration with
// which clients are the service account: with a token of its own, and no other credentials. So a
// test runs the program with exactly the rights that its manifests give it in a cluster.
//
//   const auto config = ServiceAccountConfig(Context(), admin, {.paths = {kFolder}});
//   ASSERT_THAT(config, IsOk());
//   const rest::Client client = *rest::MakeClient(*config);
//
// `admin` is the configuration of somebody who may do everything on the embedded server or a real
// one; its server, TLS and transport are kept. Documents of the kinds Namespace, ServiceAccount,
// Role, ClusterRole, RoleBinding and ClusterRoleBinding are applied on the server's side, with the
// field manager "envtest", so that the call may be repeated; documents of other kinds, such as the
// program's Deployment, are skipped.
//
// Waits until each binding whose role is among the manifests has come into force: a real server
// reads roles and bindings a moment after they were written. Rights of other roles may take as
// long, and whatever the server does not enforce (RBAC, if it only has deny rules) is granted at
// once.
//
// Blocks. Returns NOT_FOUND if a file does not exist or the manifests have no such account;
// INVALID_ARGUMENT, with file and line, if a document is malformed, and if there are several
// accounts and `account` does not choose one; DEADLINE_EXCEEDED, with the binding, if its rights
// are not granted in time; and the errors of the server, which name the object. Thread-safe.
absl::StatusOr<rest::Config> ServiceAccountConfig(const Context& ctx, const rest::Config& admin,
                                                  const ServiceAccountOptions& options);

}  // namespace kube::envtest

#endif  // ENVTEST_SERVICE_ACCOUNT_H_
