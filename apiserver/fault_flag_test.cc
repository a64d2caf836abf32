#include "apiserver/fault_flag.h"

#include <memory>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FaultFlag, AllKeys_SetTheirFields) {
  const absl::StatusOr<FaultRule> rule = ParseFaultFlag(
      "delay=100ms,verb=create+update,group=apps,resource=deployments/status,namespace=prod,"
      "name=web,user=jane,from=2,every=3,times=4,probability=0.5");
  ASSERT_THAT(rule, IsOk());
  EXPECT_THAT(rule->verbs, ElementsAre("create", "update"));
  EXPECT_EQ(rule->group, "apps");
  EXPECT_EQ(rule->resource, "deployments/status");
  EXPECT_EQ(rule->namespace_name, "prod");
  EXPECT_EQ(rule->name, "web");
  EXPECT_EQ(rule->user, "jane");
  EXPECT_EQ(rule->from, 2);
  EXPECT_EQ(rule->every, 3);
  EXPECT_EQ(rule->times, 4);
  EXPECT_EQ(rule->probability, 0.5);
  ASSERT_TRUE(std::holds_alternative<fault::Delay>(rule->fault));
  EXPECT_EQ(std::get<fault::Delay>(rule->fault).time, absl::Milliseconds(100));
}

TEST(FaultFlag, TheCoreGroup_IsAnEmptyGroup) {
  const absl::StatusOr<FaultRule> rule = ParseFaultFlag("drop,group=");
  ASSERT_THAT(rule, IsOk());
  ASSERT_TRUE(rule->group.has_value());
  EXPECT_EQ(*rule->group, "");
  EXPECT_TRUE(std::holds_alternative<fault::Drop>(rule->fault));
  EXPECT_FALSE(ParseFaultFlag("drop")->group.has_value());
}

TEST(FaultFlag, AnError_IsAnsweredWithItsCode) {
  for (const int code : {429, 500, 503, 504}) {
    const absl::StatusOr<FaultRule> rule =
        ParseFaultFlag(absl::StrCat("error=", code, ",resource=namespaces"));
    ASSERT_THAT(rule, IsOk());
    ApiHandler handler({.anonymous = Anonymous::kAll, .faults = {*rule}});
    const auto exchange = std::make_shared<FakeExchange>(
        httpserver::Request{.method = "GET", .target = "/api/v1/namespaces"});
    handler.Handle(exchange);
    EXPECT_EQ(exchange->status(), code) << exchange->body();
  }
}

TEST(FaultFlag, AWrongPart_IsNamedWithWhatIsAllowed) {
  struct Row {
    absl::string_view text;
    absl::string_view message;
  };
  const Row rows[] = {
      {"verb=get", "\"verb=get\" has no fault: add error=CODE, delay=TIME or drop"},
      {"error=200", "\"error=200\" is not 429, 500, 503 or 504"},
      {"error=500,drop", "a rule has one fault"},
      {"drop=1", "\"drop=1\" is not \"drop\" alone"},
      {"delay=-1s", "\"delay=-1s\" is not a duration such as"},
      {"drop,times=0", "\"times=0\" is not a number from 1"},
      {"drop,probability=2", "\"probability=2\" is not a number from 0 to 1"},
      {"drop,probability=nan", "\"probability=nan\" is not a number from 0 to 1"},
      {"drop,name=", "\"name=\" is not a name"},
      {"drop,verb=", "\"verb=\" is not made of get, list, watch"},
      {"drop,verb=get+creat", "\"verb=get+creat\" is not made of get, list, watch"},
      {"drop,verbs=get", "\"verbs=get\" is not one of error, delay, drop, verb"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ParseFaultFlag(row.text),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)))
        << row.text;
  }
}

}  // namespace
}  // namespace kube::apiserver
