// Which requests rules select, and how often. envtest/faults_* tests what clients see.

#include "apiserver/faults.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using testing::ElementsAre;

// Returns the code of the answer to user jane with the User-Agent of a kubelet, or 0 without an
// answer.
int Send(ApiHandler& server, absl::string_view method, absl::string_view target,
         absl::string_view body = "") {
  httpserver::Request request{.method = std::string(method), .target = std::string(target)};
  request.headers.Set("authorization", "Bearer t");
  request.headers.Set("user-agent", "kubelet/v1.36");
  request.headers.Set("content-type", "application/json");
  request.body = std::string(body);
  const auto exchange = std::make_shared<FakeExchange>(std::move(request));
  server.Handle(exchange);
  return exchange->status();
}

int Create(ApiHandler& server, absl::string_view name) {
  return Send(server, "POST", "/api/v1/namespaces/default/configmaps",
              absl::StrCat(R"({"metadata":{"name":")", name, R"("}})"));
}

HandlerOptions With(std::vector<FaultRule> rules) {
  return {.tokens = {{"t", {.name = "jane"}}}, .faults = std::move(rules)};
}

// Which of `n` creates fail.
std::string Pattern(const FaultRule& rule, int n) {
  ApiHandler server(With({rule}));
  std::string pattern;
  for (int i = 0; i < n; ++i) pattern += Create(server, absl::StrCat("a", i)) == 201 ? '.' : 'x';
  return pattern;
}

TEST(Faults, CountsCalls) {
  const fault::Error error = {errors::InternalError("broken")};
  EXPECT_EQ(Pattern({.fault = error}, 5), "xxxxx");
  EXPECT_EQ(Pattern({.from = 3, .fault = error}, 5), "..xxx");
  EXPECT_EQ(Pattern({.every = 2, .fault = error}, 5), "x.x.x");
  EXPECT_EQ(Pattern({.from = 2, .every = 3, .times = 2, .fault = error}, 10), ".x..x.....");
  EXPECT_EQ(Pattern({.probability = 0, .fault = error}, 5), ".....");
  EXPECT_EQ(Pattern({}, 5), ".....");
}

TEST(Faults, HitSomeOfTheRequests_AsInTheHeader) {
  const FaultRule rule = {.verbs = {"create"},
                          .resource = "configmaps",
                          .from = 2,
                          .times = 3,
                          .fault = fault::Error{errors::ServiceUnavailable("busy")}};
  EXPECT_EQ(Pattern(rule, 6), ".xxx..");
}

TEST(Faults, LastUntilTheyAreRemoved_AsInTheHeader) {
  ApiHandler server(With({}));
  const FaultId down = server.faults().Add({.user = "jane", .fault = fault::Drop{}});
  EXPECT_EQ(Create(server, "a"), 0);
  server.faults().Remove(down);
  EXPECT_EQ(Create(server, "a"), 201);
}

TEST(Faults, ASeedDecidesTheSame) {
  const auto of = [](uint64_t seed) {
    return Pattern(
        {.probability = 0.3, .seed = seed, .fault = fault::Error{errors::InternalError("broken")}},
        200);
  };
  const std::string one = of(1);
  EXPECT_EQ(one, of(1));
  EXPECT_NE(one, of(2));
  const auto failures = std::count(one.begin(), one.end(), 'x');
  EXPECT_GT(failures, 30);
  EXPECT_LT(failures, 90);
}

