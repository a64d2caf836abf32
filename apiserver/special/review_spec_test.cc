#include "apiserver/special/review_spec.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/authorization/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/validation/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace authorizationv1 = api::authorization::v1;
using ::testing::ElementsAreArray;

template <typename Review>
std::vector<std::string> Wrong(absl::string_view json) {
  const auto review = codec::DecodeJson<Review>(json);
  EXPECT_THAT(review, base::IsOk());
  std::vector<std::string> messages;
  if (!review.ok()) return messages;
  for (const auto& error : ValidateReview(*review)) messages.push_back(error.ToString());
  return messages;
}

struct Row {
  const char* name;
  const char* json;
  std::vector<std::string> messages;
};

TEST(ValidateReview, ChecksSubjectAccessReviews) {
  const Row rows[] = {
      {"a resource", R"({"spec":{"user":"u","resourceAttributes":{"verb":"get"}}})", {}},
      {"a path of a group",
       R"({"spec":{"groups":["g"],"nonResourceAttributes":{"path":"/x"}}})",
       {}},
      {"nothing",
       R"({})",
       {"spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or "
        "resourceAttributes must be specified",
        "spec.user: Invalid value: \"\": at least one of user or group must be specified"}},
      {"both",
       R"({"spec":{"user":"u","resourceAttributes":{},"nonResourceAttributes":{"path":"/x"}}})",
       {"spec.nonResourceAttributes: Invalid value: {\"Path\":\"/x\",\"Verb\":\"\"}: cannot be "
        "specified in combination with resourceAttributes"}},
      {"a name",
       R"({"metadata":{"name":"a"},"spec":{"user":"u","resourceAttributes":{}}})",
       {"metadata: Invalid value: {\"name\":\"a\"}: must be empty"}},
      {"selectors",
       R"({"spec":{"user":"u","resourceAttributes":{"fieldSelector":{},"labelSelector":)"
       R"({"rawSelector":"a","requirements":[{"key":"a","operator":"Like"}]}}}})",
       {"spec.resourceAttributes.fieldSelector.requirements: Required value: when "
        "spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is "
        "required",
        "spec.resourceAttributes.labelSelector.rawSelector: Invalid value: \"a\": may not "
        "specified at the same time as requirements"}},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Wrong<authorizationv1::SubjectAccessReview>(row.json),
                ElementsAreArray(row.messages))
        << row.name;
  }
}

TEST(ValidateReview, AsksNoUserOfASelfSubjectAccessReview) {
  EXPECT_THAT(Wrong<authorizationv1::SelfSubjectAccessReview>(
                  R"({"spec":{"nonResourceAttributes":{"path":"/x"}}})"),
              ::testing::IsEmpty());
}

TEST(ValidateReview, KeepsALocalSubjectAccessReviewInItsNamespace) {
  const Row rows[] = {
      {"the same namespace",
       R"({"metadata":{"namespace":"n"},)"
       R"("spec":{"user":"u","resourceAttributes":{"namespace":"n"}}})",
       {}},
      {"another namespace",
       R"({"metadata":{"namespace":"n"},)"
       R"("spec":{"user":"u","resourceAttributes":{"namespace":"m"}}})",
       {"spec.resourceAttributes.namespace: Invalid value: \"m\": must match "
        "metadata.namespace"}},
      {"a path",
       R"({"metadata":{"namespace":"n"},)"
       R"("spec":{"user":"u","nonResourceAttributes":{"verb":"get"}}})",
       {"spec.nonResourceAttributes: Invalid value: {\"Path\":\"\",\"Verb\":\"get\"}: disallowed "
        "on this kind of request"}},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Wrong<authorizationv1::LocalSubjectAccessReview>(row.json),
                ElementsAreArray(row.messages))
        << row.name;
  }
}

TEST(EvaluationError, NamesSelectorsThatAreIgnored) {
  struct ErrorRow {
    const char* name;
    const char* json;
    const char* error;
  };
  const ErrorRow rows[] = {
      {"no selectors", R"({"verb":"list"})", ""},
      {"valid selectors",
       R"({"fieldSelector":{"rawSelector":"a=b"},)"
       R"("labelSelector":{"requirements":[{"key":"a","operator":"Exists"}]}})",
       ""},
      {"both wrong",
       R"({"fieldSelector":{"rawSelector":"a"},"labelSelector":{"rawSelector":"a in"}})",
       "spec.resourceAttributes.fieldSelector ignored due to parse error; "
       "spec.resourceAttributes.labelSelector ignored due to parse error"},
      {"parts wrong",
       R"({"fieldSelector":{"requirements":[{"key":"a","operator":"In","values":["b"]},)"
       R"({"key":"a","operator":"Exists"}]},"labelSelector":{"requirements":)"
       R"([{"key":"a","operator":"Exists"},{"key":"a","operator":"Like"}]}})",
       "spec.resourceAttributes.fieldSelector partially ignored due to parse error; "
       "spec.resourceAttributes.labelSelector partially ignored due to parse error"},
  };
  for (const ErrorRow& row : rows) {
    const auto attributes = codec::DecodeJson<authorizationv1::ResourceAttributes>(row.json);
    ASSERT_THAT(attributes, base::IsOk());
    EXPECT_EQ(EvaluationError(*attributes), row.error) << row.name;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
