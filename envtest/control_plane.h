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

struct ControlPlaneOptions {
  // Default: FindControlPlaneBinaries.
  std::optional<ControlPlaneBinaries> binaries = {};
  // Whether kube-controller-manager runs too. It begins to act some seconds after Start.
  bool controller_manager = false;
  // Who is who by bearer token, beside the administrator. Under RBAC, the default, they have no
  // rights until a binding gives them some.
  std::map<std::string, apiserver::User> tokens = {};

  // Further flags, "--name=value"; of a name the last one counts.
  std::vector<std::string> etcd_flags = {};
  std::vector<std::string> apiserver_flags = {};
  std::vector<std::string> controller_manager_flags = {};

  // From the start of a program until it answers. Default: enough for a busy machine; a quiet one
  // needs three seconds for all.
  absl::Duration ready_timeout = absl::Minutes(2);
  // From SIGTERM to SIGKILL, for each program. A kube-apiserver with open watches would take a
  // minute to end by itself; it keeps nothing that could be lost. Zero: killed at once, as in a
  // crash.
  absl::Duration grace = absl::Seconds(3);
  // Where data, keys and logs go, in a folder of its own that goes with them. Default: TEST_TMPDIR,
  // TMPDIR or /tmp.
  std::string parent_folder = {};
};

// A real control plane for tests: etcd and kube-apiserver, on free ports of 127.0.0.1, with an
// authority of its own. What controller-runtime's envtest.Environment starts.
//
//   absl::StatusOr<std::unique_ptr<ControlPlane>> plane = ControlPlane::Start(ctx);
//   if (absl::IsNotFound(plane.status())) GTEST_SKIP() << plane.status();
//
// No kubelet and no scheduler: pods stay pending. The admission plugin ServiceAccount is off, so
// that pods are stored as they were sent. Should the calling process be killed, its programs go on:
// Bazel's sandbox ends them, others have to.
//
// Works on real programs and the real clock. Thread-safe, but for Stop and what begins or ends
// programs.
class ControlPlane final : public Environment {
 private:
  // Only Start has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Blocks until /readyz says yes. NOT_FOUND: no binaries. Otherwise the message has the end of
  // what the programs wrote: UNAVAILABLE where one has ended, DEADLINE_EXCEEDED where one was not
  // ready in time, or ctx.status(). After an error nothing is left.
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

  // "http://127.0.0.1:40125", of etcd.
  std::string etcd_url() const;

  // OK as long as its programs run; else which one has ended, and how.
  absl::Status running() const;

  // Ends kube-apiserver alone, within the grace. etcd goes on, and has all that was written.
  // Blocks until it has ended. running() does not mind. Again: no effect.
  void StopApiServer();

  // Starts kube-apiserver again, at the same url, on what is in etcd, with the same users, and with
  // these flags after those of before (this time only). One that runs is stopped before. It has
  // forgotten what its clients watched, and all old states: their next watch is told that its
  // resource version has expired. Blocks until /readyz says yes. Errors as of Start; etcd goes on,
  // and it may be tried again.
  absl::Status RestartApiServer(const Context& ctx, const std::vector<std::string>& flags = {});

  // UNAVAILABLE, with the end of its log: one had ended by itself before.
  absl::Status Stop() override;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_CONTROL_PLANE_H_
