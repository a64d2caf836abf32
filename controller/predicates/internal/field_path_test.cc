#include "controller/predicates/internal/field_path.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using unstructured::Unstructured;

TEST(CheckFieldPath, APathThatTheKindHas_IsOk) {
  for (const char* path :
       {"spec", "spec.replicas", "spec.strategy.rollingUpdate.maxSurge", "metadata.labels",
        "metadata.labels[example.com/team]", "metadata.finalizers[3]", "status.conditions[1].type",
        "spec.template.spec.containers[7].resources.limits[cpu]", "spec.selector.matchLabels[a]",
        "spec.template.spec.securityContext.runAsUser"}) {
    EXPECT_THAT(CheckFieldPath<appsv1::Deployment>(path), IsOk()) << path;
  }
  EXPECT_THAT(CheckFieldPath<corev1::ConfigMap>("data[settings.yaml]"), IsOk());
  EXPECT_THAT(CheckFieldPath<metav1::PartialObjectMetadata>("metadata.annotations[a]"), IsOk());
}

// Names behind absent values are checked as well.
TEST(CheckFieldPath, APathThatTheKindLacks_IsInvalid) {
  for (const char* path :
       {"", ".", "replicas", "spec.replcas", "spec.replicas.count", "spec.strategy.rollingUpdate.x",
        "spec.template.spec.containers.image", "spec.template.spec.containers[0].imag",
        "spec.template.spec.containers[first].image", "metadata.labels.team", "spec[0]",
        "metadata.labels[team].x", "metadata.labels[team", "spec..replicas", "spec.",
        "spec.template.spec.securityContext.runAs"}) {
    EXPECT_THAT(CheckFieldPath<appsv1::Deployment>(path),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("follow path")))
        << path;
  }
  EXPECT_THAT(CheckFieldPath<metav1::PartialObjectMetadata>("spec.replicas"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no member \"spec\"")));
}

TEST(WithFirstElements, OnlyIndexesAreReplaced) {
  EXPECT_EQ(WithFirstElements("spec.replicas"), "spec.replicas");
  EXPECT_EQ(WithFirstElements("a[12].b[x][3]"), "a[0].b[x][0]");
  EXPECT_EQ(WithFirstElements("a[].b[1x]"), "a[].b[1x]");
  EXPECT_EQ(WithFirstElements("a[12"), "a[12");
  EXPECT_EQ(WithFirstElements(""), "");
}

TEST(ParseFieldPath, WellFormed_HasItsSteps) {
  EXPECT_THAT(ParseFieldPath("spec"), IsOkAndHolds(ElementsAre(FieldStep{.text = "spec"})));
  EXPECT_THAT(ParseFieldPath("spec.tls[0].hosts"),
              IsOkAndHolds(ElementsAre(FieldStep{.text = "spec"}, FieldStep{.text = "tls"},
                                       FieldStep{.text = "0", .bracket = true},
                                       FieldStep{.text = "hosts"})));
  EXPECT_THAT(ParseFieldPath("metadata.labels[a.b/c]"),
              IsOkAndHolds(ElementsAre(FieldStep{.text = "metadata"}, FieldStep{.text = "labels"},
                                       FieldStep{.text = "a.b/c", .bracket = true})));
}

TEST(ParseFieldPath, Malformed_IsInvalid) {
  for (const char* path : {"", ".", "spec.", ".spec", "spec..a", "[0]", "spec[0", "spec[0]a"}) {
    EXPECT_THAT(ParseFieldPath(path),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("invalid path")))
        << path;
  }
}

struct Row {
  const char* name;
  const char* path;
  absl::string_view before;
  absl::string_view after;
  bool same;
};

