#include "apimachinery/meta/dynamic_metadata.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace metav1 = api::meta::v1;
using testing::ElementsAre;
using testing::IsEmpty;

// Has the accessors of unstructured::Unstructured over a plain ObjectMeta, and records what was
// set.
class Recorded {
 public:
  explicit Recorded(metav1::ObjectMeta metadata) : m_(metadata) {}

  absl::string_view name() const { return m_.name.view(); }
  void set_name(absl::string_view value) { Set("name", m_.name, value); }
  absl::string_view generate_name() const { return m_.generate_name.view(); }
  void set_generate_name(absl::string_view value) { Set("generateName", m_.generate_name, value); }
  absl::string_view namespace_name() const { return m_.namespace_.view(); }
  void set_namespace(absl::string_view value) { Set("namespace", m_.namespace_, value); }
  absl::string_view uid() const { return m_.uid.view(); }
  void set_uid(absl::string_view value) { Set("uid", m_.uid, value); }
  absl::string_view resource_version() const { return m_.resource_version.view(); }
  void set_resource_version(absl::string_view value) {
    Set("resourceVersion", m_.resource_version, value);
  }
  absl::string_view self_link() const { return m_.self_link.view(); }
  void set_self_link(absl::string_view value) { Set("selfLink", m_.self_link, value); }
  int64_t generation() const { return m_.generation; }
  void set_generation(int64_t value) { Set("generation", m_.generation, value); }
  Time creation_timestamp() const { return m_.creation_timestamp; }
  void set_creation_timestamp(Time value) {
    Set("creationTimestamp", m_.creation_timestamp, value);
  }
  std::optional<Time> deletion_timestamp() const { return m_.deletion_timestamp; }
  void set_deletion_timestamp(std::optional<Time> value) {
    Set("deletionTimestamp", m_.deletion_timestamp, value);
  }
  std::optional<int64_t> deletion_grace_period_seconds() const {
    return m_.deletion_grace_period_seconds;
  }
  void set_deletion_grace_period_seconds(std::optional<int64_t> value) {
    Set("deletionGracePeriodSeconds", m_.deletion_grace_period_seconds, value);
  }
  Map<String> labels() const { return m_.labels; }
  void set_labels(const Map<String>& value) { Set("labels", m_.labels, value); }
  Map<String> annotations() const { return m_.annotations; }
  void set_annotations(const Map<String>& value) { Set("annotations", m_.annotations, value); }
  List<String> finalizers() const { return m_.finalizers; }
  void set_finalizers(const List<String>& value) { Set("finalizers", m_.finalizers, value); }
  List<metav1::OwnerReference> owner_references() const { return m_.owner_references; }
  void set_owner_references(const List<metav1::OwnerReference>& value) {
    Set("ownerReferences", m_.owner_references, value);
  }
  List<metav1::ManagedFieldsEntry> managed_fields() const { return m_.managed_fields; }
  void set_managed_fields(const List<metav1::ManagedFieldsEntry>& value) {
    Set("managedFields", m_.managed_fields, value);
  }

  const metav1::ObjectMeta& metadata() const { return m_; }
  const std::vector<std::string>& set() const { return set_; }

 private:
  template <typename T, typename U>
  void Set(const char* name, T& member, const U& value) {
    member = value;
    set_.emplace_back(name);
  }

  metav1::ObjectMeta m_;
  std::vector<std::string> set_;
};

metav1::ObjectMeta Full() {
  metav1::ObjectMeta metadata;
  metadata.name = "web-0";
  metadata.generate_name = "web-";
  metadata.namespace_ = "prod";
  metadata.self_link = "/link";
  metadata.uid = "u";
  metadata.resource_version = "7";
  metadata.generation = 3;
  metadata.creation_timestamp = absl::FromUnixSeconds(5);
  metadata.deletion_timestamp = absl::FromUnixSeconds(6);
  metadata.deletion_grace_period_seconds = 30;
  metadata.labels = {{"a", "b"}};
  metadata.annotations = {{"c", "d"}};
  metadata.owner_references = {{.kind = "Web", .name = "o"}};
  metadata.finalizers = {"f/f"};
  metadata.managed_fields = {{.manager = "m"}};
  return metadata;
}

TEST(ReadMetadata, ReadMetadata_AllMembers_ReturnsThem) {
  EXPECT_EQ(ReadMetadata(Recorded(Full())), Full());
}

TEST(WriteMetadata, WriteMetadata_AllMembersDiffer_SetsThem) {
  Recorded object{metav1::ObjectMeta()};
  WriteMetadata(object, Full());
  EXPECT_EQ(object.metadata(), Full());
  EXPECT_EQ(object.set().size(), 15u);
  WriteMetadata(object, metav1::ObjectMeta());
  EXPECT_EQ(object.metadata(), metav1::ObjectMeta());
}

