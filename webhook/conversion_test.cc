#include "webhook/conversion.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/testing/dog_conversions.h"
#include "webhook/testing/dogs.client.kube.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::webhook {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::dogs::Dog;
using tests::dogs::OldDog;
using tests::dogs::OldestDog;
using unstructured::Value;

Conversions AllDogs() {
  Conversions dogs;
  EXPECT_THAT((dogs.Add<Dog, OldDog>(FromOldDog, ToOldDog)), IsOk());
  EXPECT_THAT((dogs.Add<Dog, OldestDog>(FromOldestDog, ToOldestDog)), IsOk());
  return dogs;
}

Value Json(absl::string_view text) {
  absl::StatusOr<Value> value = unstructured::ParseJson(text);
  EXPECT_THAT(value, IsOk()) << text;
  return value.ok() ? *std::move(value) : Value();
}

std::string Review(absl::string_view wanted, absl::string_view objects,
                   absl::string_view version = "v1") {
  return absl::StrCat(R"({"apiVersion":"apiextensions.k8s.io/)", version,
                      R"(","kind":"ConversionReview","request":{"uid":"u1",)",
                      R"("desiredAPIVersion":")", wanted, R"(","objects":[)", objects, "]}}");
}

absl::StatusOr<std::string> Answer(absl::string_view body) {
  return AnswerConversionReview(Context(), AllDogs(), body);
}

absl::StatusOr<Value> ToNewest(const Value& object) {
  Conversions dogs;
  KUBE_RETURN_IF_ERROR((dogs.Add<Dog, OldDog>(FromOldDog, ToOldDog)));
  return dogs.Convert(object, "example.com/v2");
}

constexpr char kOld[] =
    R"({"apiVersion":"example.com/v1","kind":"Dog","metadata":{"name":"rex"},"spec":{"size":3}})";

// behaviour.md: WH-52
TEST(Conversions, EachVersionToEachOther) {
  const Conversions dogs = AllDogs();
  const struct {
    const char* name;
    const char* from;
    const char* to;
    const char* spec;
  } kRows[] = {
      {"spoke to hub", kOld, "example.com/v2", R"({"body":{"size":3}})"},
      {"hub to spoke",
       R"({"apiVersion":"example.com/v2","kind":"Dog","metadata":{},"spec":{"body":{"size":4}}})",
       "example.com/v1", R"({"size":4})"},
      {"spoke to spoke", kOld, "example.com/v1alpha1", R"({"size":"3"})"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<Value> converted = dogs.Convert(Json(row.from), row.to);
    ASSERT_THAT(converted, IsOk());
    EXPECT_EQ((*converted)["apiVersion"].text(), row.to);
    EXPECT_EQ((*converted)["kind"].text(), "Dog");
    EXPECT_EQ((*converted)["spec"], Json(row.spec));
  }
}

TEST(Conversions, ConvertToTheHub) {
  const absl::StatusOr<Value> hub = ToNewest(Json(kOld));
  ASSERT_THAT(hub, IsOk());
  EXPECT_EQ((*hub)["spec"]["body"]["size"].integer(), 3);
}

TEST(Conversions, MetadataStays_ExceptForLabelsAndAnnotations) {
  const Conversions dogs = AllDogs();
  const Value original = Json(
      R"({"apiVersion":"example.com/v1","kind":"Dog","metadata":{"name":"rex","namespace":"a",)"
      R"("uid":"7","generation":2,"unknownMember":{"a":1},"labels":{"x":"y"},)"
      R"("annotations":{"example.com/owner":"ann"}},"spec":{"size":3}})");
  absl::StatusOr<Value> hub = dogs.Convert(original, "example.com/v2");
  ASSERT_THAT(hub, IsOk());
  EXPECT_EQ((*hub)["metadata"], Json(R"({"name":"rex","namespace":"a","uid":"7","generation":2,)"
                                     R"("unknownMember":{"a":1},"labels":{"x":"y"}})"));
  EXPECT_EQ((*hub)["spec"]["owner"].text(), "ann");
  const absl::StatusOr<Value> again = dogs.Convert(*hub, "example.com/v1");
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ((*again)["metadata"], original["metadata"]) << "nothing is lost on the way";
}

TEST(Conversions, AFunctionCannotChangeTheName) {
  Conversions dogs;
  EXPECT_THAT((dogs.Add<Dog, OldDog>(
                  [](const OldDog&, Dog& hub) {
                    hub.metadata = {};
                    hub.metadata.name = "other";
                    hub.metadata.labels["new"] = "label";
                    return absl::OkStatus();
                  },
                  ToOldDog)),
              IsOk());
  const absl::StatusOr<Value> hub = dogs.Convert(Json(kOld), "example.com/v2");
  ASSERT_THAT(hub, IsOk());
  EXPECT_EQ((*hub)["metadata"], Json(R"({"name":"rex","labels":{"new":"label"}})"));
}

// behaviour.md: WH-52
TEST(Conversions, WhatCannotBeConverted_IsAnErrorWithUpstreamsText) {
  const Conversions dogs = AllDogs();
  const struct {
    const char* name;
    const char* object;
    const char* to;
    const char* message;
  } kRows[] = {
      {"same version", kOld, "example.com/v1",
       "conversion is not allowed between same type example.com/v1, Kind=Dog"},
      {"unknown kind", R"({"apiVersion":"example.com/v1","kind":"Cat"})", "example.com/v2",
       R"(no kind "Cat" is registered for version "example.com/v1")"},
      {"unknown version", kOld, "example.com/v3",
       R"(no kind "Dog" is registered for version "example.com/v3")"},
      {"no kind", R"({"apiVersion":"example.com/v1"})", "example.com/v2", "'Kind' is missing"},
      {"no object", "5", "example.com/v2", "'Kind' is missing"},
      {"another type", R"({"apiVersion":"example.com/v1","kind":"Dog","spec":{"size":"x"}})",
       "example.com/v2", "spec.size"},
      {"a function fails", R"({"apiVersion":"example.com/v1","kind":"Dog","spec":{"size":-1}})",
       "example.com/v2", "a dog cannot be that small"},
      {"a function fails on the way",
       R"({"apiVersion":"example.com/v1","kind":"Dog","spec":{"size":-1}})", "example.com/v1alpha1",
       "failed to convert spoke example.com/v1, Kind=Dog to hub example.com/v2, Kind=Dog: a dog"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(dogs.Convert(Json(row.object), row.to),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)));
  }
}

