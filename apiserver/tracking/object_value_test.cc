#include "apiserver/tracking/object_value.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::Value;

constexpr absl::string_view kMap =
    R"({"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap","metadata":{"name":"m"}})";
constexpr absl::string_view kDog =
    R"({"apiVersion":"example.com/v1","kind":"Dog","metadata":{"name":"d"},"spec":{"n":1}})";

// Returns the built-in resources, and the kind Dog of example.com/v1.
Resources WithDogs() {
  const auto definition = codec::DecodeJson<CustomResourceDefinition>(
      R"({"metadata":{"name":"dogs.example.com"},)"
      R"("spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Dog"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,)"
      R"("schema":{"openAPIV3Schema":{"type":"object"}}}]},)"
      R"("status":{"acceptedNames":{"plural":"dogs","singular":"dog","kind":"Dog",)"
      R"("listKind":"DogList"}}})");
  EXPECT_THAT(definition, IsOk());
  const auto kinds = CustomKind::MakeAll(*definition);
  EXPECT_THAT(kinds, IsOk());
  return Resources::With({{.kind = (*kinds)[0]}});
}

Object ConfigMapOf(const Resource& resource, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> any = codec::AnyObject::DecodeJson(*resource.kind, json);
  EXPECT_THAT(any.status(), IsOk());
  return Object(*std::move(any));
}

// Returns the JSON of an object.
absl::StatusOr<std::string> TextOf(const Resource& resource, const Object& object) {
  const absl::StatusOr<Value> value = ToValue(resource, object);
  if (!value.ok()) return value.status();
  return unstructured::EncodeJson(*value);
}

TEST(ObjectValueTest, BuiltInObject_HasTheKindOfTheResource) {
  const Resources resources = Resources::BuiltIn();
  const Resource* maps = resources.FindKind("v1", "ConfigMap");
  ASSERT_NE(maps, nullptr);
  const struct {
    std::string name;
    absl::string_view json;
  } rows[] = {
      {"with its kind", kMap},
      {"as it is stored", R"({"data":{"a":"b"},"metadata":{"name":"m"}})"},
      {"with another kind",
       R"({"apiVersion":"v9","data":{"a":"b"},"kind":"Other","metadata":{"name":"m"}})"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(TextOf(*maps, ConfigMapOf(*maps, row.json)), IsOkAndHolds(std::string(kMap)))
        << row.name;
  }
}

TEST(ObjectValueTest, BuiltInValue_BecomesItsObject) {
  const Resources resources = Resources::BuiltIn();
  const Resource* maps = resources.FindKind("v1", "ConfigMap");
  ASSERT_NE(maps, nullptr);
  const absl::StatusOr<Value> value = unstructured::ParseJson(kMap);
  ASSERT_THAT(value, IsOk());
  const absl::StatusOr<Object> object = ToObject(*maps, *value);
  ASSERT_THAT(object.status(), IsOk());
  EXPECT_TRUE(*object == ConfigMapOf(*maps, kMap));
  ASSERT_NE(object->As<corev1::ConfigMap>(), nullptr);
  EXPECT_EQ(object->metadata().name, "m");
}

TEST(ObjectValueTest, CustomResource_IsItsJson) {
  const Resources resources = WithDogs();
  const Resource* dogs = resources.FindKind("example.com/v1", "Dog");
  ASSERT_NE(dogs, nullptr);
  const absl::StatusOr<Value> value = unstructured::ParseJson(kDog);
  ASSERT_THAT(value, IsOk());
  const absl::StatusOr<Object> object = ToObject(*dogs, *value);
  ASSERT_THAT(object.status(), IsOk());
  EXPECT_TRUE(object->is_custom());
  EXPECT_EQ(object->metadata().name, "d");
  EXPECT_THAT(TextOf(*dogs, *object), IsOkAndHolds(std::string(kDog)));
}

TEST(ObjectValueTest, CustomResource_KeepsItsDefinition) {
  std::optional<Resources> resources = WithDogs();
  const Resource* dogs = resources->FindKind("example.com/v1", "Dog");
  ASSERT_NE(dogs, nullptr);
  const absl::StatusOr<Value> value = unstructured::ParseJson(kDog);
  ASSERT_THAT(value, IsOk());
  const absl::StatusOr<Object> object = ToObject(*dogs, *value);
  ASSERT_THAT(object.status(), IsOk());
  resources.reset();
  EXPECT_EQ(object->kind().kind, "Dog");
}

TEST(ObjectValueTest, ValueOfAnotherShape_IsInvalidArgument) {
  const Resources resources = WithDogs();
  const struct {
    std::string name;
    absl::string_view api_version, kind, json;
  } rows[] = {
      {"a list as a built-in object", "v1", "ConfigMap", "[]"},
      {"a string as a built-in object", "v1", "ConfigMap", R"("m")"},
      {"a member of another type", "v1", "ConfigMap", R"({"data":7})"},
      {"metadata of another type", "v1", "ConfigMap", R"({"metadata":{"labels":{"a":1}}})"},
      {"null as a custom resource", "example.com/v1", "Dog", "null"},
      {"a list as a custom resource", "example.com/v1", "Dog", "[]"},
      {"metadata of a custom resource that is no object", "example.com/v1", "Dog",
       R"({"metadata":"d"})"},
      {"metadata of a custom resource of another type", "example.com/v1", "Dog",
       R"({"metadata":{"labels":{"a":1}}})"},
  };
  for (const auto& row : rows) {
    const Resource* resource = resources.FindKind(row.api_version, row.kind);
    ASSERT_NE(resource, nullptr) << row.name;
    const absl::StatusOr<Value> value = unstructured::ParseJson(row.json);
    ASSERT_THAT(value, IsOk()) << row.name;
    EXPECT_THAT(ToObject(*resource, *value).status(), StatusIs(absl::StatusCode::kInvalidArgument))
        << row.name;
  }
}

TEST(ObjectValueTest, ObjectThatHasNoJson_IsInvalidArgument) {
  const Resources resources = Resources::BuiltIn();
  const Resource* maps = resources.FindKind("v1", "ConfigMap");
  ASSERT_NE(maps, nullptr);
  Object object = ConfigMapOf(*maps, kMap);
  api::meta::v1::ManagedFieldsEntry entry;
  entry.fields_v1 = FieldsV1("{");
  object.metadata().managed_fields = {entry};
  EXPECT_THAT(ToValue(*maps, object), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::apiserver::internal
