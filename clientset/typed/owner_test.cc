#include "clientset/typed/owner.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using absl::StatusCode;
using base::IsOk;
using base::StatusIs;

corev1::ConfigMap MapOf(absl::string_view name, absl::string_view namespace_name = "prod") {
  return {.metadata = {.name = name, .namespace_ = namespace_name, .uid = "map"}};
}

corev1::Node NodeOf(absl::string_view name) { return {.metadata = {.name = name, .uid = "node"}}; }

corev1::Pod PodIn(absl::string_view namespace_name) {
  return {.metadata = {.name = "web-0", .namespace_ = namespace_name}};
}

// The example of the header.
absl::Status Keep(const Context& ctx,
                  const TypedClient<corev1::ConfigMap, corev1::ConfigMapList>& maps,
                  const corev1::ConfigMap& account, corev1::ConfigMap settings) {
  KUBE_RETURN_IF_ERROR(typed::SetControllerReference(account, settings));
  return maps.Create(ctx, settings).status();
}

TEST(OwnerTest, AsInTheHeader) {
  const Context ctx;
  apiserver::ApiHandler server;
  const auto maps = TypedClient<corev1::ConfigMap, corev1::ConfigMapList>(
                        *rest::MakeClient(envtest::InProcessConfig(server)),
                        ResourceTraits<corev1::ConfigMap>::kResource)
                        .Namespace("default");
  const absl::StatusOr<corev1::ConfigMap> account =
      maps.Create(ctx, {.metadata = {.name = "account"}});
  ASSERT_THAT(account, IsOk());
  ASSERT_THAT(Keep(ctx, maps, *account, MapOf("settings", "default")), IsOk());
  const absl::StatusOr<corev1::ConfigMap> settings = maps.Get(ctx, "settings");
  ASSERT_THAT(settings, IsOk());
  EXPECT_TRUE(meta::IsControlledBy(*settings, *account));
}

// behaviour.md: UTIL-1
TEST(OwnerTest, SetControllerReference_TakesTheKindOfTheType) {
  corev1::Pod pod = PodIn("prod");
  ASSERT_THAT(SetControllerReference(MapOf("a"), pod), IsOk());
  ASSERT_EQ(pod.metadata.owner_references.size(), 1u);
  EXPECT_EQ(pod.metadata.owner_references[0],
            (metav1::OwnerReference{.api_version = "v1",
                                    .kind = "ConfigMap",
                                    .name = "a",
                                    .uid = "map",
                                    .controller = true,
                                    .block_owner_deletion = true}));
  ASSERT_THAT(SetControllerReference(MapOf("a"), pod, {.block_owner_deletion = false}), IsOk());
  EXPECT_EQ(pod.metadata.owner_references.size(), 1u) << "it is replaced";
  EXPECT_EQ(pod.metadata.owner_references[0].block_owner_deletion, false);
}

// behaviour.md: UTIL-2
TEST(OwnerTest, SetControllerReference_RefusesWhatAnotherControls) {
  corev1::Pod pod = PodIn("prod");
  ASSERT_THAT(SetControllerReference(MapOf("a"), pod), IsOk());
  const absl::Status error = SetControllerReference(MapOf("b"), pod);
  EXPECT_TRUE(meta::IsAlreadyOwned(error));
  EXPECT_THAT(error,
              StatusIs(StatusCode::kAlreadyExists,
                       "Object prod/web-0 is already owned by another ConfigMap controller a"));
}

// behaviour.md: UTIL-3
TEST(OwnerTest, EachScope_AsTheKindsSay) {
  corev1::Pod pod = PodIn("prod");
  corev1::Pod elsewhere = PodIn("test");
  corev1::Pod nowhere = PodIn("");
  corev1::Node node = NodeOf("n");
  EXPECT_THAT(SetOwnerReference(NodeOf("m"), pod), IsOk()) << "an owner of the cluster";
  EXPECT_THAT(SetOwnerReference(NodeOf("m"), node), IsOk());
  EXPECT_THAT(SetOwnerReference(MapOf("a"), pod), IsOk());
  EXPECT_THAT(SetOwnerReference(MapOf("a"), elsewhere),
              StatusIs(StatusCode::kInvalidArgument,
                       "cross-namespace owner references are disallowed, owner's namespace prod, "
                       "obj's namespace test"));
  EXPECT_THAT(SetControllerReference(MapOf("a"), elsewhere),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(SetOwnerReference(MapOf("a"), node),
              StatusIs(StatusCode::kInvalidArgument,
                       "cluster-scoped resource must not have a namespace-scoped owner, owner's "
                       "namespace prod"));
  EXPECT_THAT(SetOwnerReference(MapOf("a"), nowhere),
              StatusIs(StatusCode::kInvalidArgument,
                       "set owner of \"web-0\": the object has no namespace, its owner's is "
                       "\"prod\""));
  EXPECT_EQ(node.metadata.owner_references.size(), 1u);
  EXPECT_TRUE(elsewhere.metadata.owner_references.empty());
  EXPECT_TRUE(nowhere.metadata.owner_references.empty());
}

// The scope of an Unstructured is not known: its namespace decides.
TEST(OwnerTest, AnUnstructured_IsTakenAsItSays) {
  unstructured::Unstructured widget;
  widget.set_name("w");
  EXPECT_THAT(SetControllerReference(MapOf("a"), widget),
              StatusIs(StatusCode::kInvalidArgument,
                       "cluster-scoped resource must not have a namespace-scoped owner, owner's "
                       "namespace prod"));
  widget.set_namespace("prod");
  EXPECT_THAT(SetControllerReference(MapOf("a"), widget), IsOk());
  EXPECT_TRUE(HasOwnerReference(MapOf("a"), widget));
}

// behaviour.md: UTIL-6
TEST(OwnerTest, AnOwnerWithoutAUid_IsRefused) {
  corev1::Pod pod = PodIn("prod");
  corev1::ConfigMap unborn = MapOf("a");
  unborn.metadata.uid = "";
  const auto refused = StatusIs(StatusCode::kInvalidArgument,
                                "set owner of \"prod/web-0\": ConfigMap \"prod/a\" cannot be an "
                                "owner, because it has no UID");
  EXPECT_THAT(SetControllerReference(unborn, pod), refused);
  EXPECT_THAT(SetOwnerReference(unborn, pod), refused);
  EXPECT_TRUE(pod.metadata.owner_references.empty());
}

// behaviour.md: UTIL-4, UTIL-5
TEST(OwnerTest, Remove_RemovesWhatIsThere) {
  corev1::Pod pod = PodIn("prod");
  EXPECT_FALSE(HasOwnerReference(MapOf("a"), pod));
  EXPECT_THAT(RemoveOwnerReference(MapOf("a"), pod), StatusIs(StatusCode::kNotFound));
  ASSERT_THAT(SetControllerReference(MapOf("a"), pod), IsOk());
  EXPECT_TRUE(HasOwnerReference(MapOf("a"), pod));
  ASSERT_THAT(SetOwnerReference(MapOf("a"), pod), IsOk());
  EXPECT_FALSE(meta::HasControllerReference(pod)) << "it has lost the mark of a controller";
  EXPECT_THAT(RemoveControllerReference(MapOf("a"), pod), StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(RemoveOwnerReference(MapOf("a"), pod), IsOk());
  EXPECT_TRUE(pod.metadata.owner_references.empty());
}

}  // namespace
}  // namespace kube::typed
