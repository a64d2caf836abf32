#include "apimachinery/managedfields/typed_compare.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/managedfields/testing/json_comparison.h"
#include "apimachinery/managedfields/testing/mutate_object.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::managedfields {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

using api::apiextensions::v1::CustomResourceDefinition;
using api::meta::v1::ManagedFieldsEntry;
using api::meta::v1::ObjectMeta;
using base::IsOk;
using base::StatusIs;
using codec::internal::SampleObject;
using kube::table::Message;
using testing::HasSubstr;
using unstructured::Value;

constexpr uint64_t kSeed = 20'267;
constexpr int kPairsOfEachType = 60;

SampleObject Decoded(const Message& message, absl::string_view json) {
  SampleObject object(message);
  const codec::PaddedBuffer buffer(json);
  EXPECT_THAT(codec::DecodeInto(object.get(), message, codec::Encoding::kJson, buffer.view(),
                                /*options=*/{}),
              IsOk())
      << json;
  return object;
}

// Expects that both ways to compare agree, and returns whether the objects differ.
bool ExpectSame(const SampleObject& before, const SampleObject& after) {
  const absl::StatusOr<Comparison> want = CompareAsJson(before, after);
  const absl::StatusOr<Comparison> found =
      CompareTyped(before.get(), after.get(), before.message());
  EXPECT_EQ(found.ok(), want.ok()) << found.status() << "\n" << want.status();
  if (!found.ok() || !want.ok()) return true;
  EXPECT_EQ(ComparisonText(*found), ComparisonText(*want));
  EXPECT_TRUE(*found == *want);
  return !found->IsSame();
}

// ---- Rows

// Returns the JSON of a Pod with one container "a", which has these members.
std::string PodWith(absl::string_view members) {
  return absl::StrCat(R"({"spec":{"containers":[{"name":"a")", members.empty() ? "" : ",", members,
                      "}]}}");
}

