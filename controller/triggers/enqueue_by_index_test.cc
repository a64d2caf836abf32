#include "controller/triggers/enqueue_by_index.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/cache.h"
#include "controller/cache/index.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "controller/triggers/trigger.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::ElementsAreArray;

using Names = std::vector<meta::ObjectName>;

std::vector<std::string> Texts(const Names& names) {
  std::vector<std::string> texts;
  for (const meta::ObjectName& name : names) texts.push_back(name.ToString());
  return texts;
}

TEST(NamesReferringTo, AName_MeansTheSameNamespaceUnlessItHasOne) {
  const std::map<std::string, Names> index = {
      {"settings", {{"prod", "shop"}, {"test", "shop"}, {"prod", "blog"}}},
      {"prod/settings", {{"test", "wiki"}, {"", "cluster-wide"}}},
      {"node-1", {{"prod", "shop"}, {"test", "shop"}}},
  };
  const auto names_of = [&](absl::string_view value) {
    const auto found = index.find(std::string(value));
    return found == index.end() ? Names() : found->second;
  };
  const struct {
    const char* name;
    meta::ObjectName object;
    std::vector<std::string> expected;
  } kRows[] = {
      {"both forms", {"prod", "settings"}, {"test/wiki", "cluster-wide", "prod/shop", "prod/blog"}},
      {"another namespace", {"test", "settings"}, {"test/shop"}},
      {"a namespace without referrers", {"dev", "settings"}, {}},
      {"cluster-scoped", {"", "node-1"}, {"prod/shop", "test/shop"}},
      {"unknown", {"prod", "other"}, {}},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(Texts(internal::NamesReferringTo(row.object, names_of)),
                ElementsAreArray(row.expected))
        << row.name;
  }
}

corev1::Secret MakeSecret(const char* name, const char* config) {
  corev1::Secret secret;
  secret.metadata.name = name;
  secret.metadata.annotations["example.com/config"] = config;
  return secret;
}

std::vector<std::string> ConfigsOf(const corev1::Secret& secret) {
  const std::string config(secret.metadata.annotations.value_or("example.com/config", ""));
  if (config.empty()) return {};
  return {config};
}

void TestWithACache() {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const typed::TypedClient<corev1::Secret, corev1::SecretList> secrets(
      client, typed::ResourceTraits<corev1::Secret>::kResource);
  const auto here = secrets.Namespace("default");
  ASSERT_THAT(here.Create(Context(), MakeSecret("a", "settings")), IsOk());
  ASSERT_THAT(here.Create(Context(), MakeSecret("b", "other")), IsOk());
  const auto elsewhere = secrets.Namespace("kube-system");
  ASSERT_THAT(elsewhere.Create(Context(), MakeSecret("c", "settings")), IsOk());
  ASSERT_THAT(elsewhere.Create(Context(), MakeSecret("d", "default/settings")), IsOk());

  Cache cache(client);
  const Watched<corev1::Secret> watched = cache.Watch<corev1::Secret>();
  const Index<corev1::Secret> by_config = watched.AddIndex("config", ConfigsOf);
  const Trigger<corev1::ConfigMap> trigger = EnqueueByIndex<corev1::ConfigMap>(by_config);
  watched.core()->Start();
  ASSERT_THAT(watched.core()->WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());

  corev1::ConfigMap config;
  config.metadata.name = "settings";
  config.metadata.namespace_ = "default";
  EXPECT_THAT(Texts(trigger.keys_of(config)), ElementsAre("kube-system/d", "default/a"));
  config.metadata.namespace_ = "kube-system";
  EXPECT_THAT(Texts(trigger.keys_of(config)), ElementsAre("kube-system/c"));
}

// behaviour.md: HND-8
TEST(EnqueueByIndexTest, IndexOfAWatch_FindsWhatRefersToTheObject) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(TestWithACache), IsOk());
}

}  // namespace
}  // namespace kube::controller
