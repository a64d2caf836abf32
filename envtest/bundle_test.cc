// A test of a controller by nothing but //envtest: seeds are searched, requests fail by rule.

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads_options.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;

TEST(EnvtestBundle, HasWhatASimulationWithFaultsNeeds) {
  const log::LogCapture quiet;
  const absl::Status found = base::SearchSeeds(
      [](base::SimRuntime& sim) {
        absl::Status result;
        const absl::Status end = sim.Run([&result] {
          apiserver::ApiHandler server;
          apiserver::Faults faults = server.faults();
          faults.Add({.verbs = {"create"},
                      .times = 1,
                      .fault = apiserver::fault::Error{
                          .status = errors::Conflict({.resource = "configmaps"}, "web", "no")}});
          const auto client = *kubernetes::Clientset::Make(InProcessConfig(server));
          const auto maps = client.CoreV1().ConfigMaps("default");
          base::ThreadGroup group{Context()};
          group.Go("writer", [&maps](const Context& ctx) {
            const auto first = maps.Create(ctx, {.metadata = {.name = "web"}});
            if (!errors::IsConflict(first.status())) return absl::InternalError("no fault");
            return base::SleepFor(ctx, absl::Seconds(1));
          });
          result = group.Wait();
        });
        return end.ok() ? result : end;
      },
      {.seeds = 3});
  EXPECT_THAT(found, base::IsOk());
}

TEST(EnvtestBundle, HasWhatWorkloadsAreTold) {
  const WorkloadsOptions options = {.pod_run = [](const corev1::Pod&, PodRun run) {
    run.ready_after = absl::Seconds(7);
    return run;
  }};
  EXPECT_EQ(options.pod_run(corev1::Pod(), PodRun()).ready_after, absl::Seconds(7));
}

}  // namespace
}  // namespace kube::envtest