// What typed and unstructured objects have in common.
const Row kRows[] = {
    {"equal", "spec.replicas", R"({"spec":{"replicas":1}})", R"({"spec":{"replicas":1}})", true},
    {"changed", "spec.replicas", R"({"spec":{"replicas":1}})", R"({"spec":{"replicas":2}})", false},
    {"set", "spec.replicas", R"({"spec":{}})", R"({"spec":{"replicas":0}})", false},
    {"absent twice", "spec.replicas", "{}", R"({"spec":{}})", true},
    {"another field", "spec.paused", R"({"spec":{"paused":true,"replicas":1}})",
     R"({"spec":{"paused":true,"replicas":2}})", true},
    {"the struct around it", "spec", R"({"spec":{"paused":true,"replicas":1}})",
     R"({"spec":{"paused":true,"replicas":2}})", false},
    {"absent parents", "spec.strategy.rollingUpdate.maxSurge", "{}",
     R"({"spec":{"strategy":{"type":"Recreate"}}})", true},
    {"a key", "metadata.labels[a.b/c]", R"({"metadata":{"labels":{"a.b/c":"1"}}})",
     R"({"metadata":{"labels":{"a.b/c":"2"}}})", false},
    {"a key that is gone", "metadata.labels[a]", R"({"metadata":{"labels":{"a":"1","b":"1"}}})",
     R"({"metadata":{"labels":{"b":"1"}}})", false},
    {"another key", "metadata.labels[a]", R"({"metadata":{"labels":{"a":"1","b":"1"}}})",
     R"({"metadata":{"labels":{"a":"1","b":"2"}}})", true},
    {"an element", "metadata.finalizers[1]", R"({"metadata":{"finalizers":["a","b"]}})",
     R"({"metadata":{"finalizers":["a","c"]}})", false},
    {"another element", "metadata.finalizers[0]", R"({"metadata":{"finalizers":["a","b"]}})",
     R"({"metadata":{"finalizers":["a"]}})", true},
    {"beyond the end", "metadata.finalizers[5]", R"({"metadata":{"finalizers":["a","b"]}})", "{}",
     true},
    {"an empty list", "metadata.finalizers", R"({"metadata":{"finalizers":[]}})", "{}", true},
    {"a list", "metadata.finalizers", R"({"metadata":{"finalizers":["a"]}})", "{}", false},
};

TEST(SameField, TypedOrUnstructured_ComparesTheFieldAlone) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto before = *codec::DecodeJson<appsv1::Deployment>(row.before);
    const auto after = *codec::DecodeJson<appsv1::Deployment>(row.after);
    EXPECT_EQ(SameField(codec::View(before), codec::View(after), row.path), row.same);
    EXPECT_EQ(SameField(codec::View(after), codec::View(before), row.path), row.same);

    const std::vector<FieldStep> steps = *ParseFieldPath(row.path);
    const auto any_before = *codec::DecodeJson<Unstructured>(row.before);
    const auto any_after = *codec::DecodeJson<Unstructured>(row.after);
    EXPECT_EQ(SameField(any_before, any_after, steps), row.same);
    EXPECT_EQ(SameField(any_after, any_before, steps), row.same);
  }
}

TEST(SameField, UnstructuredOfUnexpectedShapes_CountsAsAbsent) {
  const Row kShapes[] = {
      {"a text for an object", "spec.replicas", R"({"spec":"text"})", "{}", true},
      {"a list for an object", "spec.replicas", R"({"spec":[1]})", "{}", true},
      {"a name for an index", "spec.a[x]", R"({"spec":{"a":[1]}})", "{}", true},
      {"null", "spec.a", R"({"spec":{"a":null}})", "{}", true},
      {"another type", "spec.a", R"({"spec":{"a":1}})", R"({"spec":{"a":"1"}})", false},
      {"an empty object", "spec", R"({"spec":{}})", "{}", true},
  };
  for (const Row& row : kShapes) {
    const std::vector<FieldStep> steps = *ParseFieldPath(row.path);
    const auto before = *codec::DecodeJson<Unstructured>(row.before);
    const auto after = *codec::DecodeJson<Unstructured>(row.after);
    EXPECT_EQ(SameField(before, after, steps), row.same) << row.name;
  }
}

}  // namespace
}  // namespace kube::controller::internal
