// The code in docs/envtest.md, which //docs:snippets_test compares.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/control_plane.h"
#include "envtest/crds.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;
namespace rbacv1 = api::rbac::v1;
using ::kube::base::IsOk;
using ::kube::base::SearchSeeds;
using ::kube::base::SimRuntime;
using ::kube::base::StatusIs;
using ::kube::base::ThreadGroup;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

// What is tested: adds one to a counter.
absl::Status CountUp(const ConfigMaps& maps) {
  return maps
      .Edit(Context(), "counter",
            [](corev1::ConfigMap& map) {
              map.data["n"] = absl::StrCat(map.data["n"].view(), "I");
              return absl::OkStatus();
            })
      .status();
}

TEST(CounterTest, CountsUp) {
  auto environment = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(environment, IsOk());
  const rest::Client client = *rest::MakeClient((*environment)->Config());
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "counter"}}), IsOk());

  EXPECT_THAT(CountUp(maps), IsOk());
  EXPECT_EQ(maps.Get(Context(), "counter")->data["n"], "I");
}

TEST(CounterTest, SaysThatItMayNot) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "counter"}}), IsOk());

  server.ClearRequests();
  server.SetDenyRules({{.user = "admin", .verb = "patch", .resource = "configmaps"}});
  EXPECT_TRUE(errors::IsForbidden(CountUp(maps)));
  const std::vector<apiserver::LoggedRequest> requests = server.Requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].verb, "get");
  EXPECT_EQ(requests[1].verb, "patch");
  EXPECT_EQ(requests[1].code, 403);
}

TEST(CounterTest, CountsAsItsServiceAccount) {
  apiserver::ApiHandler server;
  const auto account = envtest::ServiceAccountConfig(Context(), envtest::InProcessConfig(server),
                                                     {.paths = {"docs/snippets/rbac.yaml"}});
  ASSERT_THAT(account, IsOk());
  const rest::Client client = *rest::MakeClient(*account);
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "counter"}}), IsOk());

  EXPECT_THAT(CountUp(maps), IsOk());
  EXPECT_EQ(server.Requests().back().user, "system:serviceaccount:default:counter");
}

TEST(CounterTest, OldVersionsExpire) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  const auto old = maps.Create(Context(), {.metadata = {.name = "counter"}});
  ASSERT_THAT(CountUp(maps), IsOk());

  server.Compact();
  const auto watcher = maps.Watch(Context(), {.resource_version = old->metadata.resource_version});
  const auto event = (*watcher)->Next(Context());
  EXPECT_TRUE(errors::IsResourceExpired((*event)->error));
}

constexpr typed::Resource kRoles = {.group = "rbac.authorization.k8s.io",
                                    .version = "v1",
                                    .plural = "roles",
                                    .kind = "Role",
                                    .built_in = true};
constexpr typed::Resource kRoleBindings = {.group = "rbac.authorization.k8s.io",
                                           .version = "v1",
                                           .plural = "rolebindings",
                                           .kind = "RoleBinding",
                                           .built_in = true};
using Roles = typed::TypedClient<rbacv1::Role, rbacv1::RoleList>;
using RoleBindings = typed::TypedClient<rbacv1::RoleBinding, rbacv1::RoleBindingList>;

TEST(CounterTest, NeedsARole) {
  apiserver::ApiHandler server({.authorization = apiserver::Authorization::kRbac});
  const rest::Client admin = *rest::MakeClient(envtest::InProcessConfig(server));
  ASSERT_THAT(ConfigMaps(admin, kConfigMaps)
                  .Namespace("default")
                  .Create(Context(), {.metadata = {.name = "counter"}}),
              IsOk());
  // The manifests of the program.
  const Roles roles = Roles(admin, kRoles).Namespace("default");
  rbacv1::Role role{.metadata = {.name = "counter"},
                    .rules = {{.verbs = {"get"}, .api_groups = {""}, .resources = {"configmaps"}}}};
  ASSERT_THAT(roles.Create(Context(), role), IsOk());
  const rbacv1::RoleBinding binding{
      .metadata = {.name = "counter"},
      .subjects = {{.kind = "ServiceAccount", .name = "counter", .namespace_ = "default"}},
      .role_ref = {.api_group = "rbac.authorization.k8s.io", .kind = "Role", .name = "counter"}};
  ASSERT_THAT(RoleBindings(admin, kRoleBindings).Namespace("default").Create(Context(), binding),
              IsOk());

  const rest::Client program = *rest::MakeClient(
      envtest::InProcessConfig(server, {.name = "system:serviceaccount:default:counter"}));
  const ConfigMaps maps = ConfigMaps(program, kConfigMaps).Namespace("default");
  EXPECT_TRUE(errors::IsForbidden(CountUp(maps)));
  EXPECT_EQ(server.Requests().back().verb, "patch") << "is what the role lacks";

  role.rules[0].verbs = {"get", "patch"};
  ASSERT_THAT(roles.Update(Context(), role), IsOk());
  EXPECT_THAT(CountUp(maps), IsOk());
  EXPECT_EQ(server.Requests().back().reason,
            "RBAC: allowed by RoleBinding \"counter/default\" of Role \"counter\" to "
            "ServiceAccount \"counter/default\"");
}

