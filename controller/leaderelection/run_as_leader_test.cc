#include "controller/leaderelection/run_as_leader.h"

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

using base::IsOk;
using base::StatusIs;

const LeaseName kLease = {.namespace_name = "default", .name = "lock", .identity = "me"};

void Simulate(const std::function<void(apiserver::ApiHandler&)>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    apiserver::ApiHandler server;
    test(server);
  }),
              IsOk());
}

std::string Holder(apiserver::ApiHandler& server) {
  const auto client = kubernetes::Clientset::Make(envtest::InProcessConfig(server));
  const auto lease = client->CoordinationV1().Leases("default").Get(Context(), "lock");
  return lease.ok() ? std::string(lease->spec.holder_identity->view()) : "no lease";
}

TEST(RunAsLeaderTest, TheEndOfTheContextIsOkAndGivesTheLeaseUp) {
  Simulate([](apiserver::ApiHandler& server) {
    const Context ctx = WithTimeout(Context(), absl::Minutes(5));
    std::string holder;
    EXPECT_THAT(RunAsLeader(ctx, envtest::InProcessConfig(server), kLease,
                            [&](const Context& leading) {
                              holder = Holder(server);
                              base::WaitUntilDone(leading).IgnoreError();
                              return absl::OkStatus();
                            }),
                IsOk());
    EXPECT_EQ(holder, "me");
    EXPECT_EQ(Holder(server), "");
  });
}

TEST(RunAsLeaderTest, RunAsLeader_WorkEnds_ReturnsItsStatusAndReleasesTheLease) {
  Simulate([](apiserver::ApiHandler& server) {
    EXPECT_THAT(RunAsLeader(Context(), envtest::InProcessConfig(server), kLease,
                            [](const Context&) { return absl::NotFoundError("no CRD"); }),
                StatusIs(absl::StatusCode::kNotFound, "no CRD"));
    EXPECT_EQ(Holder(server), "");
  });
}

// behaviour.md: LE-11
TEST(RunAsLeaderTest, LostLeadershipEndsTheWorkAndIsAnError) {
  Simulate([](apiserver::ApiHandler& server) {
    bool ended = false;
    EXPECT_THAT(
        RunAsLeader(Context(), envtest::InProcessConfig(server), kLease,
                    [&](const Context& leading) {
                      server.SetDenyRules({{.group = "coordination.k8s.io", .resource = "leases"}});
                      base::WaitUntilDone(leading).IgnoreError();
                      ended = true;
                      return leading.status();
                    }),
        StatusIs(absl::StatusCode::kAborted));
    EXPECT_TRUE(ended);
  });
}

// RunWorkers does not know why its context is done. docs/leader-election.md warns of that.
TEST(RunAsLeaderTest, ADrainGoesOnAfterLeadershipIsLost) {
  Simulate([](apiserver::ApiHandler& server) {
    workqueue::Queue<int> queue;
    for (int i = 0; i < 20; ++i) queue.Add(i);
    int begun_after_loss = 0;
    const auto work = [&](const Context& leading) {
      server.SetDenyRules({{.group = "coordination.k8s.io", .resource = "leases"}});
      const auto process = [&](const Context& ctx, const int&) {
        if (leading.done()) ++begun_after_loss;
        return base::SleepFor(ctx, absl::Seconds(2));
      };
      return workqueue::RunWorkers(leading, /*workers=*/1, queue, process,
                                   {.drain_timeout = absl::Seconds(20)});
    };
    EXPECT_THAT(RunAsLeader(Context(), envtest::InProcessConfig(server), kLease, work),
                StatusIs(absl::StatusCode::kAborted));
    EXPECT_GE(begun_after_loss, 8);
  });
}

TEST(RunAsLeaderTest, TheLeaseIsReleasedOnlyIfTheWorkEndsWithinTheTerm) {
  const struct {
    absl::Duration work_goes_on;
    const char* holder;
  } kRows[] = {{absl::Seconds(5), ""}, {absl::Seconds(20), "me"}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.work_goes_on);
    Simulate([&row](apiserver::ApiHandler& server) {
      const auto work = [&row](const Context& leading) {
        base::WaitUntilDone(leading).IgnoreError();
        return base::SleepFor(Context(), row.work_goes_on);
      };
      EXPECT_THAT(RunAsLeader(WithTimeout(Context(), absl::Minutes(1)),
                              envtest::InProcessConfig(server), kLease, work),
                  IsOk());
      EXPECT_EQ(Holder(server), row.holder);
    });
  }
}

// behaviour.md: LE-11
TEST(RunAsLeaderTest, RunAsLeader_TwoCandidates_OnlyTheLeaderWorks) {
  Simulate([](apiserver::ApiHandler& server) {
    const rest::Config config = envtest::InProcessConfig(server);
    const Context ctx = WithTimeout(Context(), absl::Minutes(5));
    int working = 0;
    const auto work = [&](const Context& leading) {
      ++working;
      base::WaitUntilDone(leading).IgnoreError();
      return absl::OkStatus();
    };
    // Without an identity each has one of its own.
    const LeaseName lease = {.namespace_name = "default", .name = "lock"};
    base::Thread other;
    ASSERT_THAT(other.Start(ctx, "other",
                            [&](const Context& other_ctx) {
                              EXPECT_THAT(RunAsLeader(other_ctx, config, lease, work), IsOk());
                            }),
                IsOk());
    EXPECT_THAT(RunAsLeader(ctx, config, lease, work), IsOk());
    other.Join();
    EXPECT_EQ(working, 1);
  });
}

TEST(RunAsLeaderTest, RunAsLeader_LeaseWithoutNamespace_IsInvalidArgument) {
  EXPECT_THAT(RunAsLeader(Context(), {.host = "http://127.0.0.1"}, {.name = "lock"},
                          [](const Context&) { return absl::OkStatus(); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

struct Controller {
  absl::Status Run(const Context& ctx) {
    ++runs;
    base::WaitUntilDone(ctx).IgnoreError();
    return absl::OkStatus();
  }
  int runs = 0;
};

// The example of RunAsLeader.
absl::Status Lead(const Context& ctx, const rest::Config& config, Controller& controller) {
  return RunAsLeader(ctx, config, {.namespace_name = "default", .name = "my-controller"},
                     [&](const Context& leading) { return controller.Run(leading); });
}

TEST(RunAsLeaderTest, RunsTheControllerWhileItLeads_AsInTheHeader) {
  Simulate([](apiserver::ApiHandler& server) {
    Controller controller;
    EXPECT_THAT(Lead(WithTimeout(Context(), absl::Minutes(5)), envtest::InProcessConfig(server),
                     controller),
                IsOk());
    EXPECT_EQ(controller.runs, 1);
  });
}

}  // namespace
}  // namespace kube::leaderelection