TEST(WriteMetadata, WriteMetadata_OneMemberDiffers_SetsOnlyThatOne) {
  Recorded object(Full());
  metav1::ObjectMeta metadata = ReadMetadata(object);
  WriteMetadata(object, metadata);
  EXPECT_THAT(object.set(), IsEmpty());
  EXPECT_TRUE(AddFinalizer(metadata, "g/g"));
  WriteMetadata(object, metadata);
  EXPECT_THAT(object.set(), ElementsAre("finalizers"));
  EXPECT_THAT(object.finalizers(), ElementsAre("f/f", "g/g"));
}

using unstructured::Unstructured;

static_assert(DynamicObject<Unstructured>);
static_assert(!DynamicObject<metav1::PartialObjectMetadata>);

Unstructured Web(absl::string_view json) { return unstructured::DecodeUnstructured(json).value(); }

TEST(Unstructured, WriteThenReadMetadata_AllMembers_AreTheSame) {
  Unstructured object = Web(R"({"kind":"Web","spec":{"a":1}})");
  EXPECT_EQ(ReadMetadata(object), metav1::ObjectMeta());
  WriteMetadata(object, Full());
  EXPECT_EQ(ReadMetadata(object), Full());
  EXPECT_EQ(object.object["spec"]["a"], 1);
  WriteMetadata(object, metav1::ObjectMeta());
  EXPECT_EQ(ReadMetadata(object), metav1::ObjectMeta());
}

TEST(Unstructured, WriteMetadata_UnknownMembers_AreKept) {
  Unstructured object = Web(
      R"({"kind":"Web","metadata":{"name":"a","new":[1],"labels":{"x":1},"finalizers":["f/f"]}})");
  metav1::ObjectMeta metadata = ReadMetadata(object);
  EXPECT_TRUE(RemoveFinalizer(metadata, "f/f"));
  EXPECT_TRUE(AddFinalizer(metadata, "g/g"));
  EXPECT_FALSE(AddFinalizer(metadata, "g/g"));
  WriteMetadata(object, metadata);
  EXPECT_THAT(codec::EncodeJson(object),
              base::IsOkAndHolds(
                  std::string(R"({"kind":"Web","metadata":{"finalizers":["g/g"],"labels":{"x":1},)"
                              R"("name":"a","new":[1]}})")));
}

TEST(Unstructured, SetControllerReference_OnReadMetadata_IsWrittenBack) {
  const Unstructured owner = Web(R"({"kind":"Web","apiVersion":"example.com/v1",
                                     "metadata":{"name":"w","namespace":"prod","uid":"u1"}})");
  const Unstructured other =
      Web(R"({"kind":"Web","metadata":{"name":"x","namespace":"prod","uid":"u2"}})");
  const metav1::ObjectMeta owner_metadata = ReadMetadata(owner);
  Unstructured object = Web(R"({"kind":"Pod","metadata":{"name":"p","namespace":"prod"}})");
  metav1::ObjectMeta metadata = ReadMetadata(object);
  ASSERT_THAT(SetControllerReference(owner_metadata, owner.gvk(), metadata), base::IsOk());
  WriteMetadata(object, metadata);

  metadata = ReadMetadata(object);
  EXPECT_TRUE(IsControlledBy(metadata, owner_metadata));
  EXPECT_FALSE(IsControlledBy(metadata, ReadMetadata(other)));
  const metav1::OwnerReference* controller = GetControllerOf(metadata);
  ASSERT_NE(controller, nullptr);
  EXPECT_EQ(controller->api_version, "example.com/v1");
  EXPECT_EQ(controller->kind, "Web");
  EXPECT_TRUE(IsAlreadyOwned(SetControllerReference(ReadMetadata(other), owner.gvk(), metadata)));

  ASSERT_THAT(RemoveOwnerReference(owner_metadata, owner.gvk(), metadata), base::IsOk());
  WriteMetadata(object, metadata);
  EXPECT_THAT(object.owner_references(), IsEmpty());
}

