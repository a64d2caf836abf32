#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/authorizer.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using testing::HasSubstr;

// Allows what is asked about the verb "get".
class Allower final : public Authorizer {
 public:
  AuthorizationDecision Authorize(const AuthorizationCheck& check) const override {
    return {.allowed = check.verb == "get", .reason = check.name};
  }
};

// Returns the value of an expression about `authorizer`, or its error.
std::string Evaluate(const std::string& expression) {
  Environment environment;
  environment.AddVariable("authorizer", AuthorizerType());
  const absl::StatusOr<Program> program = Program::Compile(expression, environment);
  if (!program.ok()) return std::string(program.status().message());
  const Program::Result result = program->Evaluate(
      Context(), {{"authorizer", MakeAuthorizer(std::make_shared<const Allower>())}});
  if (!result.value.ok()) return std::string(result.value.status().message());
  return FormatValue(*result.value);
}

// Each method belongs to one type: what upstream refuses at compile time is refused here, too.
TEST(AuthorizerLibrary, MethodsBelongToTheirTypes) {
  constexpr char kResource[] = "authorizer.group('').resource('pods')";
  const std::string wrong[] = {
      "authorizer.check('get')",
      "authorizer.resource('pods')",
      "authorizer.group('').check('get')",
      "authorizer.path('/').resource('pods')",
      "authorizer.path('/').name('a')",
      std::string(kResource) + ".allowed()",
      std::string(kResource) + ".check('get').check('get')",
      std::string(kResource) + ".name(1)",
      std::string(kResource) + ".check()",
  };
  for (const std::string& expression : wrong) {
    EXPECT_THAT(Evaluate(expression), HasSubstr("no matching overload")) << expression;
  }
}

// A member that is set twice has the last value, and the receiver stays as it was.
TEST(AuthorizerLibrary, ChecksAreValues) {
  EXPECT_EQ(Evaluate("authorizer.group('').resource('r').name('a').name('b').check('x').reason()"),
            "\"b\"");
  EXPECT_EQ(Evaluate("[authorizer.group('').resource('r')].map(c, c.name('a').check('get')"
                     ".allowed() && c.check('get').reason() == '')"),
            "[true]");
}

TEST(AuthorizerLibrary, DecisionsCannotBeCompared) {
  const std::string check = "authorizer.path('/').check('get')";
  EXPECT_NE(Evaluate(check + " == " + check), "true");
}

}  // namespace
}  // namespace kube::cel::internal
