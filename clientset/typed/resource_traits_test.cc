#include "clientset/typed/resource_traits.h"

#include <memory>
#include <type_traits>

#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gtest/gtest.h"

namespace kube::typed {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

// As code generation writes it; tests/kube_library has tests of what it writes.
template <>
struct ResourceTraits<appsv1::Deployment> {
  using List = appsv1::DeploymentList;
  static constexpr Resource kResource = {.group = "apps",
                                         .version = "v1",
                                         .plural = "deployments",
                                         .kind = "Deployment",
                                         .namespaced = true,
                                         .built_in = true};
  static constexpr bool kHasGeneration = true;
  static constexpr bool kHasStatus = true;
};

namespace {

// The example of the header.
template <typed::ResourceKind T>
auto ClientOf(const rest::Client& client) {
  using Traits = typed::ResourceTraits<T>;
  return typed::TypedClient<T, typename Traits::List>(client, Traits::kResource);
}

TEST(ResourceKind, IsWhatHasTraits) {
  EXPECT_TRUE(ResourceKind<appsv1::Deployment>);
  EXPECT_FALSE(ResourceKind<appsv1::DeploymentList>);
  EXPECT_FALSE(ResourceKind<appsv1::DeploymentSpec>);
  EXPECT_FALSE(ResourceKind<const appsv1::Deployment>);
  EXPECT_FALSE(ResourceKind<int>);
}

TEST(ResourceKind, ObjectsOfAnyKindHaveNone) {
  EXPECT_FALSE(ResourceKind<unstructured::Unstructured>);
  EXPECT_FALSE(ResourceKind<unstructured::UnstructuredList>);
  EXPECT_FALSE(ResourceKind<metav1::PartialObjectMetadata>);
  EXPECT_FALSE(ResourceKind<metav1::PartialObjectMetadataList>);
}

struct WithBox {
  Box<corev1::PodStatus> status;
};
struct WithOpt {
  Opt<String> status;
};

template <typename T>
constexpr bool kHasStatusMember = requires {
  typename StatusOf<T>;
};

TEST(StatusOf, IsTheTypeOfTheMemberWithoutItsOptional) {
  EXPECT_TRUE((std::is_same_v<StatusOf<appsv1::Deployment>, appsv1::DeploymentStatus>));
  EXPECT_TRUE((std::is_same_v<StatusOf<WithBox>, corev1::PodStatus>));
  EXPECT_TRUE((std::is_same_v<StatusOf<WithOpt>, String>));
  EXPECT_TRUE(kHasStatusMember<corev1::Pod>);
  EXPECT_FALSE(kHasStatusMember<corev1::ConfigMap>);
}

TEST(KindOf, HasTheNamesOfTheResource) {
  const schema::GroupVersionKind kind = {.group = "apps", .version = "v1", .kind = "Deployment"};
  EXPECT_EQ(KindOf<appsv1::Deployment>(), kind);
  EXPECT_EQ(KindOf({.version = "v1", .plural = "pods", .kind = "Pod"}).ToString(), "/v1, Kind=Pod");
}

TEST(GroupVersionResourceOf, HasTheNamesOfTheResource) {
  const schema::GroupVersionResource resource = {
      .group = "apps", .version = "v1", .resource = "deployments"};
  EXPECT_EQ(GroupVersionResourceOf<appsv1::Deployment>(), resource);
  EXPECT_EQ(GroupVersionResourceOf({.version = "v1", .plural = "pods", .kind = "Pod"}).ToString(),
            "/v1, Resource=pods");
}

TEST(ResourceTraits, AreEnoughForAClient) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply(R"({"kind":"DeploymentList","apiVersion":"apps/v1"})"));
  const rest::Client client = rest::MakeScriptedClient(transport);
  EXPECT_THAT(ClientOf<appsv1::Deployment>(client).Namespace("prod").List(Context()), base::IsOk());
  ASSERT_EQ(transport->requests().size(), 1u);
  EXPECT_EQ(transport->requests()[0].path, "/apis/apps/v1/namespaces/prod/deployments");
}

}  // namespace
}  // namespace kube::typed
