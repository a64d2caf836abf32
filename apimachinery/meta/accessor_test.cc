#include "apimachinery/meta/accessor.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

static_assert(Object<corev1::Pod> && Object<metav1::PartialObjectMetadata>);
static_assert(!Object<corev1::PodList> && !Object<corev1::Container> && !Object<int>);
static_assert(ListObject<corev1::PodList>);
static_assert(!ListObject<corev1::Pod> && !ListObject<metav1::Status>);

codec::AnyObject Any(absl::string_view kind, absl::string_view json) {
  for (const KindInfo& info : corev1::Kinds()) {
    if (info.kind != kind) continue;
    absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(info, json);
    EXPECT_THAT(object, base::IsOk());
    return *std::move(object);
  }
  ADD_FAILURE() << "no kind " << kind;
  return codec::AnyObject(corev1::Kinds()[0]);
}

TEST(MetadataOf, MetadataOf_TypedObject_IsItsMember) {
  corev1::Pod pod;
  MetadataOf(pod).name = "web-0";
  const corev1::Pod& constant = pod;
  EXPECT_EQ(&MetadataOf(constant), &pod.metadata);
  EXPECT_EQ(pod.metadata.name, "web-0");
}

TEST(MetadataOf, MetadataOf_AnyObject_ReadsAndWritesItsMember) {
  codec::AnyObject pod = Any("Pod", R"({"metadata":{"name":"web-0","labels":{"a":"b"}}})");
  metav1::ObjectMeta* metadata = MetadataOf(pod);
  ASSERT_NE(metadata, nullptr);
  EXPECT_EQ(metadata->name, "web-0");
  EXPECT_EQ(metadata->labels.value_or("a", ""), "b");
  metadata->namespace_ = "a namespace that has to be allocated";
  metadata->owner_references.push_back({.name = "owner"});
  const codec::AnyObject& constant = pod;
  EXPECT_EQ(MetadataOf(constant), metadata);
  EXPECT_THAT(pod.EncodeJson(),
              base::IsOkAndHolds(testing::HasSubstr("a namespace that has to be allocated")));
  EXPECT_EQ(ListMetadataOf(constant), nullptr);
}

TEST(MetadataOf, ListMetadataOf_AnyList_ReadsAndWritesItsMember) {
  codec::AnyObject pods = Any("PodList", R"({"metadata":{"continue":"c"},"items":[]})");
  ASSERT_NE(ListMetadataOf(pods), nullptr);
  EXPECT_EQ(ListMetadataOf(pods)->continue_, "c");
  ListMetadataOf(pods)->resource_version = "7";
  const codec::AnyObject& constant = pods;
  EXPECT_EQ(ListMetadataOf(constant)->resource_version, "7");
  EXPECT_EQ(MetadataOf(constant), nullptr);
}

TEST(AsPartialObjectMetadata, AsPartialObjectMetadata_HasTheMetadataAndNoKind) {
  metav1::ObjectMeta metadata;
  metadata.name = "a";
  metadata.uid = "u";
  EXPECT_EQ(AsPartialObjectMetadata(metadata).metadata, metadata);
  EXPECT_EQ(AsPartialObjectMetadata(metadata).kind, "");
}

TEST(KindOf, KindOf_AfterSetKind_ReturnsIt) {
  corev1::Pod pod;
  EXPECT_TRUE(KindOf(pod).empty());
  const schema::GroupVersionKind kind = {.group = "apps", .version = "v1", .kind = "Web"};
  SetKind(pod, kind);
  EXPECT_EQ(pod.api_version, "apps/v1");
  EXPECT_EQ(KindOf(pod), kind);
  SetKind(pod, {});
  EXPECT_EQ(pod.api_version, "");
  EXPECT_EQ(pod.kind, "");
}

TEST(HasSystemFieldValues, HasSystemFieldValues_TimeOrUid_IsTrue) {
  metav1::ObjectMeta metadata;
  metadata.name = "a";
  EXPECT_FALSE(HasSystemFieldValues(metadata));
  metadata.uid = "u";
  EXPECT_TRUE(HasSystemFieldValues(metadata));
  metadata = {};
  metadata.creation_timestamp = absl::FromUnixSeconds(1);
  EXPECT_TRUE(HasSystemFieldValues(metadata));
}

TEST(ResetForStatus, TakesOverWhatAStatusCannotChange) {
  metav1::ObjectMeta existing;
  existing.self_link = "link";
  existing.generation = 7;
  existing.deletion_timestamp = absl::FromUnixSeconds(1);
  existing.labels = {{"a", "b"}};
  existing.annotations = {{"c", "d"}};
  existing.owner_references = {{.name = "o"}};
  existing.finalizers = {"f"};
  existing.managed_fields = {{.manager = "old"}};
  existing.resource_version = "1";
  metav1::ObjectMeta metadata;
  metadata.labels = {{"x", "y"}};
  metadata.managed_fields = {{.manager = "new"}};
  metadata.resource_version = "2";
  ResetForStatus(metadata, existing);
  EXPECT_EQ(metadata.managed_fields[0].manager, "new");
  EXPECT_EQ(metadata.resource_version, "2");
  existing.managed_fields = metadata.managed_fields;
  existing.resource_version = "2";
  EXPECT_EQ(metadata, existing);
}

TEST(Accessor, MetadataOfEachKindOfObject_AsInTheHeader) {
  corev1::Pod pod;
  unstructured::Unstructured widget;
  const codec::AnyObject any = Any("Pod", R"({"metadata":{"name":"web-0"}})");
  meta::AddFinalizer(pod.metadata, "example.com/cleanup");
  meta::AddFinalizer(widget, "example.com/cleanup");           // an Unstructured
  const metav1::ObjectMeta* metadata = meta::MetadataOf(any);  // of an AnyObject
  EXPECT_THAT(pod.metadata.finalizers, testing::ElementsAre("example.com/cleanup"));
  EXPECT_THAT(widget.finalizers(), testing::ElementsAre("example.com/cleanup"));
  ASSERT_NE(metadata, nullptr);
  EXPECT_EQ(metadata->name, "web-0");
}

}  // namespace
}  // namespace kube::meta
