#include "apiserver/webhooks/conversion_review.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_converter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::SizeIs;
using unstructured::Unstructured;
using unstructured::Value;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

constexpr char kOld[] = R"({"apiVersion":"example.com/v1","kind":"Dog","metadata":{"name":"rex",)"
                        R"("namespace":"a","uid":"u","labels":{"x":"y"}},"spec":{"size":1}})";

Unstructured Parse(absl::string_view json) {
  const absl::StatusOr<Value> value = unstructured::ParseJson(json);
  EXPECT_THAT(value, IsOk());
  Unstructured object;
  if (value.ok() && value->is_object()) object.object = *value->object();
  return object;
}

std::string Text(const Unstructured& object) {
  return unstructured::EncodeJson(Value(object.object)).value_or("");
}

AskedConversion Asked(absl::string_view version = "v1") {
  return {.version = std::string(version), .uid = "1", .api_version = "example.com/v2"};
}

TEST(ConversionReview, Version) {
  EXPECT_THAT(ReviewVersionOf({"v2", "v1beta1", "v1"}), IsOkAndHolds("v1beta1"));
  EXPECT_THAT(ReviewVersionOf({"v1", "v1beta1"}), IsOkAndHolds("v1"));
  EXPECT_THAT(ReviewVersionOf({"v2"}),
              StatusIs(kInvalid, "no supported conversion review versions"));
}

TEST(ConversionReview, Question) {
  EXPECT_THAT(
      EncodeConversionReview(Asked(), {Parse(R"({"kind":"Dog"})")}),
      IsOkAndHolds(R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview",)"
                   R"("request":{"desiredAPIVersion":"example.com/v2","objects":[{"kind":"Dog"}],)"
                   R"("uid":"1"},"response":{"convertedObjects":null,"result":{"metadata":{}},)"
                   R"("uid":""}})"));
}

std::string Answer(absl::string_view response) {
  return absl::StrCat(
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":)", response,
      "}");
}

TEST(ConversionReview, AnswersThatCannotBeUsed) {
  struct Row {
    std::string name;
    std::string body;
    std::string error;
  };
  const std::vector<Row> rows = {
      {"another kind", R"({"apiVersion":"v1","kind":"Status"})",
       "converting (v1.Status) to (v1.ConversionReview): unknown conversion"},
      {"no kind", "{}",
       "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind="},
      {"no response", Answer("null"), "no response provided"},
      {"another UID", Answer(R"({"uid":"2","result":{"status":"Success"}})"),
       R"(expected response.uid="1", got "2")"},
      {"a failure with a message", Answer(R"({"uid":"1","result":{"message":"too big"}})"),
       "too big"},
      {"a failure without one", Answer(R"({"uid":"1","result":{"status":"Failure"}})"),
       "response.result.status was 'Failure', not 'Success'"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ReadConversionReview(Asked(), row.body), StatusIs(kInvalid, row.error)) << row.name;
  }
}

TEST(ConversionReview, OldVersionHasNoUid) {
  EXPECT_THAT(ReadConversionReview(
                  Asked("v1beta1"),
                  R"({"response":{"convertedObjects":[{}],"result":{"status":"Success"}}})"),
              IsOkAndHolds(SizeIs(1)));
}

absl::StatusOr<std::string> Checked(absl::string_view converted, bool is_list = false) {
  KUBE_ASSIGN_OR_RETURN(const Value value, unstructured::ParseJson(converted));
  const ConversionSubject subject = {
      .api_version = "example.com/v1", .kind = "Dog", .is_list = is_list};
  KUBE_ASSIGN_OR_RETURN(
      const std::vector<Unstructured> checked,
      CheckConverted(Asked(), subject, {Parse(kOld)},
                     value.is_list() ? *value.list() : List<Value>{Value(value)}));
  return Text(checked[0]);
}

