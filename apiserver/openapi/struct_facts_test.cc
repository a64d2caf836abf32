#include "apiserver/openapi/struct_facts.h"

#include "api/apps/v1/types.kube.h"
#include "api/apps/v1beta1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

TEST(StructFacts, AreThoseOfTheFileOfAStruct) {
  const StructFacts facts(
      "= io.k8s.api.apps.v1. apps/v1 Deployment\n"
      "DeploymentSpec {\"name\":\"Spec\",\"properties\":{\"replicas\":{\"default\":1}}}\n"
      "PodSpec {\"description\":\"not that of apps\"}\n"
      "= io.k8s.api.core.v1. v1 Pod\n"
      "PodSpec {\"description\":\"What a pod is.\"}\n");
  EXPECT_EQ(facts.NameOf(appsv1::Deployment::kMessage), "io.k8s.api.apps.v1.Deployment");
  EXPECT_EQ(facts.NameOf(appsv1::DeploymentSpec::kMessage), "io.k8s.api.apps.v1.Spec");
  EXPECT_EQ(facts.NameOf(corev1::Pod::kMessage), "io.k8s.api.core.v1.Pod");
  EXPECT_TRUE(facts.FactsOf(appsv1::Deployment::kMessage).is_null());
  EXPECT_EQ(facts.FactsOf(appsv1::DeploymentSpec::kMessage)["properties"]["replicas"]["default"],
            unstructured::Value(1));
  EXPECT_EQ(facts.FactsOf(corev1::PodSpec::kMessage)["description"].text(), "What a pod is.");
  EXPECT_TRUE(facts.Knows(corev1::PodSpec::kMessage));
  EXPECT_FALSE(facts.Knows(api::meta::v1::ObjectMeta::kMessage));
}

TEST(StructFacts, BuiltInAreThoseOfTheStableVersions) {
  const StructFacts& facts = StructFacts::BuiltIn();
  EXPECT_EQ(facts.NameOf(api::meta::v1::ObjectMeta::kMessage),
            "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  EXPECT_EQ(facts.FactsOf(appsv1::DeploymentSpec::kMessage)["properties"]["selector"]["required"],
            unstructured::Value(true));
  EXPECT_EQ(facts.FactsOf(appsv1::Deployment::kMessage)["description"].text(),
            "Kind Deployment of apps/v1, namespaced.");
  EXPECT_FALSE(facts.Knows(api::apps::v1beta1::Deployment::kMessage));
}

TEST(StructFactsDeathTest, LinesOfAnotherFormAbort) {
  EXPECT_DEATH(StructFacts("Pod {}\n"), "Pod");
  EXPECT_DEATH(StructFacts("= io.k8s.api.core.v1. v1 Nothing\n"), "Nothing");
  EXPECT_DEATH(StructFacts("= io.k8s.api.core.v1. v1 Pod\nPod {\n"), "Pod");
}

}  // namespace
}  // namespace kube::apiserver::internal
