#ifndef ENVTEST_CONTROL_PLANE_H_
#define ENVTEST_CONTROL_PLANE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apiserver/user.h"
#include "envtest/environment.h"
#include "envtest/find_binaries.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest {

// Options of a ControlPlane.
struct ControlPlaneOptions {
  // Paths of the programs. Default: those that FindControlPlaneBinaries finds.
  std::optional<ControlPlaneBinaries> binaries = {};
  // Whether to run kube-controller-manager, which becomes active some seconds after Start. Default:
  // false.
  bool controller_manager = false;
  // Users by bearer token, in addition to the administrator. With RBAC, the default, they have no
  // rights until a binding grants them some.
  std::map<std::string, apiserver::User> tokens = {};

  // Additional flags, in the form "--name=value". If a flag is repeated, the last one counts.
  std::vector<std::string> etcd_flags = {};
  std::vector<std::string> apiserver_flags = {};
  std::vector<std::string> controller_manager_flags = {};

  // Time from the start of a program until it answers. The default is enough for a busy machine; an
  // idle one needs three seconds for all programs.
  absl::Duration ready_timeout = absl::Minutes(2);
  // Time between SIGTERM and SIGKILL, for each program. A kube-apiserver with open watches would
  // take a minute to exit, but has no state to lose. Zero: kill at once, as in a crash.
  absl::Duration grace = absl::Seconds(3);
  // Parent of the temporary folder for data, keys and logs, which is removed at the end. Default:
  // TEST_TMPDIR, TMPDIR or /tmp.
  std::string parent_folder = {};
};

// A real control plane for tests: etcd and kube-apiserver on free ports of 127.0.0.1, with their
// own certificate authority. (controller-runtime: `envtest.Environment`)
//
//   if (!real) return envtest::EmbeddedEnvironment::Start();
//   return envtest::ControlPlane::Start(WithTimeout(Context(), absl::Minutes(3)),
//                                       {.controller_manager = true});
//
// There is no kubelet and no scheduler: pods stay pending. The admission plugin ServiceAccount is
// disabled, so that pods are stored as they were sent. If the calling process is killed, the
// programs keep running: Bazel's sandbox stops them, otherwise do it yourself.
//
// Uses real processes and the real clock. Thread-safe, except for Stop, StopApiServer and
// RestartApiServer.
class ControlPlane final : public Environment {
 private:
  // Makes the constructor usable by Start only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the programs and blocks until /readyz succeeds. Returns NOT_FOUND if the binaries are
  // missing, FAILED_PRECONDITION under a simulated Runtime, UNAVAILABLE if a program has ended,
  // DEADLINE_EXCEEDED if one was not ready in time, or ctx.status(). The message contains the end
  // of the programs' logs. After an error everything is stopped and removed.
  static absl::StatusOr<std::unique_ptr<ControlPlane>> Start(const Context& ctx,
                                                             ControlPlaneOptions options = {});

  struct State;
  ControlPlane(Key, std::unique_ptr<State> state);
  ~ControlPlane() override;

  std::string url() const override;
  std::string ca_certificate() const override;
  std::string admin_token() const override;
  absl::StatusOr<certificates::Certificate> IssueClientCertificate(
      const apiserver::User& user) const override;

  // Returns the URL of etcd, such as "http://127.0.0.1:40125".
  std::string etcd_url() const;

  // Returns OK while all programs run. Otherwise says which program has ended, and how.
  absl::Status running() const;

  // Stops kube-apiserver only, within the grace period, and blocks until it has ended. etcd keeps
  // running and has all written data. running() stays OK. A second call has no effect.
  void StopApiServer();

  // Stops kube-apiserver if it runs, and starts it again at the same URL with the data in etcd, the
  // same users, and `flags` in addition (for this run only). Blocks until /readyz succeeds. The
  // server has forgotten its watches and old states: the next watch of a client is told that its
  // resource version has expired. Errors are those of Start; etcd keeps running, and the call may
  // be repeated.
  absl::Status RestartApiServer(const Context& ctx, const std::vector<std::string>& flags = {});

  // Stops all programs. Returns UNAVAILABLE, with the end of the log, if a program had ended by
  // itself.
  absl::Status Stop() override;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_CONTROL_PLANE_H_