// behaviour.md: WH-53, WH-54
TEST(Conversions, Add_RefusesWhatDoesNotFit) {
  Conversions dogs = AllDogs();
  EXPECT_THAT((dogs.Add<Dog, OldDog>(FromOldDog, ToOldDog)),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       HasSubstr("duplicate spoke converter for version v1")));
  EXPECT_THAT((dogs.Add<OldDog, Dog>(ToOldDog, FromOldDog)),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("multiple hubs defined")));
  EXPECT_THAT((dogs.Add<Dog, Dog>([](const Dog&, Dog&) { return absl::OkStatus(); },
                                  [](const Dog&, Dog&) { return absl::OkStatus(); })),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("both of version v2")));
  EXPECT_THAT((dogs.Add<Dog, OldDog>(nullptr, ToOldDog)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is null")));
  const schema::GroupVersionKind hub = {.group = "example.com", .version = "v2", .kind = "Dog"};
  EXPECT_THAT(dogs.Hubs(), ElementsAre(hub));
  EXPECT_THAT(dogs.VersionsOf(hub), ElementsAre("v2", "v1", "v1alpha1"));
}

// behaviour.md: WH-51
TEST(AnswerConversionReview, AllObjectsInOrder) {
  const std::string objects = absl::StrCat(
      kOld, ",", R"({"apiVersion":"example.com/v1alpha1","kind":"Dog","spec":{"size":"8"}})");
  const absl::StatusOr<std::string> answer = Answer(Review("example.com/v2", objects));
  ASSERT_THAT(answer, IsOk());
  const Value review = Json(*answer);
  EXPECT_EQ(review["apiVersion"].text(), "apiextensions.k8s.io/v1");
  EXPECT_EQ(review["kind"].text(), "ConversionReview");
  EXPECT_TRUE(review["request"].is_null());
  const Value& response = review["response"];
  EXPECT_EQ(response["uid"].text(), "u1");
  EXPECT_EQ(response["result"]["status"].text(), "Success");
  ASSERT_TRUE(response["convertedObjects"].is_list());
  const List<Value>& converted = *response["convertedObjects"].list();
  ASSERT_EQ(converted.size(), 2u);
  EXPECT_EQ(converted[0]["spec"]["body"]["size"].integer(), 3);
  EXPECT_EQ(converted[1]["spec"]["body"]["size"].integer(), 8);
}

// behaviour.md: WH-51
TEST(AnswerConversionReview, OneFailure_FailsTheWhole) {
  const log::LogCapture log;
  const std::string objects =
      absl::StrCat(kOld, ",", R"({"apiVersion":"example.com/v1","kind":"Dog","spec":{"size":-1}})");
  const absl::StatusOr<std::string> answer = Answer(Review("example.com/v2", objects));
  ASSERT_THAT(answer, IsOk());
  const Value response = Json(*answer)["response"];
  EXPECT_EQ(response["uid"].text(), "u1");
  EXPECT_TRUE(response["convertedObjects"].is_null());
  EXPECT_EQ(response["result"]["status"].text(), "Failure");
  EXPECT_EQ(response["result"]["message"].text(), "a dog cannot be that small");
  EXPECT_THAT(log.Lines(), ElementsAre(HasSubstr("failed to convert")));
}

// behaviour.md: WH-51
TEST(AnswerConversionReview, KeepsTheVersionOfTheQuestion) {
  const absl::StatusOr<std::string> answer = Answer(Review("example.com/v2", kOld, "v1beta1"));
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(Json(*answer)["apiVersion"].text(), "apiextensions.k8s.io/v1beta1");
}

TEST(AnswerConversionReview, NoObjects_Succeeds) {
  const absl::StatusOr<std::string> answer =
      Answer(R"({"request":{"uid":"u2","desiredAPIVersion":"example.com/v2","objects":null}})");
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(Json(*answer)["response"]["result"]["status"].text(), "Success");
}

// behaviour.md: WH-50
TEST(AnswerConversionReview, ABodyThatIsNoReview_IsAnError) {
  for (const char* body : {"", "{", "[]", "{}", R"({"request":null})", R"({"request":5})",
                           R"({"request":{"uid":5}})", R"({"request":{"objects":{}}})"}) {
    SCOPED_TRACE(body);
    EXPECT_THAT(Answer(body), StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(AnswerConversionReview, NobodyWaits_ReturnsTheStatusOfTheContext) {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(AnswerConversionReview(scope.context(), AllDogs(), Review("example.com/v2", kOld)),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kube::webhook
