// Tests by nothing but //envtest and what they test: seeds are searched, requests fail by rule,
// users are told apart, the server has a port.

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/api_server.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "envtest/control_plane.h"
#include "envtest/crds.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "envtest/testing/eventually.h"
#include "envtest/users.h"
#include "envtest/workloads/container_restart.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"
#include "gmock/gmock.h"
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
          const auto begin = base::Now();
          base::ThreadGroup group{Context()};
          group.Go("writer", [&maps](const Context& ctx) {
            const auto first = maps.Create(ctx, {.metadata = {.name = "web"}});
            if (!errors::IsConflict(first.status())) return absl::InternalError("no fault");
            return base::SleepFor(ctx, absl::Seconds(1));
          });
          result = group.Wait();
          if (result.ok() && base::Now() - begin < absl::Seconds(1)) {
            result = absl::InternalError("no time has passed");
          }
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

TEST(EnvtestBundle, HasServersWithAPort) {
  const absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> environment =
      EmbeddedEnvironment::Start();
  ASSERT_THAT(environment, base::IsOk());
  EXPECT_THAT(kubernetes::Clientset::Make((*environment)->Config()), base::IsOk());
  const absl::StatusOr<std::unique_ptr<apiserver::ApiServer>> server =
      apiserver::ApiServer::Start({.tls = false});
  ASSERT_THAT(server, base::IsOk());
  const rest::Config config = ConfigOf(**server);
  EXPECT_EQ(config.host, (*server)->url());
}

TEST(EnvtestBundle, HasUsersAndRules) {
  const apiserver::User reader = {.name = "reader"};
  apiserver::ApiHandler server({.anonymous = apiserver::Anonymous::kNone,
                                .deny = {apiserver::DenyRule{.user = "reader", .verb = "create"}}});
  const absl::StatusOr<kubernetes::Clientset> client =
      kubernetes::Clientset::Make(InProcessConfig(server, reader));
  ASSERT_THAT(client, base::IsOk());
  EXPECT_TRUE(errors::IsForbidden(client->CoreV1()
                                      .ConfigMaps("default")
                                      .Create(Context(), {.metadata = {.name = "web"}})
                                      .status()));
}

TEST(EnvtestBundle, HasWaitsAndUsersWithRights) {
  apiserver::ApiHandler server({.authorization = apiserver::Authorization::kRbac});
  const absl::StatusOr<rest::Config> member =
      AddUser(Context(), server, {.name = "root", .groups = {"system:masters"}});
  ASSERT_THAT(member, base::IsOk());
  const absl::StatusOr<kubernetes::Clientset> client = kubernetes::Clientset::Make(*member);
  ASSERT_THAT(client, base::IsOk());
  const auto maps = client->CoreV1().ConfigMaps("default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "web"}}), base::IsOk());
  EXPECT_THAT(EventuallyGet(maps, "web", testing::_), base::IsOk());
}

}  // namespace
}  // namespace kube::envtest
