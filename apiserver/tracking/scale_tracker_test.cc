#include "apiserver/tracking/scale_tracker.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/testing/entry_lines.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/call/call.h"
#include "apiserver/custom_kind.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using api::autoscaling::v1::Scale;
using base::IsOk;
using managedfields::EntryLines;
using managedfields::ParseEntryLines;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using unstructured::Value;
using Lines = std::vector<std::string>;

// Returns the built-in resources, and the kind Dog of example.com with three versions: in v1 its
// replicas are spec.n, in v2 spec.size, and v3 has no scale.
Resources WithDogs() {
  const auto definition = codec::DecodeJson<CustomResourceDefinition>(
      R"({"metadata":{"name":"dogs.example.com"},)"
      R"("spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Dog"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},)"
      R"("subresources":{"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}})"
      R"(},{"name":"v2","served":true,"schema":{"openAPIV3Schema":{"type":"object"}},)"
      R"("subresources":{"scale":{"specReplicasPath":".spec.size",)"
      R"("statusReplicasPath":".status.size"}}},)"
      R"({"name":"v3","served":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]},)"
      R"("status":{"acceptedNames":{"plural":"dogs","singular":"dog","kind":"Dog",)"
      R"("listKind":"DogList"}}})");
  EXPECT_THAT(definition, IsOk());
  const auto kinds = CustomKind::MakeAll(*definition);
  EXPECT_THAT(kinds, IsOk());
  return Resources::With({{.kind = (*kinds)[0]}, {.kind = (*kinds)[1]}, {.kind = (*kinds)[2]}});
}

Scale ScaleWith(int32_t replicas) {
  Scale scale;
  scale.metadata.name = "a";
  scale.metadata.namespace_ = "default";
  scale.metadata.uid = "u";
  scale.spec.replicas = replicas;
  return scale;
}

// Requests to the scale of an object that has one replica.
class ScaleTrackerTest : public ::testing::Test {
 protected:
  ScaleTrackerTest() {
    request_.headers.Set("user-agent", "kubectl/v1.99.0");
    call_.request = &request_;
    call_.info.name = "a";
    call_.resources = std::make_shared<const Resources>(WithDogs());
    SetKind("apps/v1", "Deployment");
  }

  void SetKind(absl::string_view api_version, absl::string_view kind) {
    call_.resource = call_.resources->FindKind(api_version, kind);
    ASSERT_NE(call_.resource, nullptr);
  }

  // Returns the entries after an update of the replicas.
  Lines Update(const Lines& entries, int32_t replicas, absl::string_view field_manager) {
    return EntryLines(TrackScale(call_, ParseEntryLines(entries), ScaleWith(1), ScaleWith(replicas),
                                 field_manager));
  }

  absl::StatusOr<AppliedScale> Apply(const Lines& entries, absl::string_view configuration,
                                     bool force = false) {
    const absl::StatusOr<Value> value = unstructured::ParseJson(configuration);
    EXPECT_THAT(value, IsOk());
    return ApplyToScale(call_, ParseEntryLines(entries), ScaleWith(1), *value, "m", force);
  }

 private:
  httpserver::Request request_;
  Call call_;
};

constexpr absl::string_view kTwo =
    R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":2}})";

TEST_F(ScaleTrackerTest, Update_TakesTheReplicas) {
  EXPECT_THAT(Update({R"(a Apply apps/v1 - 100 {"f:spec":{"f:paused":{},"f:replicas":{}}})",
                      R"(b Update apps/v1 - 100 {"f:spec":{"f:replicas":{}}})",
                      R"(c Update apps/v1 status 100 {"f:status":{"f:replicas":{}}})"},
                     2, "u"),
              // As upstream, an entry that a scale adds has no time.
              ElementsAre(R"(a Apply apps/v1 - 100 {"f:spec":{"f:paused":{}}})",
                          R"(u Update apps/v1 scale - {"f:spec":{"f:replicas":{}}})",
                          R"(c Update apps/v1 status 100 {"f:status":{"f:replicas":{}}})"));
}

