#include "apiserver/validation/match_condition.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::Value;

Value Json(absl::string_view text) {
  absl::StatusOr<Value> value = unstructured::ParseJson(text);
  EXPECT_THAT(value, IsOk()) << text;
  return value.ok() ? *value : Value();
}

absl::StatusOr<bool> Evaluate(const std::vector<std::string>& expressions) {
  std::vector<CompiledCondition> conditions;
  for (const std::string& each : expressions) {
    conditions.push_back({.expression = each, .program = CompileMatchCondition(each)});
  }
  const Value object = Json(R"({"metadata":{"name":"a","labels":{"app":"web"}},"spec":{"n":3}})");
  const Value old_object;
  const Value request = Json(
      R"({"operation":"CREATE","name":"a","userInfo":{"username":"ann","groups":["dev"]},)"
      R"("resource":{"group":"apps","version":"v1","resource":"deployments"},"dryRun":false})");
  return EvaluateMatchConditions(Context(), conditions,
                                 {.object = object, .old_object = old_object, .request = request});
}

TEST(MatchCondition, Compiles) {
  struct Case {
    std::string expression;
    std::string error;  // empty if it compiles
  };
  const std::vector<Case> cases = {
      {"true", ""},
      {"object.spec.n > 2 && oldObject == null", ""},
      {"request.operation == 'CREATE' && 'dev' in request.userInfo.groups", ""},
      {"request.userInfo.extra['scopes'].exists(s, s == 'x')", ""},
      {"request.options.fieldManager == 'me'", ""},
      {"namespaceObject.metadata.labels['a'] == 'b'", ""},
      {"1 + 1", "must evaluate to bool but got int"},
      {"object.spec.n", "must evaluate to bool but got dyn"},
      {"request.object == null", "undefined field 'object'"},
      {"request.kind.plural == ''", "undefined field 'plural'"},
      {"authorizer.path('/').check('get').allowed()", "undeclared reference to 'authorizer'"},
      {"params == null", "undeclared reference to 'params'"},
      {"object.", "compilation failed: ERROR: <input>:1:"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.expression);
    const auto program = CompileMatchCondition(test.expression);
    if (test.error.empty()) {
      EXPECT_THAT(program, IsOk());
    } else {
      EXPECT_THAT(program.status(),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(test.error)));
    }
  }
}

TEST(MatchCondition, AllMustBeTrue) {
  EXPECT_THAT(Evaluate({}), IsOkAndHolds(true));
  EXPECT_THAT(Evaluate({"object.spec.n == 3", "request.resource.group == 'apps'"}),
              IsOkAndHolds(true));
  EXPECT_THAT(Evaluate({"object.spec.n == 3", "oldObject != null"}), IsOkAndHolds(false));
  EXPECT_THAT(Evaluate({"request.userInfo.username == 'bob'"}), IsOkAndHolds(false));
  EXPECT_THAT(Evaluate({"!has(object.spec.m)", "'app' in object.metadata.labels"}),
              IsOkAndHolds(true));
}

TEST(MatchCondition, FalseWinsOverErrors) {
  EXPECT_THAT(Evaluate({"object.spec.m == 1", "false"}), IsOkAndHolds(false));
  EXPECT_THAT(Evaluate({"object.spec.m == 1", "true"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "expression 'object.spec.m == 1' resulted in error: no such key: m"));
  EXPECT_THAT(Evaluate({"object.spec.m == 1", "object.spec.o == 1"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no such key: o]")));
}

}  // namespace
}  // namespace kube::apiserver::internal
