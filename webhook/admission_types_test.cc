#include "webhook/admission_types.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::webhook {
namespace {

namespace field = validation::field;
using testing::ElementsAre;
using testing::PrintToString;

TEST(Operation, HasTheTextsOfReviews) {
  const std::vector<std::pair<Operation, std::string>> rows = {{Operation::kCreate, "CREATE"},
                                                               {Operation::kUpdate, "UPDATE"},
                                                               {Operation::kDelete, "DELETE"},
                                                               {Operation::kConnect, "CONNECT"}};
  for (const auto& [operation, text] : rows) {
    EXPECT_EQ(ToString(operation), text);
    EXPECT_EQ(ParseOperation(text), operation);
    EXPECT_EQ(PrintToString(operation), text);
  }
  for (const absl::string_view text : {"", "create", "*", "CREATE "}) {
    EXPECT_FALSE(ParseOperation(text).has_value()) << text;
  }
}

// behaviour.md: WH-25
TEST(AdmissionResponse, EachAnswer_HasItsCodeAndReason) {
  const absl::Status conflict =
      errors::Conflict({.group = "apps", .resource = "deployments"}, "web", "it has changed");
  struct Row {
    std::string name;
    AdmissionResponse response;
    bool allowed;
    int32_t code;
    std::string reason, message;
  };
  const std::vector<Row> rows = {
      {"allowed", Allowed(), true, 200, "", ""},
      {"allowed with a message", Allowed("fine"), true, 200, "", "fine"},
      {"patched", Patched("[]"), true, 200, "", ""},
      {"denied", Denied("no"), false, 403, "Forbidden", "no"},
      {"denied without words", Denied(""), false, 403, "Forbidden", ""},
      {"errored", Errored(400, "what?"), false, 400, "", "what?"},
      {"an error", Refused(absl::InternalError("no")), false, 403, "Forbidden", "no"},
      {"the error of a server", Refused(errors::Unauthorized("no")), false, 401, "Unauthorized",
       "no"},
      {"the same in another one", Refused(base::Annotate(errors::Unauthorized("no"), "ask")), false,
       401, "Unauthorized", "no"},
      {"too many requests", Refused(errors::TooManyRequests("later", absl::Seconds(3))), false, 429,
       "TooManyRequests", "later"},
      {"a conflict", Refused(conflict), false, 409, "Conflict", std::string(conflict.message())},
      {"no error", Refused(absl::OkStatus()), false, 500, "",
       "the webhook refused the request without an error"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.response.allowed, row.allowed) << row.name;
    EXPECT_EQ(row.response.result.code, row.code) << row.name;
    EXPECT_EQ(row.response.result.reason, row.reason) << row.name;
    EXPECT_EQ(row.response.result.message, row.message) << row.name;
  }
  EXPECT_EQ(Patched("[]").json_patch, "[]");
  const AdmissionResponse refused = Refused(conflict);
  ASSERT_TRUE(refused.result.details.has_value());
  EXPECT_EQ(refused.result.details->name, "web");
}

TEST(AdmissionResponse, ValidationFailed_HasACauseForEachError) {
  const field::ErrorList wrong = {
      field::Invalid(field::Path("spec").Child("replicas"), int64_t{101}, "must be at most 100"),
      field::Required(field::Path("spec").Child("content"), "")};
  const AdmissionResponse response =
      ValidationFailed({.group = "sites.example.com", .kind = "Website"}, "blog", wrong);
  EXPECT_FALSE(response.allowed);
  EXPECT_EQ(response.result.code, 422);
  EXPECT_EQ(response.result.reason, "Invalid");
  EXPECT_EQ(response.result.message,
            "Website.sites.example.com \"blog\" is invalid: [spec.replicas: Invalid value: 101: "
            "must be at most 100, spec.content: Required value]");
  ASSERT_TRUE(response.result.details.has_value());
  std::vector<std::string> fields;
  for (const api::meta::v1::StatusCause& cause : response.result.details->causes) {
    fields.push_back(std::string(cause.field.view()));
  }
  EXPECT_THAT(fields, ElementsAre("spec.replicas", "spec.content"));
}

}  // namespace
}  // namespace kube::webhook