TEST(ConversionReview, OnlyLabelsAndAnnotationsChange) {
  EXPECT_THAT(
      Checked(R"({"apiVersion":"example.com/v2","kind":"Dog","metadata":{"name":"rex",
                  "namespace":"a","uid":"u","generation":7,"annotations":{"old":"1"}},
                  "spec":{"big":true}})"),
      IsOkAndHolds(R"({"apiVersion":"example.com/v2","kind":"Dog","metadata":{"annotations":)"
                   R"({"old":"1"},"name":"rex","namespace":"a","uid":"u"},"spec":{"big":true}})"));
}

TEST(ConversionReview, ObjectsThatAreRefused) {
  constexpr absl::string_view kStart = "conversion webhook for example.com/v1, Kind=Dog ";
  struct Row {
    std::string name;
    std::string object;
    std::string error;
    std::string list_error;
  };
  const std::string good = R"({"apiVersion":"example.com/v2","kind":"Dog","metadata":)";
  const std::string identity = R"({"name":"rex","namespace":"a","uid":"u")";
  const std::vector<Row> rows = {
      {"none", "[]", absl::StrCat(kStart, "returned 0 objects, expected 1"),
       absl::StrCat(kStart, "returned 0 objects, expected 1")},
      {"no kind", R"({"a":1})", R"(Object 'Kind' is missing in '{"a":1}')",
       absl::StrCat(kStart,
                    "returned invalid converted object at index 0: Object 'Kind' is "
                    R"(missing in '{"a":1}')")},
      {"the old version", kOld,
       absl::StrCat(kStart,
                    "returned invalid object at index 0: invalid groupVersion (expected "
                    "example.com/v2, received example.com/v1)"),
       absl::StrCat(kStart,
                    "returned invalid converted object at index 0: invalid groupVersion "
                    "(expected example.com/v2, received example.com/v1)")},
      {"another kind", R"({"apiVersion":"example.com/v2","kind":"Cat"})",
       absl::StrCat(kStart,
                    "returned invalid object at index 0: invalid kind (expected Dog, "
                    "received Cat)"),
       absl::StrCat(kStart,
                    "returned invalid converted object at index 0: invalid kind (expected "
                    "Dog, received Cat)")},
      {"another name", absl::StrCat(good, R"({"name":"tom"}})"),
       absl::StrCat(kStart, "returned invalid object: must have the same name: rex != tom"),
       absl::StrCat(kStart,
                    "returned invalid converted object at index 0: must have the same "
                    "name: rex != tom")},
      {"a label that is no text", absl::StrCat(good, identity, R"(,"labels":{"a":1}}})"),
       absl::StrCat(kStart,
                    "returned invalid metadata: metadata.labels[a] must be a string, but "
                    "is int64 in converted object"),
       absl::StrCat(kStart,
                    "returned invalid metadata in object at index 0: metadata.labels[a] "
                    "must be a string, but is int64 in converted object")},
      {"labels that are a list", absl::StrCat(good, identity, R"(,"labels":[]}})"),
       absl::StrCat(kStart,
                    "returned invalid metadata: invalid metadata.labels of type "
                    "[]interface {} in converted object"),
       absl::StrCat(kStart,
                    "returned invalid metadata in object at index 0: invalid "
                    "metadata.labels of type []interface {} in converted object")},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Checked(row.object), StatusIs(kInvalid, row.error)) << row.name;
    EXPECT_THAT(Checked(row.object, /*is_list=*/true), StatusIs(kInvalid, row.list_error))
        << row.name;
  }
}

TEST(ConversionReview, InvalidLabels) {
  EXPECT_THAT(Checked(R"({"apiVersion":"example.com/v2","kind":"Dog","metadata":{"name":"rex",
                          "namespace":"a","uid":"u","labels":{"-":"y"}}})"),
              StatusIs(kInvalid, testing::HasSubstr(
                                     "returned invalid metadata: metadata.labels: Invalid value")));
}

}  // namespace
}  // namespace kube::apiserver::internal