constexpr typed::Resource kCronTabs = {
    .group = "stable.example.com", .version = "v1", .plural = "crontabs", .kind = "CronTab"};
using CronTabs = typed::TypedClient<unstructured::Unstructured, unstructured::UnstructuredList>;

TEST(CronTabTest, HasADefault) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  ASSERT_THAT(envtest::InstallCrds(Context(), client, {.paths = {"docs/snippets/crds"}}), IsOk());

  const CronTabs tabs = CronTabs(client, kCronTabs).Namespace("default");
  unstructured::Unstructured tab;
  tab.set_name("nightly");
  const auto created = tabs.Create(Context(), tab);
  EXPECT_EQ(created->object.find("spec")->Find("replicas")->integer(), 1);
}

TEST(CounterTest, CannotTellWhetherItHasCounted) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "counter"}}), IsOk());

  const apiserver::FaultId lost_answer = server.faults().Add(
      {.verbs = {"patch"}, .times = 1, .fault = apiserver::fault::Drop{.after_commit = true}});
  EXPECT_THAT(CountUp(maps), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(server.faults().Count(lost_answer).fired, 1);
  EXPECT_EQ(maps.Get(Context(), "counter")->data["n"], "I") << "it has";
}

absl::Status TwoCount(SimRuntime& sim) {
  absl::Status result;
  KUBE_RETURN_IF_ERROR(sim.Run([&result] {
    apiserver::ApiHandler server;
    const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
    const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
    maps.Create(Context(), {.metadata = {.name = "counter"}}).IgnoreError();
    ThreadGroup group{Context()};
    for (int i = 0; i < 2; ++i) {
      group.Go("counter", [&maps](const Context&) { return CountUp(maps); });
    }
    result = group.Wait();
    if (maps.Get(Context(), "counter")->data["n"] != "II") {
      result = absl::DataLossError("one was lost");
    }
  }));
  return result;
}

TEST(CounterTest, CountsUpInAnyOrder) { EXPECT_THAT(SearchSeeds(TwoCount, {.seeds = 50}), IsOk()); }

absl::StatusOr<std::unique_ptr<envtest::Environment>> StartServer(bool real) {
  if (!real) return envtest::EmbeddedEnvironment::Start();
  return envtest::ControlPlane::Start(WithTimeout(Context(), absl::Minutes(3)),
                                      {.controller_manager = true});
}

TEST(EnvtestGuideTest, StartsTheEmbeddedServer) {
  auto server = StartServer(/*real=*/false);
  ASSERT_THAT(server, IsOk());
  EXPECT_THAT((*server)->Stop(), IsOk());
}

envtest::WorkloadsOptions BrokenImages() {
  return {.pod_run = [](const corev1::Pod& pod, envtest::PodRun run) {
    if (pod.spec.containers[0].image == "web:broken") run.ready_after = absl::InfiniteDuration();
    return run;
  }};
}

TEST(WorkloadsTest, SomePodsAreNeverReady) {
  const envtest::WorkloadsOptions options = BrokenImages();
  corev1::Pod pod;
  pod.spec.containers = {{.name = "web", .image = "web:broken"}};
  EXPECT_EQ(options.pod_run(pod, {}).ready_after, absl::InfiniteDuration());
  pod.spec.containers[0].image = "web:1";
  EXPECT_EQ(options.pod_run(pod, {}).ready_after, absl::ZeroDuration());
}

absl::Status CrashTwice(const kube::Context& ctx, envtest::Workloads& workloads) {
  KUBE_RETURN_IF_ERROR(workloads.RestartContainer(ctx, "default", "web-0", "web"));
  return workloads.RestartContainer(
      ctx, "default", "web-0", "web",
      {.exit_code = 137, .reason = "OOMKilled", .back_off = absl::Seconds(10)});
}

TEST(WorkloadsTest, ContainersRestart) {
  SimRuntime sim;
  const absl::Status end = sim.Run([] {
    apiserver::ApiHandler server;
    const auto workloads = envtest::Workloads::Start(envtest::InProcessConfig(server));
    ASSERT_THAT(workloads, IsOk());
    const auto pods = typed::TypedClient<corev1::Pod, corev1::PodList>(
                          *rest::MakeClient(envtest::InProcessConfig(server)),
                          {.version = "v1", .plural = "pods", .kind = "Pod", .built_in = true})
                          .Namespace("default");
    ASSERT_THAT(pods.Create(Context(),
                            corev1::Pod{.metadata = {.name = "web-0"},
                                        .spec = {.containers = {{.name = "web", .image = "w"}}}}),
                IsOk());
    while (pods.Get(Context(), "web-0")->status.phase != "Running") {
      ASSERT_THAT(base::SleepFor(Context(), absl::Milliseconds(100)), IsOk());
    }
    ASSERT_THAT(CrashTwice(Context(), **workloads), IsOk());
    const corev1::Pod pod = *pods.Get(Context(), "web-0");
    EXPECT_EQ(pod.status.container_statuses[0].restart_count, 2);
    EXPECT_EQ(pod.status.container_statuses[0].last_state.terminated->reason, "OOMKilled");
  });
  EXPECT_THAT(end, IsOk());
}

}  // namespace
}  // namespace kube