TEST(CompareTypedTest, Rows_AreComparedAsTheirJson) {
  const std::string a = R"(.spec.containers[name="a"])";
  const struct {
    std::string name;
    const Message& message;
    std::string before, after, want;
  } rows[] = {
      {"nothing", corev1::Pod::kMessage, "{}", "{}", ""},
      {"a number", appsv1::Deployment::kMessage, R"({"spec":{"replicas":3}})",
       R"({"spec":{"replicas":4}})", "~ .spec.replicas"},
      {"a number that was absent", appsv1::Deployment::kMessage, "{}", R"({"spec":{"replicas":0}})",
       "+ .spec.replicas"},
      {"a member of an item", corev1::Pod::kMessage, PodWith(R"("image":"x")"),
       PodWith(R"("image":"y")"), absl::StrCat("~ ", a, ".image")},
      {"an item more", corev1::Pod::kMessage, PodWith(R"("env":[{"name":"X","value":"1"}])"),
       PodWith(R"("env":[{"name":"X","value":"1"},{"name":"Y","value":"2"}])"),
       absl::StrCat("+ ", a, R"(.env[name="Y"])", "\n+ ", a, R"(.env[name="Y"].name)", "\n+ ", a,
                    R"(.env[name="Y"].value)")},
      {"items in another order", corev1::Pod::kMessage,
       PodWith(R"("env":[{"name":"X","value":"1"},{"name":"Y","value":"2"}])"),
       PodWith(R"("env":[{"name":"Y","value":"2"},{"name":"X","value":"1"}])"), ""},
      {"items of one key", corev1::Pod::kMessage,
       PodWith(R"("env":[{"name":"X","value":"1"},{"name":"X","value":"2"}])"),
       PodWith(R"("env":[{"name":"X","value":"1"},{"name":"X","value":"3"}])"),
       absl::StrCat("~ ", a, R"(.env[name="X"])")},
      {"a key that has its default", corev1::Pod::kMessage,
       PodWith(R"("ports":[{"containerPort":80}])"),
       PodWith(R"("ports":[{"containerPort":80,"protocol":"TCP"}])"),
       absl::StrCat("+ ", a, R"(.ports[containerPort=80,protocol="TCP"].protocol)")},
      {"an item with two keys", corev1::Pod::kMessage,
       PodWith(R"("ports":[{"containerPort":80,"protocol":"UDP"}])"),
       PodWith(R"("ports":[{"containerPort":80,"protocol":"UDP","name":"n"}])"),
       absl::StrCat("+ ", a, R"(.ports[containerPort=80,protocol="UDP"].name)")},
      {"a set", corev1::Pod::kMessage, R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"finalizers":["b","c"]}})",
       "- .metadata.finalizers[=\"a\"]\n+ .metadata.finalizers[=\"c\"]"},
      {"a set in another order", corev1::Pod::kMessage, R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"finalizers":["b","a"]}})", ""},
      {"an atomic list", corev1::Pod::kMessage, PodWith(R"("args":["x","y"])"),
       PodWith(R"("args":["y","x"])"), absl::StrCat("~ ", a, ".args")},
      {"an atomic struct", appsv1::Deployment::kMessage,
       R"({"spec":{"selector":{"matchLabels":{"a":"1"}}}})",
       R"({"spec":{"selector":{"matchLabels":{"a":"2"}}}})", "~ .spec.selector"},
      {"null and an empty list", corev1::Pod::kMessage, R"({"spec":{}})",
       R"({"spec":{"containers":[]}})", "~ .spec.containers"},
      {"a map that is left out if it is empty", corev1::Pod::kMessage, R"({"metadata":{}})",
       R"({"metadata":{"labels":{}}})", ""},
      {"keys of a map", corev1::Pod::kMessage,
       R"({"metadata":{"annotations":{"a":"1","b":"2","d":"4"}}})",
       R"({"metadata":{"annotations":{"b":"3","c":"4","d":"4"}}})",
       "- .metadata.annotations.a\n~ .metadata.annotations.b\n+ .metadata.annotations.c"},
      {"a map that was absent", corev1::Pod::kMessage, "{}", R"({"metadata":{"labels":{"a":"1"}}})",
       "+ .metadata.labels\n+ .metadata.labels.a"},
      {"a struct that was absent", corev1::Pod::kMessage, PodWith(""),
       PodWith(R"("livenessProbe":{"httpGet":{"path":"/","port":80}})"),
       absl::StrCat("+ ", a, ".livenessProbe\n+ ", a, ".livenessProbe.httpGet\n+ ", a,
                    ".livenessProbe.httpGet.path\n+ ", a, ".livenessProbe.httpGet.port")},
      {"one quantity in two forms", corev1::Pod::kMessage,
       PodWith(R"("resources":{"limits":{"cpu":"1"}})"),
       PodWith(R"("resources":{"limits":{"cpu":"1000m"}})"), ""},
      {"a quantity", corev1::Pod::kMessage, PodWith(R"("resources":{"limits":{"cpu":"1"}})"),
       PodWith(R"("resources":{"limits":{"cpu":"2"}})"),
       absl::StrCat("~ ", a, ".resources.limits.cpu")},
      {"one time in two zones", corev1::Pod::kMessage,
       R"({"metadata":{"creationTimestamp":"2026-01-01T01:00:00+01:00"}})",
       R"({"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z"}})", ""},
      {"a time", corev1::Pod::kMessage,
       R"({"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z"}})",
       R"({"metadata":{"creationTimestamp":"2026-01-01T00:00:01Z"}})",
       "~ .metadata.creationTimestamp"},
      {"an int or string", appsv1::Deployment::kMessage,
       R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":"25%"}}}})",
       R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":1}}}})",
       "~ .spec.strategy.rollingUpdate.maxSurge"},
      {"bytes", corev1::Secret::kMessage, R"({"data":{"k":"YQ=="}})", R"({"data":{"k":"Yg=="}})",
       "~ .data.k"},
      {"one JSON with blanks", appsv1::ControllerRevision::kMessage, R"({"data":{"a":1}})",
       R"({"data":{ "a" : 1.0 }})", ""},
      {"embedded JSON", appsv1::ControllerRevision::kMessage, R"({"data":{"a":1}})",
       R"({"data":{"a":2}})", "~ .data"},
      {"a struct with two forms", CustomResourceDefinition::kMessage,
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"additionalProperties":true}}}]}})",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"additionalProperties":false}}}]}})",
       "~ .spec.versions"},
      {"the resource version", corev1::Pod::kMessage, R"({"metadata":{"resourceVersion":"1"}})",
       R"({"metadata":{"resourceVersion":"2"}})", "~ .metadata.resourceVersion"},
      {"what is not compared", corev1::Pod::kMessage,
       R"({"apiVersion":"v1","kind":"Pod","metadata":{"managedFields":[{"manager":"m"}]}})", "{}",
       ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const SampleObject before = Decoded(row.message, row.before);
    const SampleObject after = Decoded(row.message, row.after);
    const absl::StatusOr<Comparison> found =
        CompareTyped(before.get(), after.get(), before.message());
    ASSERT_THAT(found.status(), IsOk());
    EXPECT_EQ(ComparisonText(*found), row.want);
    ExpectSame(before, after);
    ExpectSame(after, before);
  }
}

