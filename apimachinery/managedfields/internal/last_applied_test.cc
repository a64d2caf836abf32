#include "apimachinery/managedfields/internal/last_applied.h"

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/sample_versions.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/object_meta.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOkAndHolds;
using unstructured::ParseJson;
using unstructured::Value;

constexpr absl::string_view kLive =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},)"
    R"("spec":{"containers":[{"name":"c","image":"new"}],"replicas":1}})";

const Schema& SampleSchema() {
  static const SampleVersions kVersions;
  return kVersions.schema();
}

Value WithAnnotation(absl::string_view object, absl::string_view last_applied) {
  Value annotated = *ParseJson(object);
  EXPECT_TRUE(unstructured::SetNestedField(*annotated.object(), last_applied,
                                           {"metadata", "annotations", kLastAppliedAnnotation})
                  .ok());
  return annotated;
}

std::string FieldsText(const Value& live) {
  return EncodeFieldsV1(FieldsOfLastApplied(live, SampleSchema()));
}

TEST(FieldsOfLastApplied, FieldsChangedSince_AreLeftOut) {
  // The image was changed, .spec.paused was removed, and .spec.replicas is as it was applied.
  constexpr absl::string_view kApplied =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},)"
      R"("spec":{"containers":[{"name":"c","image":"old"}],"paused":true,"replicas":1}})";
  EXPECT_EQ(FieldsText(WithAnnotation(kLive, kApplied)),
            R"({"f:apiVersion":{},"f:kind":{},"f:metadata":{"f:name":{}},)"
            R"("f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:name":{}}},)"
            R"("f:replicas":{}}})");
}

TEST(FieldsOfLastApplied, NoAnnotation_HasNoFields) {
  EXPECT_EQ(FieldsText(*ParseJson(kLive)), "{}");
  EXPECT_EQ(FieldsText(WithAnnotation(kLive, "")), "{}");
  EXPECT_EQ(FieldsText(Value()), "{}");
}

TEST(FieldsOfLastApplied, AnnotationThatCannotBeUsed_HasNoFields) {
  constexpr absl::string_view kUnusable[] = {
      "{",
      "[]",
      R"({"apiVersion":"apps/v1","spec":{"replicas":1}})",  // no kind
      R"({"apiVersion":"apps/v2","kind":"Deployment","spec":{"replicas":1}})",
      R"({"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replicas":1}})",
      R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":1,"size":1}})",
      R"({"apiVersion":"apps/v1","kind":"Deployment",)"
      R"("spec":{"containers":[{"name":"c"},{"name":"c"}],"replicas":1}})",
  };
  for (const absl::string_view annotation : kUnusable) {
    EXPECT_EQ(FieldsText(WithAnnotation(kLive, annotation)), "{}") << annotation;
  }
}

TEST(FieldsOfLastApplied, DuplicatesInTheLiveObject_HasNoFields) {
  constexpr absl::string_view kApplied =
      R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":1}})";
  constexpr absl::string_view kDuplicates =
      R"({"apiVersion":"apps/v1","kind":"Deployment",)"
      R"("spec":{"containers":[{"name":"c"},{"name":"c"}],"replicas":1}})";
  EXPECT_EQ(FieldsText(WithAnnotation(kDuplicates, kApplied)), "{}");
}

TEST(WithLastApplied, EachObject_GetsTheConfigurationIfItHasTheAnnotation) {
  struct Case {
    absl::string_view name;
    absl::string_view annotations;  // of the configuration
    absl::string_view want;         // the metadata in the annotation
  };
  for (const auto& [name, annotations, want] : {
           Case{"none", "", ""},
           Case{"null", R"("annotations":null,)", ""},
           Case{"others", R"("annotations":{"a":"b"},)", R"("annotations":{"a":"b"},)"},
           Case{"only the annotation",
                R"("annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"},)",
                R"("annotations":{},)"},
       }) {
    const Value configuration = *ParseJson(
        absl::StrCat(R"({"kind":"Deployment","metadata":{)", annotations, R"("name":"<w>"}})"));
    const std::string text = absl::StrCat(R"({"kind":"Deployment","metadata":{)", want,
                                          R"("name":"\u003cw\u003e"}})", "\n");
    EXPECT_THAT(WithLastApplied(WithAnnotation(kLive, "old"), configuration),
                IsOkAndHolds(WithAnnotation(kLive, text)))
        << name;
    EXPECT_THAT(WithLastApplied(*ParseJson(kLive), configuration), IsOkAndHolds(*ParseJson(kLive)))
        << name;
    EXPECT_THAT(WithLastApplied(WithAnnotation(kLive, ""), configuration),
                IsOkAndHolds(WithAnnotation(kLive, "")))
        << name;
  }
}

TEST(WithLastApplied, AnnotationsAboveTheLimit_RemovesTheAnnotation) {
  const Value configuration(Map<Value>{{"kind", "Deployment"}});
  const size_t annotation_size =
      kLastAppliedAnnotation.size() + absl::string_view("{\"kind\":\"Deployment\"}\n").size();
  const size_t left = validation::kTotalAnnotationSizeLimitBytes - annotation_size;
  for (const bool is_too_large : {false, true}) {
    Value object = WithAnnotation(kLive, "old");
    const std::string other(left - 1 + (is_too_large ? 1 : 0), 'x');
    ASSERT_TRUE(
        unstructured::SetNestedField(*object.object(), other, {"metadata", "annotations", "k"})
            .ok());
    const absl::StatusOr<Value> synced = WithLastApplied(object, configuration);
    ASSERT_THAT(synced, base::IsOk());
    const Value& annotations = (*synced)["metadata"]["annotations"];
    EXPECT_EQ(annotations["k"], Value(other));
    EXPECT_EQ(annotations.Find(kLastAppliedAnnotation) == nullptr, is_too_large);
  }
}

}  // namespace
}  // namespace kube::managedfields::internal