TEST_F(ScaleTrackerTest, UpdateWithoutAManager_IsThatOfTheUserAgent) {
  EXPECT_THAT(Update({R"(a Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"}, 2, ""),
              ElementsAre(R"(kubectl Update apps/v1 scale - {"f:spec":{"f:replicas":{}}})"));
}

TEST_F(ScaleTrackerTest, UpdateWithoutEffect_LeavesTheReplicas) {
  const Lines entries = {R"(a Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"};
  EXPECT_THAT(Update(entries, 1, "u"), ElementsAreArray(entries));
}

// As upstream, which does not track objects without managers, and takes the scale for one.
TEST_F(ScaleTrackerTest, UpdateOfReplicasThatNobodyOwns_IsNotTracked) {
  EXPECT_THAT(Update({}, 2, "u"), IsEmpty());
  const Lines entries = {R"(a Apply apps/v1 - 100 {"f:spec":{"f:paused":{}}})"};
  EXPECT_THAT(Update(entries, 2, "u"), ElementsAreArray(entries));
}

TEST_F(ScaleTrackerTest, UpdateOfEntriesThatCannotBeRead_LogsAndDropsThem) {
  const log::LogCapture capture;
  EXPECT_THAT(Update({R"(a Delete apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"}, 2, "u"),
              IsEmpty());
  EXPECT_THAT(capture.Lines(),
              ElementsAre(::testing::AllOf(HasSubstr("failed to update managedFields"),
                                           HasSubstr("apps/v1, Kind=Deployment"))));
}

TEST_F(ScaleTrackerTest, Apply_ChangesTheScaleAndOwnsTheReplicas) {
  const Lines before = {R"(a Apply apps/v1 - 100 {"f:spec":{"f:paused":{}}})",
                        R"(m Apply apps/v1 scale 100 {"f:spec":{"f:replicas":{}}})"};
  const absl::StatusOr<AppliedScale> again = Apply(before, kTwo);
  ASSERT_THAT(again.status(), IsOk());
  EXPECT_EQ(again->scale.spec.replicas, 2);
  EXPECT_EQ(again->scale.metadata.name, "a");
  EXPECT_THAT(EntryLines(again->entries), ElementsAreArray(before));
}

TEST_F(ScaleTrackerTest, ApplyOfTheSameReplicas_SharesThem) {
  const absl::StatusOr<AppliedScale> applied =
      Apply({R"(a Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"},
            R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":1}})");
  ASSERT_THAT(applied.status(), IsOk());
  EXPECT_EQ(applied->scale.spec.replicas, 1);
  EXPECT_THAT(EntryLines(applied->entries),
              ElementsAre(R"(m Apply apps/v1 scale - {"f:spec":{"f:replicas":{}}})",
                          R"(a Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"));
}

TEST_F(ScaleTrackerTest, ApplyOfReplicasOfOthers_NeedsForce) {
  const Lines entries = {R"(a Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})",
                         R"(b Update apps/v1 - 100 {"f:spec":{"f:paused":{},"f:replicas":{}}})"};
  const absl::StatusOr<AppliedScale> refused = Apply(entries, kTwo);
  const std::optional<api::meta::v1::Status> answer = errors::StatusOf(refused.status());
  ASSERT_TRUE(answer.has_value()) << refused.status();
  EXPECT_EQ(answer->code, 409);
  EXPECT_EQ(answer->reason, "Conflict");
  EXPECT_EQ(answer->message,
            "Apply failed with 2 conflicts: conflicts with \"a\":\n- .spec.replicas\n"
            "conflicts with \"b\" using autoscaling/v1:\n- .spec.replicas");

  const absl::StatusOr<AppliedScale> forced = Apply(entries, kTwo, /*force=*/true);
  ASSERT_THAT(forced.status(), IsOk());
  EXPECT_EQ(forced->scale.spec.replicas, 2);
  EXPECT_THAT(EntryLines(forced->entries),
              ElementsAre(R"(m Apply apps/v1 scale - {"f:spec":{"f:replicas":{}}})",
                          R"(b Update apps/v1 - 100 {"f:spec":{"f:paused":{}}})"));
}

