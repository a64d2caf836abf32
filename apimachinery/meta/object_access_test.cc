#include "apimachinery/meta/object_access.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

std::string Describe(const meta::ObjectAccess& access, const void* object) {
  const meta::ObjectKey key = access.key(object);
  return absl::StrCat(key.namespace_name, "/", key.name, "@", access.resource_version(object));
}

void ExpectWeb(const ObjectAccess& access, const void* object) {
  EXPECT_EQ(access.key(object), (ObjectKey{.namespace_name = "prod", .name = "web"}));
  EXPECT_EQ(access.resource_version(object), "7");
  EXPECT_EQ(Describe(access, object), "prod/web@7");
  EXPECT_EQ(access.uid(object), "u");
  EXPECT_TRUE(access.has_annotation(object, "a", "b"));
  EXPECT_FALSE(access.has_annotation(object, "a", "c"));
  EXPECT_FALSE(access.has_annotation(object, "b", "b"));
}

TEST(ObjectAccessTest, ReadsEachKindOfObjectAlike) {
  api::core::v1::Pod pod;
  pod.metadata.name = "web";
  pod.metadata.namespace_ = "prod";
  pod.metadata.resource_version = "7";
  pod.metadata.uid = "u";
  pod.metadata.annotations["a"] = "b";
  ExpectWeb(kObjectAccess<api::core::v1::Pod>, &pod);
  ExpectWeb(kMetadataAccess, &pod.metadata);
  const api::meta::v1::PartialObjectMetadata partial = AsPartialObjectMetadata(pod.metadata);
  ExpectWeb(kObjectAccess<api::meta::v1::PartialObjectMetadata>, &partial);
  unstructured::Unstructured any;
  any.set_name("web");
  any.set_namespace("prod");
  any.set_resource_version("7");
  any.set_uid("u");
  any.set_annotations(pod.metadata.annotations);
  ExpectWeb(kObjectAccess<unstructured::Unstructured>, &any);
}

TEST(ObjectAccessTest, WhatIsNotThereIsEmpty) {
  const unstructured::Unstructured any;
  const ObjectAccess& access = kObjectAccess<unstructured::Unstructured>;
  EXPECT_EQ(access.key(&any), ObjectKey());
  EXPECT_EQ(access.uid(&any), "");
  EXPECT_FALSE(access.has_annotation(&any, "a", ""));
}

}  // namespace
}  // namespace kube::meta
