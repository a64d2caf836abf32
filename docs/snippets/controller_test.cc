// The snippets of docs/leader-election.md and docs/health.md, in functions that the tests call.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log_capture.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "clientset/fake/clientset.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

using leaderelection::FencingToken;
using leaderelection::LeaderElector;
using leaderelection::LeaseLock;

int controllers = 0;

void RunController(const Context& ctx) {
  ++controllers;
  base::WaitUntilDone(ctx).IgnoreError();
}

absl::Status Lead(const Context& ctx, const kubernetes::Clientset& clientset,
                  const std::string& hostname, const std::string& uuid) {
  auto lock = std::make_shared<LeaseLock>(clientset.CoordinationV1().Leases("default"),
                                          "my-controller", absl::StrCat(hostname, "_", uuid));
  KUBE_ASSIGN_OR_RETURN(
      auto elector, LeaderElector::Make(
                        lock,
                        {.on_started_leading = [](const Context& leading,
                                                  const FencingToken&) { RunController(leading); },
                         .on_stopped_leading = [] {}},
                        {.release_on_cancel = true}));
  return elector->Run(ctx);  // ABORTED: leadership was lost. End the program.
}

TEST(LeaderElectionGuide, Leads) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    const fake::Clientset fake;
    const Context ctx = WithTimeout(Context(), absl::Minutes(1));
    EXPECT_THAT(Lead(ctx, fake.client(), "host", "1"),
                base::StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(controllers, 1);
  }),
              base::IsOk());
}

absl::Status CheckSynced() { return absl::OkStatus(); }

absl::Status Watch() {
  auto registry = std::make_shared<base::PrometheusRegistry>();
  auto watch_dog = std::make_shared<leaderelection::HealthzAdaptor>(absl::Seconds(20));
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<health::HealthServer> server,
      health::HealthServer::Start(
          {.port = 8080,
           .livez = {{"leaderElection",
                      [watch_dog](const Context&) { return watch_dog->Check(); }}},
           .readyz = {{"informers", [&](const Context&) { return CheckSynced(); }}},
           .metrics = registry}));
  return server->Shutdown(Context());
}

TEST(HealthGuide, Serves) { EXPECT_THAT(Watch(), base::IsOk()); }

}  // namespace
}  // namespace kube