// Few and many items are compared in different ways.
TEST(CompareTypedTest, ItemsThatDiffer_AreComparedAsTheirJson) {
  for (const int count : {1, 31, 32, 33, 100}) {
    SCOPED_TRACE(count);
    corev1::Pod pod;
    for (int i = 0; i < count; ++i) {
      corev1::Container container;
      container.name = absl::StrCat("c", i);
      container.image = "a:1";
      pod.spec.containers.push_back(std::move(container));
    }
    corev1::Pod other = pod;
    for (corev1::Container& container : other.spec.containers) container.image = "a:2";
    const absl::StatusOr<Comparison> found = CompareTyped(pod, other);
    ASSERT_THAT(found.status(), IsOk());
    EXPECT_EQ(found->modified.Paths().size(), static_cast<size_t>(count));
    EXPECT_TRUE(
        found->modified.Has({PathElement::Field("spec"), PathElement::Field("containers"),
                             PathElement::Key({{"name", "c0"}}), PathElement::Field("image")}));
    EXPECT_TRUE(found->added.empty());
    EXPECT_TRUE(found->removed.empty());
  }
}

TEST(CompareTypedTest, ItemWithoutKey_IsInvalid_AlsoInEqualLists) {
  const SampleObject account = Decoded(corev1::ServiceAccount::kMessage, R"({"secrets":[{}]})");
  const SampleObject none = Decoded(corev1::ServiceAccount::kMessage, "{}");
  for (const auto& [before, after] :
       {std::pair(&account, &account), std::pair(&account, &none), std::pair(&none, &account)}) {
    EXPECT_THAT(CompareTyped(before->get(), after->get(), account.message()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("omits all key fields")));
    ExpectSame(*before, *after);
  }
}

TEST(CompareTypedTest, KeyThatIsNotUtf8_IsThatOfItsJson) {
  corev1::Pod before;
  before.metadata.labels["a"] = "1";
  corev1::Pod after = before;
  after.metadata.labels["\xFF"] = "\xFE";
  const absl::StatusOr<Comparison> found = CompareTyped(before, after);
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_EQ(ComparisonText(*found), "+ .metadata.labels.\uFFFD");
  EXPECT_TRUE(CompareTyped(after, after)->IsSame());
}

