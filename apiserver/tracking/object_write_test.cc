#include "apiserver/tracking/object_write.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::IsOkAndHolds;
using managedfields::Comparison;
using managedfields::Schema;
using unstructured::Unstructured;
using unstructured::Value;

constexpr absl::string_view kEntries =
    R"("managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1"}])";

// Returns the built-in resources, and the kind Dog of example.com/v1.
Resources WithDogs() {
  const auto definition = codec::DecodeJson<CustomResourceDefinition>(
      R"({"metadata":{"name":"dogs.example.com"},)"
      R"("spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Dog"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{)"
      R"("type":"object","properties":{"spec":{"type":"object","properties":{)"
      R"("legs":{"type":"integer"},"names":{"type":"array","items":{"type":"string"},)"
      R"("x-kubernetes-list-type":"set"}}}}}}}]},)"
      R"("status":{"acceptedNames":{"plural":"dogs","singular":"dog","kind":"Dog",)"
      R"("listKind":"DogList"}}})");
  EXPECT_THAT(definition, IsOk());
  const auto kinds = CustomKind::MakeAll(*definition);
  EXPECT_THAT(kinds, IsOk());
  return Resources::With({{.kind = (*kinds)[0]}});
}

Object ObjectOf(const Resource& resource, absl::string_view json) {
  if (resource.custom == nullptr) {
    absl::StatusOr<codec::AnyObject> any = codec::AnyObject::DecodeJson(*resource.kind, json);
    EXPECT_THAT(any.status(), IsOk()) << json;
    return Object(*std::move(any));
  }
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  EXPECT_THAT(value.status(), IsOk()) << json;
  Unstructured custom;
  custom.object = std::move(*value->object());
  absl::StatusOr<Object> object = Object::MakeCustom(
      std::shared_ptr<const KindInfo>(resource.custom, resource.kind), std::move(custom));
  EXPECT_THAT(object.status(), IsOk()) << json;
  return *std::move(object);
}

std::string TextOf(const absl::StatusOr<Comparison>& comparison) {
  if (!comparison.ok()) return comparison.status().ToString();
  return absl::StrCat("removed:\n", comparison->removed.ToString(), "\nmodified:\n",
                      comparison->modified.ToString(), "\nadded:\n", comparison->added.ToString());
}

// Expects that the write compares its objects as their Values, and returns the comparison.
std::string Compared(const Resource& resource, const Object* live, const Object& object) {
  const ObjectWrite write(resource, live, object);
  const absl::StatusOr<Value> before = write.Before();
  const absl::StatusOr<Value> after = write.After();
  EXPECT_THAT(before.status(), IsOk());
  EXPECT_THAT(after.status(), IsOk());
  const Schema& schema = resource.custom != nullptr
                             ? resource.custom->merge_schema()
                             : managedfields::SchemaOf(*resource.kind->message);
  const std::string found = TextOf(write.Compare());
  EXPECT_EQ(found, TextOf(managedfields::Compare(*before, *after, schema)));
  return found;
}

class ObjectWriteTest : public ::testing::Test {
 protected:
  const Resource& Find(absl::string_view api_version, absl::string_view kind) {
    const Resource* resource = resources_.FindKind(api_version, kind);
    EXPECT_NE(resource, nullptr);
    return *resource;
  }

 private:
  const Resources resources_ = WithDogs();
};

TEST_F(ObjectWriteTest, BuiltInKind_IsComparedWithoutItsManagedFields) {
  const Resource& maps = Find("v1", "ConfigMap");
  const Object live = ObjectOf(maps, absl::StrCat(R"({"metadata":{"name":"a",)", kEntries,
                                                  R"(},"data":{"x":"1","y":"1"}})"));
  const Object object = ObjectOf(
      maps, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"2"}})");
  EXPECT_EQ(Compared(maps, &live, object), "removed:\n.data.y\nmodified:\n.data.x\nadded:\n");
}

TEST_F(ObjectWriteTest, Create_IsComparedWithAnEmptyObject) {
  const Resource& pods = Find("v1", "Pod");
  const Object pod = ObjectOf(
      pods, R"({"metadata":{"name":"a"},"spec":{"nodeName":"n","containers":[{"name":"c"}]}})");
  EXPECT_EQ(Compared(pods, nullptr, pod),
            "removed:\n\nmodified:\n\nadded:\n.metadata.name\n.spec.nodeName\n"
            ".spec.containers[name=\"c\"]\n.spec.containers[name=\"c\"].name\n"
            ".spec.containers[name=\"c\"].resources");
  const Resource& dogs = Find("example.com/v1", "Dog");
  const Object dog = ObjectOf(dogs, R"({"metadata":{"name":"a"},"spec":{"legs":4}})");
  EXPECT_EQ(Compared(dogs, nullptr, dog),
            "removed:\n\nmodified:\n\nadded:\n.spec\n.metadata.name\n.spec.legs");
}

TEST_F(ObjectWriteTest, CustomResource_IsComparedWithItsMetadata) {
  const Resource& dogs = Find("example.com/v1", "Dog");
  const Object live =
      ObjectOf(dogs, absl::StrCat(R"({"metadata":{"name":"a","labels":{"l":"1"},)", kEntries,
                                  R"(},"spec":{"legs":4,"names":["x"]}})"));
  const Object object = ObjectOf(
      dogs, R"({"metadata":{"name":"a","labels":{"l":"2"}},"spec":{"legs":3,"names":["y"]}})");
  EXPECT_EQ(Compared(dogs, &live, object),
            "removed:\n.spec.names[=\"x\"]\nmodified:\n.metadata.labels.l\n.spec.legs\n"
            "added:\n.spec.names[=\"y\"]");
}

TEST_F(ObjectWriteTest, ObjectsOfTwoKinds_AreAnError) {
  const Resource& maps = Find("v1", "ConfigMap");
  const Resource& pods = Find("v1", "Pod");
  const Object map = ObjectOf(maps, "{}");
  const Object pod = ObjectOf(pods, "{}");
  EXPECT_FALSE(ObjectWrite(pods, &map, pod).Compare().ok());
}

TEST_F(ObjectWriteTest, Metadata_IsThatOfTheObjects) {
  const Resource& maps = Find("v1", "ConfigMap");
  const Object live = ObjectOf(maps, R"({"metadata":{"name":"live"}})");
  const Object object = ObjectOf(maps, R"({"metadata":{"name":"new"}})");
  const ObjectWrite update(maps, &live, object);
  EXPECT_EQ(update.metadata_before(), &live.metadata());
  EXPECT_EQ(&update.metadata(), &object.metadata());
  EXPECT_EQ(ObjectWrite(maps, nullptr, object).metadata_before(), nullptr);
}

TEST_F(ObjectWriteTest, Values_HaveTheKindAndNoManagedFields) {
  const Resource& maps = Find("v1", "ConfigMap");
  const Object live = ObjectOf(maps, absl::StrCat(R"({"metadata":{"name":"a",)", kEntries, "}}"));
  const absl::StatusOr<Value> value = ObjectWrite(maps, &live, live).Before();
  ASSERT_THAT(value.status(), IsOk());
  EXPECT_THAT(unstructured::EncodeJson(*value),
              IsOkAndHolds(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})"));
}

}  // namespace
}  // namespace kube::apiserver::internal
