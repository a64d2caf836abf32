// The snippets about the cache of docs/controllers.md, in functions that the tests call.

#include "controller/cache/cache.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/cache/index.h"
#include "controller/cache/view.h"
#include "envtest/fake/clientset.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace corev1 = kube::api::core::v1;
using kube::Context;

namespace {

absl::StatusOr<std::vector<std::string>> TeamOf(const corev1::ConfigMap& config) {
  const kube::String* team = config.data.find("team");
  if (team == nullptr) return std::vector<std::string>();
  return std::vector<std::string>{std::string(team->view())};
}

absl::StatusOr<std::vector<std::string>> ConfigsOfTeam(const Context& ctx,
                                                       kube::controller::Cache& cache,
                                                       absl::string_view name) {
  const auto configs = cache.Watch<corev1::ConfigMap>({.label_selector = "app=web"});
  const auto teams = cache.Watch<corev1::Secret>({.namespaces = {"default"}});
  const kube::controller::Index<corev1::ConfigMap> by_team = configs.AddIndex("team", TeamOf);
  for (const auto& core : {configs.core(), teams.core()}) {
    core->Start();
    KUBE_RETURN_IF_ERROR(core->WaitForSync(ctx));
  }
  const kube::controller::View view("default", {configs.core(), teams.core()});
  KUBE_ASSIGN_OR_RETURN(const auto team, teams.Get(view, name));
  std::vector<std::string> names;
  for (const corev1::ConfigMap& config : by_team.Get(view, team->metadata.name)) {
    names.emplace_back(config.metadata.name);
  }
  return names;
}

TEST(CacheGuide, FindsConfigsOfATeam) {
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    kube::fake::Clientset fake;
    corev1::Secret team;
    team.metadata.name = "blue";
    corev1::ConfigMap config;
    config.metadata.name = "settings";
    config.metadata.labels["app"] = "web";
    config.data["team"] = "blue";
    corev1::ConfigMap other;
    other.metadata.name = "other";
    other.data["team"] = "blue";
    ASSERT_THAT(fake.Add(team, config, other), kube::base::IsOk());
    kube::controller::Cache cache(fake.client().client());
    const Context ctx = kube::WithTimeout(Context(), absl::Minutes(1));
    EXPECT_THAT(ConfigsOfTeam(ctx, cache, "blue"),
                kube::base::IsOkAndHolds(testing::ElementsAre("settings")));
  });
  EXPECT_THAT(end, kube::base::IsOk());
}

}  // namespace