TEST(Faults, WhichRequests) {
  const struct {
    absl::string_view name;
    FaultRule rule;
    bool matches;
  } cases[] = {
      {"all", {}, true},
      {"verb", {.verbs = {"get", "update"}}, true},
      {"another verb", {.verbs = {"patch"}}, false},
      {"group", {.group = "apps"}, true},
      {"the core group", {.group = ""}, false},
      {"resource", {.resource = "deployments/status"}, true},
      {"any subresource", {.resource = "deployments/*"}, true},
      {"another subresource", {.resource = "deployments/scale"}, false},
      {"itself", {.resource = "deployments"}, false},
      {"namespace", {.namespace_name = "prod"}, true},
      {"another namespace", {.namespace_name = "default"}, false},
      {"name", {.name = "web"}, true},
      {"another name", {.name = "we"}, false},
      {"user", {.user = "jane"}, true},
      {"another user", {.user = "bob"}, false},
      {"user agent", {.user_agent = "kubelet/"}, true},
      {"another user agent", {.user_agent = "scheduler"}, false},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    ApiHandler server(With({test.rule}));
    EXPECT_EQ(Send(server, "GET", "/apis/apps/v1/namespaces/prod/deployments/web/status"), 404);
    EXPECT_THAT(server.faults().Counts(),
                ElementsAre(FaultCount{test.matches ? 1 : 0, test.matches ? 1 : 0}));
  }
}

TEST(Faults, OtherPathsHaveTheirMethodAsVerb) {
  ApiHandler server(With({{.verbs = {"get"}, .fault = fault::Error{errors::InternalError("no")}}}));
  EXPECT_EQ(Send(server, "GET", "/healthz"), 500);
  EXPECT_EQ(Send(server, "HEAD", "/healthz"), 200);
}

TEST(Faults, SeveralRules) {
  ApiHandler server(With({}));
  Faults faults = server.faults();
  faults.Add({});
  faults.Add({.from = 2, .fault = fault::Error{errors::InternalError("first")}});
  const FaultId last = faults.Add({.fault = fault::Error{errors::ServiceUnavailable("second")}});
  EXPECT_EQ(Create(server, "a"), 503);
  EXPECT_EQ(Create(server, "a"), 500);
  EXPECT_THAT(faults.Counts(), ElementsAre(FaultCount{2, 2}, FaultCount{2, 1}, FaultCount{1, 1}));
  faults.Remove(last);
  faults.Remove(last);
  EXPECT_EQ(faults.Count(last), FaultCount());
  EXPECT_EQ(faults.Counts().size(), 2u);
  faults.Clear();
  EXPECT_THAT(faults.Counts(), testing::IsEmpty());
  EXPECT_EQ(Create(server, "a"), 201);
}

TEST(Faults, ABreakOrACloseOfOneClient_LeavesOthersAlone) {
  ApiHandler server(With({}));
  const auto watch = [&server](const char* user_agent) {
    httpserver::Request request{.method = "GET",
                                .target = "/api/v1/namespaces/default/configmaps?watch=1"};
    request.headers.Set("authorization", "Bearer t");
    request.headers.Set("user-agent", user_agent);
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    server.Handle(exchange);
    return exchange;
  };
  const auto kubelet = watch("kubelet/v1.36");
  const auto closed = watch("operator-0/v1");
  const auto scheduler = watch("scheduler");
  EXPECT_EQ(server.watches(), 3u);
  server.faults().CloseWatches("operator-");
  EXPECT_TRUE(closed->finished());
  const auto broken = watch("operator-1/v1");
  server.faults().BreakConnections("operator-");
  EXPECT_TRUE(broken->finished());
  server.faults().BreakConnections("another");
  EXPECT_FALSE(kubelet->finished());
  EXPECT_FALSE(scheduler->finished());
  server.faults().BreakConnections();
  EXPECT_TRUE(kubelet->finished());
  EXPECT_TRUE(scheduler->finished());
}

TEST(Faults, AHandleOutlivesItsServer) {
  std::optional<ApiHandler> server;
  server.emplace(With({}));
  Faults faults = server->faults();
  const FaultId partition = faults.Add({.fault = fault::Partition{}});
  EXPECT_EQ(Create(*server, "a"), 0);
  server.reset();
  faults.Remove(partition);
  faults.BreakConnections();
  EXPECT_THAT(faults.Counts(), testing::IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver
