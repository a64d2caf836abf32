#ifndef CONTROLLER_TESTING_DEPLOYED_OPERATOR_H_
#define CONTROLLER_TESTING_DEPLOYED_OPERATOR_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/test_folder.h"
#include "envtest/control_plane.h"

namespace kube::controller {

// Options of a DeployedOperator.
struct DeployedOperatorOptions {
  // The path of the operator's program, such as that of a Bazel target in `data`. Required.
  std::string program = {};
  // What the program prints with --print-manifests: its install.yaml. Required.
  std::string manifest = {};
  // The flags of the program, in addition to --kubeconfig. Default: the arguments of the first
  // container of the Deployment in `manifest`.
  std::optional<std::vector<std::string>> flags = {};
  // The API server. The audit log is added to its flags.
  envtest::ControlPlaneOptions control_plane = {};
  // How long the program may take between SIGTERM and its end. Default: the 30 seconds that a
  // kubelet grants.
  absl::Duration grace = absl::Seconds(30);
};

// What an operator was allowed to do, and what it did, by the audit log of the API server.
struct DeployedOperatorRights {
  // Requests that the server refused for want of a right: "create events in \"web\"".
  std::vector<std::string> forbidden = {};
  // Verbs of the operator's roles that no request has used, as in manifests::RuleUse::not_used.
  std::vector<std::string> not_used = {};
};

// An operator as a cluster runs it, for tests of its manifests: a real API server with RBAC, into
// which its install.yaml is applied, and its program as a process, with a token of its service
// account and the flags of its Deployment.
//
//   auto deployed = DeployedOperator::Start(
//       WithTimeout(Context(), absl::Minutes(3)), {.program = kProgram, .manifest = install});
//   ASSERT_THAT(deployed, IsOk());
//   ... use the operator, with clients of (*deployed)->admin_config() ...
//   ASSERT_THAT((*deployed)->Stop(), IsOk());
//   const auto rights = (*deployed)->Rights();
//   ASSERT_THAT(rights, IsOk());
//   EXPECT_THAT(rights->forbidden, IsEmpty());
//   EXPECT_THAT(rights->not_used, IsEmpty());
//
// There is no kubelet: pods stay pending, unless envtest::Workloads makes them run, and the
// program's Deployment has none. Nobody routes requests to services, so references of webhooks and
// conversions to a service become URLs of this machine, port 9443, after the manifest was accepted
// as it is. Where the manifest mounts a certificate, the program gets one for these by
// --webhook-cert-path; a program that makes its own tells the server, as in a cluster. Until it has
// done so, and answers, the server refuses what its webhooks judge: repeat the first request.
//
// The namespace of the program's kubeconfig is that of its Deployment, as in a pod. Only one test
// at a time may run a program with fixed ports; if another process has one of them, the program
// ends, and running() says so.
//
// Uses real processes and the real clock. Thread-compatible.
class DeployedOperator {
 private:
  // Makes the constructor usable by Start only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the API server, installs the manifest and starts the program; does not wait until that
  // is ready. Blocks. Returns the errors of ControlPlane::Start, such as NOT_FOUND if there is no
  // kube-apiserver, of InstallManifests and of ServiceAccountConfig; and INVALID_ARGUMENT if the
  // manifest has no Deployment.
  static absl::StatusOr<std::unique_ptr<DeployedOperator>> Start(const Context& ctx,
                                                                 DeployedOperatorOptions options);

  DeployedOperator(Key, DeployedOperatorOptions options);
  // Ends the program and the server.
  ~DeployedOperator();
  DeployedOperator(const DeployedOperator&) = delete;
  DeployedOperator& operator=(const DeployedOperator&) = delete;

  // Return the configuration of the administrator, and a client with it.
  const rest::Config& admin_config() const { return admin_; }
  const rest::Client& client() const { return *client_; }

  // Returns OK while the program runs; UNAVAILABLE, with how it ended, after it has ended by
  // itself.
  absl::Status running() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Reads the metrics of the program as Prometheus does: over HTTPS, with a token, about which the
  // program asks the API server. So it uses its rights to do that. Blocks. Returns
  // FAILED_PRECONDITION if the flags have no --metrics-bind-address with a port, and the errors of
  // rest::Client::Do, such as UNAVAILABLE before the program listens.
  absl::Status ReadMetrics(const Context& ctx) const;
  // Returns what the program has written to its standard output and error.
  std::string Output() const;

  // Sends SIGTERM to the program and waits until it has ended. Blocks. Returns UNAVAILABLE, with
  // the end of its output, if it had ended by itself.
  absl::Status Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Compares the requests of the program with the roles of the manifest that are bound to its
  // service account. Call it after Stop. Returns INVALID_ARGUMENT if the audit log is malformed.
  absl::StatusOr<DeployedOperatorRights> Rights() const;

 private:
  absl::Status StartServer(const Context& ctx);
  absl::Status Install(const Context& ctx);
  absl::Status StartProgram(const Context& ctx);

  const DeployedOperatorOptions options_;
  const rest::TestFolder files_;
  std::unique_ptr<envtest::ControlPlane> server_;
  rest::Config admin_;
  std::optional<rest::Client> client_;  // set by Start
  std::string user_;                    // the name of the service account
  std::string namespace_;               // of the Deployment
  std::vector<std::string> flags_;
  mutable base::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status end_ ABSL_GUARDED_BY(mutex_);
  base::Thread thread_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_DEPLOYED_OPERATOR_H_
