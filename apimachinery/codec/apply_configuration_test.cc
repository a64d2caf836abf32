#include "apimachinery/codec/apply_configuration.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apiextensions/v1/types.applies.kube.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

namespace apiextensionsv1 = api::apiextensions::v1;
namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

// Returns the JSON of the apply configuration of an object that is given as JSON.
template <ApiStruct T>
absl::StatusOr<std::string> Applied(const char* json) {
  const absl::StatusOr<T> object = DecodeJson<T>(json);
  if (!object.ok()) return object.status();
  const absl::StatusOr<ApplyOf<T>> configuration = ToApplyConfiguration(*object);
  if (!configuration.ok()) return configuration.status();
  return EncodeJson(*configuration);
}

// The examples of the header.
absl::StatusOr<std::string> ConfigurationText(const appsv1::Deployment& web) {
  KUBE_ASSIGN_OR_RETURN(const auto configuration, codec::ToApplyConfiguration(web));
  return codec::EncodeJson(configuration);
}
absl::StatusOr<appsv1::Deployment> ObjectOf(const ApplyOf<appsv1::Deployment>& configuration) {
  return codec::FromApplyConfiguration<appsv1::Deployment>(configuration);
}

TEST(ToApplyConfiguration, HasWhatTheObjectHas) {
  const struct {
    const char* name;
    const char* object;
    const char* want;
  } kRows[] = {
      {"nothing", "{}", "{}"},
      {"structs by value, which Go always writes",
       R"({"metadata":{"name":"web","creationTimestamp":null},"spec":{"selector":null,)"
       R"("strategy":{},"template":{"metadata":{},"spec":{"containers":null}}},"status":{}})",
       R"({"metadata":{"name":"web"}})"},
      {"structs by value with something in them",
       R"({"spec":{"template":{"spec":{"containers":[{"name":"web","resources":{}},)"
       R"({"name":"log","resources":{"limits":{"cpu":"1"}}}]}}}})",
       R"({"spec":{"template":{"spec":{"containers":[{"name":"web"},)"
       R"({"name":"log","resources":{"limits":{"cpu":"1"}}}]}}}})"},
      {"optional structs, which somebody has set",
       R"({"spec":{"selector":{},"strategy":{"rollingUpdate":{}},)"
       R"("template":{"spec":{"volumes":[{"name":"tmp","emptyDir":{}}]}}}})",
       R"({"spec":{"selector":{},"template":{"spec":{"volumes":[{"name":"tmp","emptyDir":{}}]}},)"
       R"("strategy":{"rollingUpdate":{}}}})"},
      {"zeros that are pointers in Go, and no others",
       R"({"spec":{"replicas":0,"minReadySeconds":0,"paused":false}})",
       R"({"spec":{"replicas":0}})"},
      {"managed fields and self link, which cannot be applied",
       R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","selfLink":"/x",)"
       R"("uid":"u1","managedFields":[{"manager":"me"}]}})",
       R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","uid":"u1"}})"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(Applied<appsv1::Deployment>(row.object), IsOkAndHolds(row.want));
  }
}

TEST(ToApplyConfiguration, OfAnObjectInTheProgram) {
  appsv1::Deployment web = {.metadata = {.name = "web"}};
  web.spec.replicas = 0;
  EXPECT_THAT(ConfigurationText(web),
              IsOkAndHolds(R"({"metadata":{"name":"web"},"spec":{"replicas":0}})"));
}

TEST(ToApplyConfiguration, OfAPartOfAnObject) {
  EXPECT_THAT(Applied<corev1::PodTemplateSpec>(R"({"spec":{"containers":[{"name":"web"}]}})"),
              IsOkAndHolds(R"({"spec":{"containers":[{"name":"web"}]}})"));
}

TEST(ToApplyConfiguration, KeepsOtherFormsOfJson) {
  const char kSchema[] =
      R"({"type":"object","items":{"type":"string"},"properties":{"a":{"items":[{"type":"b"}]}},)"
      R"("additionalProperties":false,"dependencies":{"c":["d"],"e":{"title":"f"}}})";
  EXPECT_THAT(Applied<apiextensionsv1::JSONSchemaProps>(kSchema), IsOkAndHolds(kSchema));
}

TEST(ToApplyConfiguration, ObjectWithoutJsonIsInvalidArgument) {
  corev1::PodSpec spec;
  spec.overhead = {{"cpu", "much"}};
  EXPECT_THAT(ToApplyConfiguration(spec).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("overhead[cpu]")));
}

TEST(FromApplyConfiguration, HasWhatTheConfigurationHas) {
  const ApplyOf<appsv1::Deployment> configuration = {
      .metadata = {{.name = "web", .labels = {{"app", "web"}}}},
      .spec = {{.replicas = 0, .paused = false, .progress_deadline_seconds = 9}}};
  const absl::StatusOr<appsv1::Deployment> object = ObjectOf(configuration);
  ASSERT_THAT(object, IsOk());
  appsv1::Deployment want = {.metadata = {.name = "web", .labels = {{"app", "web"}}}};
  want.spec.replicas = 0;
  want.spec.progress_deadline_seconds = 9;
  EXPECT_EQ(*object, want);
  EXPECT_THAT(FromApplyConfiguration<corev1::PodSpec>({.overhead = {{"cpu", "much"}}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::codec
