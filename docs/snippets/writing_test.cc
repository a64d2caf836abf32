// The snippets about writing of docs/controllers.md, in functions that the tests call.

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/apply_of.h"
#include "clientset/generic/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/reader.h"
#include "controller/cache/watched.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/testing/test_request.h"
#include "controller/reconcile/writer.h"
#include "envtest/fake/clientset.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace corev1 = kube::api::core::v1;
using kube::Context;

namespace {

absl::StatusOr<kube::controller::Result> WriteSettings(
    kube::controller::Request<corev1::Secret>& request,
    const kube::controller::Owned<corev1::ConfigMap>& configs) {
  const corev1::Secret& account = *request.object();
  const kube::ApplyOf<corev1::ConfigMap> settings = {.metadata = {{.name = account.metadata.name}},
                                                     .data = {{"account", account.metadata.name}}};
  KUBE_RETURN_IF_ERROR(configs.Apply(request, settings));
  for (const auto& child : configs.Children(request)) {
    if (child->metadata.name == account.metadata.name) continue;
    KUBE_RETURN_IF_ERROR(configs.Delete(request, *child));
  }
  return kube::controller::Result();
}

// For code that is generic over kinds: ConfigMaps are read from the cache, all else from the
// server.
kube::generic::Client ClientForHelpers(
    const kube::rest::Client& client,
    const kube::controller::Watched<corev1::ConfigMap>& config_maps) {
  return kube::generic::Client(client)
      .WithReader(kube::controller::ReaderOf(config_maps))
      .WithFieldOwner("website-operator");
}

TEST(WritingGuide, WritesOneChild) {
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    kube::fake::Clientset fake;
    const auto secrets = fake.client().CoreV1().Secrets("default");
    const auto maps = fake.client().CoreV1().ConfigMaps("default");
    const absl::StatusOr<corev1::Secret> account =
        secrets.Create(Context(), {.metadata = {.name = "web"}});
    ASSERT_THAT(account, kube::base::IsOk());

    kube::controller::Cache cache(fake.client().client());
    auto watched = cache.Watch<corev1::ConfigMap>();
    watched.core()->Start();
    ASSERT_THAT(watched.core()->WaitForSync(kube::WithTimeout(Context(), absl::Minutes(1))),
                kube::base::IsOk());
    kube::controller::Writer<corev1::ConfigMap> writer(
        fake.client().client(), kube::typed::ResourceTraits<corev1::ConfigMap>::kResource,
        watched.core(), "writing-guide");
    const kube::generic::Client helpers = ClientForHelpers(fake.client().client(), watched);
    const kube::controller::Owned<corev1::ConfigMap> configs(std::move(watched), std::move(writer));
    kube::controller::TestRequest<corev1::Secret> test(
        *account, {.kind = kube::typed::KindOf<corev1::Secret>()});
    ASSERT_THAT(configs.Create(test.request(), {.metadata = {.name = "old"}}), kube::base::IsOk());
    ASSERT_THAT(kube::base::SleepFor(Context(), absl::Seconds(1)), kube::base::IsOk());
    EXPECT_THAT(
        helpers.Get<corev1::ConfigMap>(Context(), {.namespace_name = "default", .name = "old"}),
        kube::base::IsOk());

    EXPECT_THAT(WriteSettings(test.request(), configs), kube::base::IsOk());
    const absl::StatusOr<corev1::ConfigMap> settings = maps.Get(Context(), "web");
    ASSERT_THAT(settings, kube::base::IsOk());
    EXPECT_TRUE(kube::meta::IsControlledBy(*settings, *account));
    EXPECT_TRUE(kube::errors::IsNotFound(maps.Get(Context(), "old").status()));
  });
  EXPECT_THAT(end, kube::base::IsOk());
}

}  // namespace
