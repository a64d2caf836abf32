#include "controller/events/event_object.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::events {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

const ObjectKinds& Kinds() {
  static const ObjectKinds kinds({corev1::Kinds(), appsv1::Kinds()});
  return kinds;
}

const corev1::ObjectReference kPodReference = {.kind = "Pod",
                                               .namespace_ = "prod",
                                               .name = "web-0",
                                               .uid = "u-1",
                                               .api_version = "v1",
                                               .resource_version = "17"};

corev1::Pod MakePod() {
  return {
      .metadata = {.name = "web-0", .namespace_ = "prod", .uid = "u-1", .resource_version = "17"}};
}

const KindInfo& PodKind() {
  for (const KindInfo& kind : corev1::Kinds()) {
    if (kind.kind == "Pod") return kind;
  }
  return corev1::Kinds()[0];
}

TEST(EventObject, GetReference_KindOfTheTypeIsKnown_HasKindAndVersion) {
  EXPECT_THAT(GetReference(Kinds(), MakePod()), IsOkAndHolds(kPodReference));
  const appsv1::Deployment web = {.metadata = {.name = "web"}};
  const absl::StatusOr<corev1::ObjectReference> reference = GetReference(Kinds(), web);
  ASSERT_THAT(reference, base::IsOk());
  EXPECT_EQ(reference->kind, "Deployment");
  EXPECT_EQ(reference->api_version, "apps/v1");
}

TEST(EventObject, GetReference_ClientOfTheTypeIsKnown_HasKindAndVersion) {
  const ObjectKinds kinds = KindsOf<corev1::PodClient, appsv1::DeploymentClient>();
  EXPECT_THAT(GetReference(kinds, MakePod()), IsOkAndHolds(kPodReference));
  const absl::StatusOr<corev1::ObjectReference> reference =
      GetReference(kinds, appsv1::Deployment{.metadata = {.name = "web"}});
  ASSERT_THAT(reference, base::IsOk());
  EXPECT_EQ(reference->kind, "Deployment");
  EXPECT_EQ(reference->api_version, "apps/v1");
  EXPECT_THAT(GetReference(kinds, corev1::Node{.metadata = {.name = "n1"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("KindsOf of its client")));
}

TEST(ObjectKinds, AreThoseOfClientsOrOfGroups_AsInTheHeader) {
  const ObjectKinds some = KindsOf<corev1::PodClient, appsv1::DeploymentClient>();  // of clients
  const ObjectKinds all = {corev1::Kinds(), appsv1::Kinds()};                       // of groups
  EXPECT_NE(some.Find(appsv1::Deployment::kMessage), nullptr);
  EXPECT_EQ(some.Find(corev1::Node::kMessage), nullptr);
  ASSERT_NE(all.Find(corev1::Node::kMessage), nullptr);
  EXPECT_EQ(all.Find(corev1::Node::kMessage)->kind, "Node");
}

TEST(EventObject, GetReference_ObjectWithKindAndVersion_PrefersThose) {
  corev1::Pod pod = MakePod();
  pod.kind = "Special";
  pod.api_version = "example.com/v2";
  absl::StatusOr<corev1::ObjectReference> reference = GetReference(Kinds(), pod);
  ASSERT_THAT(reference, base::IsOk());
  EXPECT_EQ(reference->kind, "Special");
  EXPECT_EQ(reference->api_version, "example.com/v2");
  EXPECT_THAT(GetReference(ObjectKinds(), pod), base::IsOk());
}

TEST(EventObject, GetReference_UnknownType_IsInvalidArgument) {
  EXPECT_THAT(GetReference({}, MakePod()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no kind is registered for the type Pod")));
}

TEST(EventObject, GetReference_Null_IsInvalidArgument) {
  EXPECT_THAT(GetReference(Kinds(), nullptr), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(EventObject, GetReference_Reference_IsReturnedUnchanged) {
  corev1::ObjectReference part = kPodReference;
  part.field_path = "spec.containers{web}";
  EXPECT_THAT(GetReference({}, part), IsOkAndHolds(part));
  EXPECT_THAT(GetReference({}, corev1::ObjectReference()), IsOkAndHolds(corev1::ObjectReference()));
}

TEST(EventObject, GetReference_List_HasKindAndResourceVersion) {
  const corev1::PodList list = {.metadata = {.resource_version = "9"}};
  EXPECT_THAT(GetReference(Kinds(), list),
              IsOkAndHolds(corev1::ObjectReference{
                  .kind = "PodList", .api_version = "v1", .resource_version = "9"}));
}

TEST(EventObject, GetReference_AnyObject_HasTheKindOfTheObject) {
  codec::AnyObject any(PodKind());
  *any.As<corev1::Pod>() = MakePod();
  EXPECT_THAT(GetReference({}, any), IsOkAndHolds(kPodReference));
  any.As<corev1::Pod>()->kind = "Other";
  EXPECT_EQ(GetReference({}, any)->kind, "Other");
}

TEST(EventObject, GetReference_Unstructured_NeedsKindAndVersionOfTheObject) {
  unstructured::Unstructured object;
  object.set_name("c");
  object.set_namespace("prod");
  EXPECT_THAT(GetReference(Kinds(), object), StatusIs(absl::StatusCode::kInvalidArgument));
  object.set_api_version("cert-manager.io/v1");
  object.set_kind("Certificate");
  EXPECT_THAT(GetReference({}, object),
              IsOkAndHolds(corev1::ObjectReference{.kind = "Certificate",
                                                   .namespace_ = "prod",
                                                   .name = "c",
                                                   .api_version = "cert-manager.io/v1"}));
}

}  // namespace
}  // namespace kube::events