TEST(CompareTypedTest, StructsNestedTooDeep_AreInvalid) {
  using api::apiextensions::v1::JSONSchemaProps;
  JSONSchemaProps deep;
  for (int i = 0; i < 600; ++i) {
    JSONSchemaProps around;
    around.not_ = std::move(deep);
    deep = std::move(around);
  }
  EXPECT_THAT(CompareTyped(deep, deep),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nested more than 500")));
}

// As in the header.
TEST(CompareTypedTest, Deployment_WithOtherReplicas_IsModified) {
  appsv1::Deployment stored;
  stored.spec.replicas = 1;
  appsv1::Deployment updated = stored;
  updated.spec.replicas = 2;
  const absl::StatusOr<Comparison> found = CompareTyped(stored, updated);
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_TRUE(found->modified.Has({PathElement::Field("spec"), PathElement::Field("replicas")}));
}

// ---- Random objects

TEST(CompareTypedTest, RandomObjects_AreComparedAsTheirJson) {
  int differ = 0;
  for (const auto& [name, message] : oracle::KitchenTypes()) {
    if (message->json_form != kube::table::JsonForm::kObject) continue;
    oracle::Dice dice(kSeed);
    for (int i = 0; i < kPairsOfEachType; ++i) {
      SCOPED_TRACE(absl::StrCat(name, " ", i, ", seed ", kSeed));
      SampleObject before(*message);
      codec::internal::FillRandomly(dice, before.get(), *message);
      SampleObject after = before;
      MutateRandomly(dice, after);
      if (ExpectSame(before, after)) ++differ;
      ExpectSame(before, before);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(differ, 200);
}

TEST(CompareTypedTest, RandomObjectsOfTheApi_AreComparedAsTheirJson) {
  const std::vector<const Message*> messages = {
      &appsv1::Deployment::kMessage,     &corev1::Pod::kMessage,
      &corev1::Service::kMessage,        &corev1::Node::kMessage,
      &corev1::ServiceAccount::kMessage, &CustomResourceDefinition::kMessage};
  for (const Message* message : messages) {
    oracle::Dice dice(kSeed);
    for (int i = 0; i < kPairsOfEachType / 4; ++i) {
      SCOPED_TRACE(absl::StrCat(message->type_name(), " ", i, ", seed ", kSeed));
      SampleObject before(*message);
      codec::internal::FillRandomly(dice, before.get(), *message);
      SampleObject after = before;
      MutateRandomly(dice, after);
      ExpectSame(before, after);
      ExpectSame(after, before);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// ---- Custom resources

constexpr absl::string_view kCustomSchema = R"(
types:
- name: root
  map:
    fields:
    - name: spec
      type:
        map:
          fields:
          - name: args
            type:
              list: {elementType: {scalar: string}, elementRelationship: atomic}
          - name: count
            type: {scalar: numeric}
    - name: status
      type:
        map:
          elementType: {scalar: string}
)";

// Makes a Map of members from JSON.
Map<Value> MembersOf(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  EXPECT_THAT(value.status(), IsOk());
  return std::move(*value->object());
}

// Returns the schema of kCustomSchema, whose objects have the metadata of all kinds.
class CustomSchema {
 public:
  CustomSchema() : built_(*ParseSchema(kCustomSchema, "root")), map_(*built_.schema->map) {
    const FieldSchema metadata = {.name = "metadata", .schema = &SchemaOf(ObjectMeta::kMessage)};
    map_.fields.insert(map_.fields.begin(), metadata);
    schema_.map = &map_;
  }
  const Schema& get() const { return schema_; }
  MapSchema& map() { return map_; }

 private:
  const BuiltSchema built_;
  MapSchema map_;
  Schema schema_;
};

TEST(CompareCustomTest, MembersAndMetadata_AreComparedTogether) {
  const CustomSchema schema;
  const Map<Value> before = MembersOf(R"({"spec":{"count":1,"args":["a"]},"status":{"x":"1"}})");
  const Map<Value> after = MembersOf(R"({"spec":{"count":1.0,"args":["b"]},"status":{"y":"1"}})");
  ObjectMeta old_metadata;
  old_metadata.labels["a"] = "1";
  old_metadata.managed_fields.push_back(ManagedFieldsEntry{.manager = "m"});
  ObjectMeta new_metadata;
  new_metadata.labels["a"] = "2";
  const absl::StatusOr<Comparison> found =
      CompareCustom({.members = &before, .metadata = &old_metadata},
                    {.members = &after, .metadata = &new_metadata}, schema.get());
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_EQ(ComparisonText(*found), "- .status.x\n~ .metadata.labels.a\n~ .spec.args\n+ .status.y");
}

TEST(CompareCustomTest, MembersThatDoNotFit_AreInvalid) {
  const CustomSchema schema;
  const ObjectMeta metadata;
  const Map<Value> good = MembersOf(R"({"spec":{"count":1}})");
  for (const absl::string_view json : {R"({"spec":{"count":"x"}})", R"({"other":1})"}) {
    SCOPED_TRACE(json);
    const Map<Value> bad = MembersOf(json);
    const CustomObject fits = {.members = &good, .metadata = &metadata};
    const CustomObject other = {.members = &bad, .metadata = &metadata};
    EXPECT_THAT(CompareCustom(fits, other, schema.get()),
                StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_THAT(CompareCustom(other, fits, schema.get()),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(CompareCustomTest, AtomicObject_HasNoFields) {
  CustomSchema schema;
  schema.map().atomic = true;
  const ObjectMeta metadata;
  const Map<Value> before = MembersOf(R"({"spec":{"count":1}})");
  const Map<Value> after = MembersOf(R"({"spec":{"count":2}})");
  const absl::StatusOr<Comparison> found =
      CompareCustom({.members = &before, .metadata = &metadata},
                    {.members = &after, .metadata = &metadata}, schema.get());
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_TRUE(found->IsSame());
}

TEST(CompareCustomTest, ObjectOfWhichNothingIsKnown_IsComparedByItsKeys) {
  Map<Value> before = MembersOf(R"({"list":[1],"map":{"a":1,"b":1}})");
  Map<Value> after = MembersOf(R"({"list":[2],"map":{"a":1,"b":2}})");
  ObjectMeta old_metadata;
  old_metadata.finalizers.push_back("a");
  ObjectMeta new_metadata;
  new_metadata.finalizers.push_back("b");
  new_metadata.managed_fields.push_back(ManagedFieldsEntry{.manager = "m"});
  const absl::StatusOr<Comparison> found =
      CompareCustom({.members = &before, .metadata = &old_metadata},
                    {.members = &after, .metadata = &new_metadata}, DeducedSchema());
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_EQ(ComparisonText(*found), "~ .list\n~ .map.b\n~ .metadata.finalizers");
}

}  // namespace
}  // namespace kube::managedfields