TEST(Unstructured, AddAndRemoveFinalizer_UnstructuredOrTyped_SayWhetherChanged) {
  Unstructured object = Web(R"({"kind":"Web","metadata":{"name":"a"}})");
  EXPECT_FALSE(IsBeingDeleted(object));
  EXPECT_TRUE(AddFinalizer(object, "a/a"));
  EXPECT_FALSE(AddFinalizer(object, "a/a"));
  EXPECT_TRUE(ContainsFinalizer(object, "a/a"));
  EXPECT_TRUE(RemoveFinalizer(object, "a/a"));
  EXPECT_FALSE(RemoveFinalizer(object, "a/a"));
  object.set_deletion_timestamp(Time(absl::FromUnixSeconds(1'800'000'000)));
  EXPECT_TRUE(IsBeingDeleted(object));

  metav1::PartialObjectMetadata typed;
  EXPECT_TRUE(AddFinalizer(typed, "a/a"));
  EXPECT_TRUE(ContainsFinalizer(typed, "a/a"));
  EXPECT_TRUE(RemoveFinalizer(typed, "a/a"));
  EXPECT_FALSE(IsBeingDeleted(typed));
}

TEST(Unstructured, SetControllerReference_UnstructuredOwner_ControlsTheObject) {
  const schema::GroupVersionKind kWeb = {.group = "example.com", .version = "v1", .kind = "Web"};
  const Unstructured owner =
      Web(R"({"kind":"Web","metadata":{"name":"a","namespace":"prod","uid":"u"}})");
  Unstructured object = Web(R"({"kind":"Web","metadata":{"name":"b","namespace":"prod"}})");
  EXPECT_EQ(GetControllerOf(object), std::nullopt);
  EXPECT_THAT(SetControllerReference(owner, kWeb, object), base::IsOk());
  EXPECT_TRUE(IsControlledBy(object, owner));
  EXPECT_TRUE(HasControllerReference(object));
  EXPECT_EQ(GetControllerOf(object)->name, "a");
  EXPECT_EQ(*GetControllerOf(object), NewControllerRef(owner, kWeb));
  const Unstructured other =
      Web(R"({"kind":"Web","metadata":{"name":"c","namespace":"prod","uid":"v"}})");
  EXPECT_TRUE(IsAlreadyOwned(SetControllerReference(other, kWeb, object)));
  EXPECT_THAT(SetOwnerReference(other, kWeb, object), base::IsOk());
  EXPECT_EQ(object.owner_references().size(), 2u);
  EXPECT_THAT(RemoveOwnerReference(other, kWeb, object), base::IsOk());
  EXPECT_THAT(RemoveControllerReference(owner, kWeb, object), base::IsOk());
  EXPECT_FALSE(HasControllerReference(object));

  // The owner and the object may be of different kinds of objects.
  metav1::PartialObjectMetadata typed;
  typed.metadata.namespace_ = "prod";
  EXPECT_THAT(SetControllerReference(owner, kWeb, typed), base::IsOk());
  EXPECT_TRUE(IsControlledBy(typed, owner));
  EXPECT_EQ(GetControllerOf(typed)->uid, "u");
}

TEST(Unstructured, MetadataOfAnotherShapeIsLeftAlone) {
  Unstructured object = Web(R"({"kind":"Web","metadata":"secret"})");
  const Unstructured before = object;
  EXPECT_EQ(ObjectNameOf(object), ObjectName());
  EXPECT_FALSE(IsBeingDeleted(object));
  EXPECT_FALSE(AddFinalizer(object, "a/a"));
  EXPECT_FALSE(RemoveFinalizer(object, "a/a"));
  const metav1::ObjectMeta owner = {.name = "a"};
  EXPECT_THAT(SetControllerReference(owner, {.version = "v1", .kind = "Web"}, object),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(object, before);
}

// Conditions are not metadata: a List<Condition> is decoded from the Value and encoded into it
// again.
TEST(Unstructured, Conditions) {
  Unstructured object =
      Web(R"({"kind":"Web","status":{"conditions":[{"type":"Ready","status":"False","reason":"a",)"
          R"("message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
  List<metav1::Condition> conditions;
  for (const unstructured::Value& value : *object.object["status"]["conditions"].list()) {
    conditions.push_back(unstructured::FromValue<metav1::Condition>(value).value());
  }
  EXPECT_TRUE(IsStatusConditionFalse(conditions, "Ready"));
  EXPECT_TRUE(
      SetStatusCondition(conditions, {.type = "Ready",
                                      .status = "True",
                                      .last_transition_time = absl::FromUnixSeconds(1'800'000'000),
                                      .reason = "b"}));
  (*object.object["status"].Find("conditions")->list())[0] =
      unstructured::ToValue(conditions[0]).value();
  EXPECT_THAT(
      codec::EncodeJson(object),
      base::IsOkAndHolds(std::string(
          R"({"kind":"Web","status":{"conditions":[{"lastTransitionTime":"2027-01-15T08:00:00Z",)"
          R"("message":"","reason":"b","status":"True","type":"Ready"}]}})")));
}

TEST(Unstructured, HasAKey) {
  const Unstructured object = Web(R"({"kind":"Web","metadata":{"name":"a","namespace":"prod"}})");
  EXPECT_EQ(MetaNamespaceKey(object), "prod/a");
  EXPECT_EQ(MetaNamespaceKey(Web(R"({"kind":"Web","metadata":{"name":"a"}})")), "a");
}

TEST(DynamicObject, HasAKey) {
  const Recorded object(Full());
  EXPECT_EQ(MetaNamespaceKey(object), "prod/web-0");
  EXPECT_EQ(ObjectNameOf(object), (ObjectName{.namespace_name = "prod", .name = "web-0"}));
}

TEST(DynamicMetadata, IsChangedAsAWhole_AsInTheHeader) {
  unstructured::Unstructured object;
  object.set_name("web");
  metav1::ObjectMeta metadata = meta::ReadMetadata(object);
  metadata.labels["team"] = "web";
  meta::WriteMetadata(object, metadata);
  EXPECT_EQ(object.name(), "web");
  EXPECT_EQ(object.labels(), (Map<String>{{"team", "web"}}));
}

}  // namespace
}  // namespace kube::meta
