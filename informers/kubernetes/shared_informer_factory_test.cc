#include "informers/kubernetes/shared_informer_factory.h"

#include <atomic>

#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/kubernetes/apps/v1/informers.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/lister.h"

namespace kube::kubernetes {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

using base::IsOk;

class SharedInformerFactoryTest : public testing::Test {
 protected:
  SharedInformerFactoryTest() : client_(*rest::MakeClient(envtest::InProcessConfig(server_))) {
    for (const char* name : {"prod", "test"}) {
      const corev1::Namespace object = {.metadata = {.name = name}};
      EXPECT_THAT(client_.CoreV1().Namespaces().Create(Context(), object), IsOk());
      const corev1::ConfigMap settings = {.metadata = {.name = "settings"}};
      EXPECT_THAT(client_.CoreV1().ConfigMaps(name).Create(Context(), settings), IsOk());
    }
  }

  apiserver::ApiHandler server_;
  const Clientset client_;
};

TEST_F(SharedInformerFactoryTest, InformersOfTwoGroups) {
  appsv1::Deployment web = {.metadata = {.name = "web"}};
  web.spec.selector.emplace().match_labels = {{"app", "web"}};
  web.spec.template_.metadata.labels = {{"app", "web"}};
  web.spec.template_.spec.containers.push_back({.name = "web", .image = "web:1"});
  ASSERT_THAT(client_.AppsV1().Deployments("prod").Create(Context(), web), IsOk());

  SharedInformerFactory factory(client_);
  const appsv1::DeploymentInformer deployments = factory.Apps().V1().Deployments();
  const listers::Lister<corev1::ConfigMap> config_maps = factory.Core().V1().ConfigMaps().Lister();
  std::atomic<int> added{0};
  const auto registration = deployments.Informer().AddEventHandler(
      {.on_add = [&added](const informers::AddEvent<appsv1::Deployment>&) { ++added; }});
  ASSERT_THAT(registration, IsOk());
  ASSERT_THAT(factory.Start(Context()), IsOk());
  ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
  ASSERT_THAT(informers::WaitForCacheSync(Context(), {&*registration}), IsOk());

  EXPECT_EQ(added, 1);
  EXPECT_THAT(deployments.Lister().Namespace("prod").Get("web"), IsOk());
  EXPECT_THAT(config_maps.Namespace("test").Get("settings"), IsOk());
  EXPECT_TRUE(errors::IsNotFound(config_maps.Namespace("none").Get("settings").status()));
}

TEST_F(SharedInformerFactoryTest, OptionsAreThoseOfTheCore) {
  SharedInformerFactory factory(client_.client(), {.namespace_name = "prod"});
  const listers::Lister<corev1::ConfigMap> config_maps = factory.Core().V1().ConfigMaps().Lister();
  const listers::Lister<corev1::Namespace> namespaces = factory.Core().V1().Namespaces().Lister();
  ASSERT_THAT(factory.Start(Context()), IsOk());
  ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
  EXPECT_THAT(config_maps.Namespace("prod").Get("settings"), IsOk());
  EXPECT_TRUE(errors::IsNotFound(config_maps.Namespace("test").Get("settings").status()));
  EXPECT_THAT(namespaces.Get("test"), IsOk());
}

TEST_F(SharedInformerFactoryTest, AKindHasOneInformer) {
  SharedInformerFactory factory(client_);
  EXPECT_EQ(factory.Informers().size(), 0u);
  const auto& informer = factory.Core().V1().ConfigMaps().Informer();
  EXPECT_EQ(&informer, &factory.Core().V1().ConfigMaps().Informer());
  EXPECT_EQ(&informer, &corev1::CoreV1Informers(factory).ConfigMaps().Informer());
  EXPECT_EQ(factory.Informers().size(), 1u);
  factory.Core().V1().Secrets().Lister();
  EXPECT_EQ(factory.Informers().size(), 2u);
}

// What cannot be both listed and watched has none.
template <typename VersionT>
constexpr bool kHasComponentStatuses = requires(const VersionT& version) {
  version.ComponentStatuses();
};
static_assert(!kHasComponentStatuses<corev1::CoreV1Informers>);

// A version whose header is not included is declared, and no more.
template <typename VersionT>
constexpr bool kIsComplete = requires {
  sizeof(VersionT);
};
static_assert(kIsComplete<corev1::CoreV1Informers>);
static_assert(!kIsComplete<api::batch::v1::BatchV1Informers>);

}  // namespace
}  // namespace kube::kubernetes
