#include "apimachinery/cel/authorizer.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/program.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

// Allows to get anything, and says in the reason what it was asked.
class GetAllower final : public Authorizer {
 public:
  AuthorizationDecision Authorize(const AuthorizationCheck& check) const override {
    return {.allowed = check.verb == "get",
            .reason = absl::StrCat(check.verb, " ", check.path, check.group, "/", check.resource,
                                   "/", check.subresource, " ", check.namespace_name, "/",
                                   check.name, " ", check.field_selector, check.label_selector, " ",
                                   check.account_namespace, ":", check.account_name),
            .error = check.verb == "fail" ? "failed" : ""};
  }
};

// Returns the value of an expression, or its error, and what it has cost.
std::string Evaluate(const std::string& expression, uint64_t* cost = nullptr) {
  Environment environment;
  environment.AddVariable("authorizer", AuthorizerType());
  environment.AddVariable("authorizer.requestResource", ResourceCheckType());
  const absl::StatusOr<Program> program = Program::Compile(expression, environment);
  if (!program.ok()) return std::string(program.status().message());
  const auto authorizer = std::make_shared<const GetAllower>();
  const Program::Result result = program->Evaluate(
      Context(),
      {{"authorizer", MakeAuthorizer(authorizer)},
       {"authorizer.requestResource",
        MakeResourceCheck(authorizer, {.group = "apps", .resource = "deployments", .name = "d"})}});
  if (cost != nullptr) *cost = result.cost;
  if (!result.value.ok()) return std::string(result.value.status().message());
  return FormatValue(*result.value);
}

struct Row {
  const char* name;
  const char* expression;
  const char* result;
};

class AuthorizerTest : public testing::TestWithParam<Row> {};

TEST_P(AuthorizerTest, Answers) {
  EXPECT_EQ(Evaluate(GetParam().expression), GetParam().result) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    All, AuthorizerTest,
    testing::Values(
        Row{"Allows", "authorizer.group('').resource('pods').check('get').allowed()", "true"},
        Row{"Refuses", "authorizer.group('').resource('pods').check('list').allowed()", "false"},
        Row{"PassesAll",
            "authorizer.group('g').resource('r').subresource('s').namespace('n').name('o')"
            ".fieldSelector('a=b').labelSelector('c').check('v').reason()",
            "\"v g/r/s n/o a=bc :\""},
        Row{"OfAPath", "authorizer.path('/healthz').check('get').reason()",
            "\"get /healthz// /  :\""},
        Row{"OfAnAccount",
            "authorizer.serviceAccount('n','a').group('').resource('r').check('get').reason()",
            "\"get /r/ /  n:a\""},
        Row{"OfTheRequest", "authorizer.requestResource.check('get').reason()",
            "\"get apps/deployments/ /d  :\""},
        Row{"TellsErrors", "authorizer.requestResource.check('fail').error()", "\"failed\""},
        Row{"KnowsOfErrors", "authorizer.requestResource.check('fail').errored()", "true"},
        Row{"HasNoError", "authorizer.requestResource.check('get').errored()", "false"},
        Row{"NeedsAPath", "authorizer.path(' ').check('get').allowed()", "path must not be empty"},
        Row{"NeedsAResource", "authorizer.group('').resource('').check('get').allowed()",
            "resource must not be empty"},
        Row{"NeedsAnAccount", "authorizer.serviceAccount('n','_').path('/').check('get').allowed()",
            "Invalid service account name"},
        Row{"NeedsANamespace",
            "authorizer.serviceAccount('a.b','a').path('/').check('get').allowed()",
            "Invalid service account namespace"}),
    [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

TEST(Authorization, ChecksAreDear) {
  uint64_t cost = 0;
  EXPECT_EQ(Evaluate("authorizer.path('/').check('get').allowed()", &cost), "true");
  // The variable, three calls of which one is a check.
  EXPECT_EQ(cost, 350'003u);
}

TEST(Authorization, ThreeChecksAreTooMany) {
  const std::string check = "authorizer.path('/').check('get').allowed()";
  EXPECT_EQ(Evaluate(absl::StrCat(check, " && ", check, " && ", check)),
            "operation cancelled: actual cost limit exceeded");
}

}  // namespace
}  // namespace kube::cel
