#include "apiserver/encoding/apply_body.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Expects an error with the Status of a bad request.
void ExpectBadRequest(const absl::Status& error, const std::string& message_prefix,
                      const std::string& context) {
  const std::optional<api::meta::v1::Status> answer = errors::StatusOf(error);
  ASSERT_TRUE(answer.has_value()) << context << ": " << error;
  EXPECT_EQ(answer->code, 400) << context;
  EXPECT_EQ(answer->reason, "BadRequest") << context;
  EXPECT_THAT(std::string(answer->message.view()), StartsWith(message_prefix)) << context;
}

TEST(ApplyBodyTest, Yaml_BecomesAConfiguration) {
  const struct {
    std::string name, body, want;
  } rows[] = {
      {"JSON", R"({"kind":"Pod","a":[1,null]})", R"({"a":[1,null],"kind":"Pod"})"},
      {"YAML", "kind: Pod\nspec:\n  x: 5\n", R"({"kind":"Pod","spec":{"x":5}})"},
      {"booleans of YAML 1.1", "x: yes\non: 1\n", R"({"true":1,"x":true})"},
      {"the first document", "a: 1\n---\nb: 2\n", R"({"a":1})"},
      {"nothing", "", "{}"},
      {"null", "null", "{}"},
      {"a name given twice", R"({"x":1,"x":2})", R"({"x":2})"},
      {"integers beyond 2^53", R"({"x":9007199254740993})", R"({"x":9007199254740993})"},
  };
  for (const auto& row : rows) {
    const absl::StatusOr<ApplyBody> body = ApplyBodyOf(row.body, "");
    ASSERT_THAT(body.status(), IsOk()) << row.name;
    EXPECT_THAT(unstructured::EncodeJson(body->configuration), IsOkAndHolds(row.want)) << row.name;
  }
}

TEST(ApplyBodyTest, OtherTexts_AreBadRequests) {
  for (const char* body : {"{", "a: [", "[1]", "7", "text", "a: b: c"}) {
    for (const char* policy : {"", "Strict"}) {
      ExpectBadRequest(ApplyBodyOf(body, policy).status(), "error decoding YAML: ", body);
    }
  }
}

TEST(ApplyBodyTest, NameGivenTwice_IsAWarningOrAnErrorIfStrict) {
  const struct {
    std::string name, body, warning;
  } rows[] = {
      {"JSON", R"({"data":{"x":"1","x":"2"}})", R"(line 1: key "x" already set in map)"},
      {"YAML", "data:\n  x: \"1\"\n  x: \"2\"\n", R"(line 3: key "x" already set in map)"},
  };
  for (const auto& row : rows) {
    for (const char* policy : {"", "Warn", "Ignore"}) {
      const absl::StatusOr<ApplyBody> body = ApplyBodyOf(row.body, policy);
      ASSERT_THAT(body.status(), IsOk()) << row.name << " " << policy;
      EXPECT_THAT(body->duplicates, IsOk()) << row.name << " " << policy;
      const bool warns = absl::string_view(policy) != "Ignore";
      EXPECT_EQ(body->warning, warns ? row.warning : "") << row.name << " " << policy;
    }
    const absl::StatusOr<ApplyBody> strict = ApplyBodyOf(row.body, "Strict");
    ASSERT_THAT(strict.status(), IsOk()) << row.name;
    ExpectBadRequest(strict->duplicates, "error strict decoding YAML: ", row.name);
    EXPECT_THAT(std::string(strict->duplicates.message()),
                HasSubstr("key \"x\" already set in map"))
        << row.name;
  }
}

TEST(ApplyBodyTest, NamesGivenOnce_AreFine) {
  const absl::StatusOr<ApplyBody> body = ApplyBodyOf(R"({"a":{"x":1},"b":{"x":1}})", "Strict");
  ASSERT_THAT(body.status(), IsOk());
  EXPECT_THAT(body->duplicates, IsOk());
}

}  // namespace
}  // namespace kube::apiserver::internal
