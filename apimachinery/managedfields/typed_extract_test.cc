#include "apimachinery/managedfields/typed_extract.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/apply_of.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

namespace appsv1 = api::apps::v1;
using base::IsOkAndHolds;
using base::StatusIs;

// A part of an object and a list of a kind are nothing that managers own.
static_assert(AppliedKind<appsv1::Deployment>);
static_assert(!AppliedKind<appsv1::DeploymentSpec>);
static_assert(!AppliedKind<appsv1::DeploymentList>);
static_assert(!AppliedKind<int>);

// A deployment as a server returns it to a typed client, without kind and apiVersion.
constexpr char kDeployment[] =
    R"({"metadata":{"name":"web","namespace":"prod","uid":"u1","labels":{"a":"1","b":"2"},)"
    R"("managedFields":[)"
    R"({"manager":"ctl","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1",)"
    R"("fieldsV1":{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:replicas":{},"f:template":)"
    R"({"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:name":{},"f:image":{}}}}}}}},)"
    R"({"manager":"ctl","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1",)"
    R"("subresource":"status","fieldsV1":{"f:status":{"f:readyReplicas":{}}}},)"
    R"({"manager":"kubectl","operation":"Update","apiVersion":"apps/v1","fieldsType":"FieldsV1",)"
    R"("fieldsV1":{"f:metadata":{"f:labels":{"f:b":{}}}}}]},)"
    R"("spec":{"replicas":0,"selector":{"matchLabels":{"a":"1"}},"template":{"metadata":{},)"
    R"("spec":{"containers":[{"name":"log","image":"log:1"},)"
    R"({"name":"web","image":"web:1","tty":true}]}}},"status":{"readyReplicas":2,"replicas":3}})";

// Returns what a manager owns of kDeployment, as JSON.
absl::StatusOr<std::string> Owned(absl::string_view manager, absl::string_view subresource) {
  const absl::StatusOr<appsv1::Deployment> deployment =
      codec::DecodeJson<appsv1::Deployment>(kDeployment);
  if (!deployment.ok()) return deployment.status();
  const absl::StatusOr<ApplyOf<appsv1::Deployment>> owned =
      ExtractOwned(*deployment, manager, subresource);
  if (!owned.ok()) return owned.status();
  return codec::EncodeJson(*owned);
}

TEST(ExtractOwned, IsTheConfigurationOfWhatTheManagerApplied) {
  const struct {
    const char* name;
    const char* manager;
    const char* subresource;
    const char* want;
  } kRows[] = {
      {"the object", "ctl", "",
       R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",)"
       R"("namespace":"prod","labels":{"a":"1"}},"spec":{"replicas":0,"template":{"spec":)"
       R"({"containers":[{"name":"web","image":"web:1"}]}}}})"},
      {"its status", "ctl", "status",
       R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",)"
       R"("namespace":"prod"},"status":{"readyReplicas":2}})"},
      {"a manager that only updated", "kubectl", "",
       R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",)"
       R"("namespace":"prod"}})"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(Owned(row.manager, row.subresource), IsOkAndHolds(row.want));
  }
}

TEST(ExtractOwned, MalformedManagedFieldsAreInvalidArgument) {
  appsv1::Deployment deployment = {.metadata = {.name = "web"}};
  deployment.metadata.managed_fields = {{.manager = "ctl",
                                         .operation = "Apply",
                                         .api_version = "apps/v1",
                                         .fields_type = "FieldsV1",
                                         .fields_v1 = R"({"k:[":{}})"}};
  EXPECT_THAT(ExtractOwned(deployment, "ctl").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ExtractOwned, ObjectWithoutJsonIsInvalidArgument) {
  appsv1::Deployment deployment = {.metadata = {.name = "web"}};
  deployment.spec.template_.spec.overhead = {{"cpu", "much"}};
  EXPECT_THAT(ExtractOwned(deployment, "ctl").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::managedfields