TEST_F(ScaleTrackerTest, ConfigurationThatDoesNotFit_IsRefused) {
  const struct {
    std::string name;
    absl::string_view configuration;
    int32_t code;
    std::string message;
  } rows[] = {
      {"another kind", R"({"apiVersion":"apps/v1","kind":"Deployment"})", 400,
       "invalid object type: apps/v1, Kind=Deployment"},
      {"an unknown field",
       R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"n":1}})",
       500,
       "failed to create typed patch object (/a; autoscaling/v1, Kind=Scale): .spec.n: field not "
       "declared in schema"},
      {"managed fields",
       R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"managedFields":[]}})", 400,
       "metadata.managedFields must be nil"},
      {"replicas whose low 32 bits are negative",
       R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":3000000000}})", 422,
       "Scale.autoscaling \"a\" is invalid: spec.replicas: Invalid value: 3000000000: must be "
       "between 0 and 2147483647, inclusive"},
      {"replicas whose low 32 bits are positive",
       R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":4294967299}})", 422,
       "Scale.autoscaling \"a\" is invalid: spec.replicas: Invalid value: 4294967299: must be "
       "between 0 and 2147483647, inclusive"},
      {"fewer replicas than 32 bits hold",
       R"({"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":-3000000000}})", 422,
       "Scale.autoscaling \"a\" is invalid: spec.replicas: Invalid value: -3000000000: must be "
       "between 0 and 2147483647, inclusive"},
  };
  for (const auto& row : rows) {
    const std::optional<api::meta::v1::Status> answer =
        errors::StatusOf(Apply({}, row.configuration, /*force=*/true).status());
    ASSERT_TRUE(answer.has_value()) << row.name;
    EXPECT_EQ(answer->code, row.code) << row.name;
    EXPECT_EQ(answer->message, row.message) << row.name;
  }
}

TEST_F(ScaleTrackerTest, CustomResource_HasItsReplicasWhereItsVersionSays) {
  SetKind("example.com/v1", "Dog");
  EXPECT_THAT(Update({R"(a Apply example.com/v2 - 100 {"f:spec":{"f:color":{},"f:size":{}}})",
                      R"(b Update example.com/v1 - 100 {"f:spec":{"f:n":{},"f:size":{}}})"},
                     2, "u"),
              ElementsAre(R"(a Apply example.com/v2 - 100 {"f:spec":{"f:color":{}}})",
                          R"(u Update example.com/v1 scale - {"f:spec":{"f:n":{}}})",
                          R"(b Update example.com/v1 - 100 {"f:spec":{"f:size":{}}})"));

  SetKind("example.com/v2", "Dog");
  const absl::StatusOr<AppliedScale> applied = Apply(
      {R"(b Update example.com/v1 - 100 {"f:spec":{"f:n":{},"f:size":{}}})"}, kTwo, /*force=*/true);
  ASSERT_THAT(applied.status(), IsOk());
  EXPECT_THAT(EntryLines(applied->entries),
              ElementsAre(R"(m Apply example.com/v2 scale - {"f:spec":{"f:size":{}}})",
                          R"(b Update example.com/v1 - 100 {"f:spec":{"f:size":{}}})"));
}

TEST_F(ScaleTrackerTest, EntryOfAnUnknownVersion_IsDropped) {
  SetKind("example.com/v1", "Dog");
  EXPECT_THAT(Update({R"(a Apply example.com/v1 - 100 {"f:spec":{"f:n":{}}})",
                      R"(b Apply example.com/v3 - 100 {"f:spec":{"f:n":{}}})",
                      R"(c Apply example.com/v9 - 100 {"f:spec":{"f:n":{}}})",
                      R"(d Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})"},
                     2, "u"),
              // v3 is known, but has no replicas.
              ElementsAre(R"(b Apply example.com/v3 - 100 {"f:spec":{"f:n":{}}})",
                          R"(u Update example.com/v1 scale - {"f:spec":{"f:n":{}}})"));
}

}  // namespace
}  // namespace kube::apiserver::internal
