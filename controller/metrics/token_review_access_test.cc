#include "controller/metrics/token_review_access.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::metrics {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr absl::string_view kTokens = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr absl::string_view kAccess = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

httpserver::Request RequestWith(std::string authorization, std::string target = "/metrics") {
  httpserver::Request request = {.method = "GET", .target = std::move(target)};
  if (!authorization.empty()) request.headers.Set("authorization", authorization);
  return request;
}

// Returns "200", or the status and text of a refusal.
std::string Answer(const TokenReviewAccess& access, const httpserver::Request& request) {
  const std::optional<httpserver::Response> refusal = access.Check(Context(), request);
  if (!refusal) return "200";
  EXPECT_EQ(refusal->headers.Get("content-type"), "text/plain; charset=utf-8");
  return absl::StrCat(refusal->status, " ", refusal->body);
}

// An API server with RBAC, where the program is the administrator.
class TokenReviewAccessTest : public testing::Test {
 protected:
  // Returns how many requests the API server got since the last call.
  size_t Asked() {
    const size_t count = server_.Requests().size();
    server_.ClearRequests();
    return count;
  }

  base::FakeClock clock_;
  const base::RuntimeScope scope_{clock_};
  apiserver::ApiHandler server_{
      {.tokens = {{"secret-of-root", {.name = "root", .groups = {"system:masters"}}},
                  {"secret-of-jane", {.name = "jane"}}},
       .authorization = apiserver::Authorization::kRbac}};
  const rest::Client client_ = *rest::MakeClient(envtest::InProcessConfig(server_));
  const TokenReviewAccess access_{client_};
  const log::LogCapture log_;
};

// behaviour.md: MGR-53
TEST_F(TokenReviewAccessTest, Check_AnswersAsUpstream) {
  const struct {
    const char* name;
    std::string authorization;
    const char* answer;
  } kRows[] = {
      {"nothing", "", "401 Unauthorized\n"},
      {"another scheme", "Basic cm9vdDp4", "401 Unauthorized\n"},
      {"no token", "Bearer", "401 Unauthorized\n"},
      {"two blanks", "Bearer  secret-of-root", "401 Unauthorized\n"},
      {"unknown token", "Bearer secret-of-nobody", "500 Authentication failed\n"},
      {"no right", "Bearer secret-of-jane", "403 Authorization denied for user jane\n"},
      {"a right", "Bearer secret-of-root", "200"},
      {"lower case", " bearer secret-of-root ", "200"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Answer(access_, RequestWith(row.authorization)), row.answer) << row.name;
  }
  EXPECT_THAT(log_.Lines(), Contains(HasSubstr("authentication failed")));
  EXPECT_THAT(log_.Lines(), Each(Not(HasSubstr("secret-of"))));
}

// behaviour.md: MGR-53
TEST_F(TokenReviewAccessTest, Check_RemembersTokensForAMinuteAndDecisionsForTheirTimes) {
  const httpserver::Request root = RequestWith("Bearer secret-of-root");
  const httpserver::Request jane = RequestWith("Bearer secret-of-jane");
  server_.ClearRequests();
  EXPECT_EQ(Answer(access_, root), "200");
  EXPECT_EQ(Asked(), 2u);
  EXPECT_EQ(Answer(access_, root), "200");
  EXPECT_EQ(Asked(), 0u);
  EXPECT_EQ(Answer(access_, RequestWith("Bearer secret-of-root", "/debug/status")), "200");
  EXPECT_EQ(Asked(), 1u) << "another path";
  EXPECT_THAT(Answer(access_, jane), HasSubstr("403 "));
  EXPECT_EQ(Asked(), 2u);
  clock_.Step(absl::Seconds(31));
  EXPECT_EQ(Answer(access_, root), "200");
  EXPECT_EQ(Asked(), 0u);
  EXPECT_THAT(Answer(access_, jane), HasSubstr("403 "));
  EXPECT_EQ(Asked(), 1u) << "a refusal is remembered for half a minute";
  clock_.Step(absl::Seconds(30));
  EXPECT_EQ(Answer(access_, root), "200");
  EXPECT_EQ(Asked(), 1u) << "a token is remembered for a minute";
  clock_.Step(absl::Minutes(5));
  EXPECT_EQ(Answer(access_, root), "200");
  EXPECT_EQ(Asked(), 2u);
}

// What the server knows of the user decides, and the path without its query.
// behaviour.md: MGR-53
TEST(TokenReviewAccess, Check_SendsUserPathAndVerb) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.method = "POST", .path = std::string(kTokens)},
                    rest::JsonReply(R"({"status":{"authenticated":true,"user":{"username":"bob",)"
                                    R"("uid":"u1","groups":["ops"],"extra":{"scope":["a"]}}}})",
                                    201));
  transport->Expect({.method = "POST", .path = std::string(kAccess)},
                    rest::JsonReply(R"({"status":{"allowed":true}})", 201));
  const TokenReviewAccess access(rest::MakeScriptedClient(transport));
  EXPECT_EQ(Answer(access, RequestWith("Bearer t0ken", "/debug%2Fstatus?x=1")), "200");
  ASSERT_EQ(transport->requests().size(), 2u);
  EXPECT_THAT(transport->requests()[0].body, HasSubstr("t0ken"));
  const std::string question = transport->requests()[1].body;
  for (const char* part :
       {"bob", "u1", "ops", "system:authenticated", "scope", "/debug/status", "get"}) {
    EXPECT_THAT(question, HasSubstr(part));
  }
  EXPECT_THAT(question, Not(HasSubstr("t0ken")));
  EXPECT_THAT(question, Not(HasSubstr("x=1")));
}

// A server that does not answer admits nobody.
TEST(TokenReviewAccess, Check_ErrorsOfTheServer_Return500) {
  const rest::ScriptedReply known =
      rest::JsonReply(R"({"status":{"authenticated":true,"user":{"username":"bob"}}})", 201);
  const struct {
    const char* name;
    rest::ScriptedReply token;
    rest::ScriptedReply decision;
    const char* answer;
    size_t requests;
  } kRows[] = {
      {"no right to review tokens",
       rest::StatusReply(403, "Forbidden", "no"),
       {},
       "500 Authentication failed\n",
       1},
      {"an error that may pass",
       rest::StatusReply(500, "InternalError", "oops"),
       {},
       "500 Authentication failed\n",
       3},
      {"no decision", known, rest::StatusReply(403, "Forbidden", "no"),
       "500 Authorization for user bob failed\n", 2},
      {"allowed and denied", known,
       rest::JsonReply(R"({"status":{"allowed":true,"denied":true}})", 201),
       "500 Authorization for user bob failed\n", 2},
      {"denied", known, rest::JsonReply(R"({"status":{"denied":true}})", 201),
       "403 Authorization denied for user bob\n", 2},
      {"not authenticated",
       rest::JsonReply(R"({"status":{}})", 201),
       {},
       "500 Authentication failed\n",
       1},
  };
  for (const auto& row : kRows) {
    const log::LogCapture log;
    const auto transport = std::make_shared<rest::ScriptedTransport>();
    transport->Always({.path = std::string(kTokens)}, row.token);
    transport->Always({.path = std::string(kAccess)}, row.decision);
    const TokenReviewAccess access(
        rest::MakeScriptedClient(transport),
        {.retry = {.duration = absl::Milliseconds(1), .factor = 1, .steps = 3}});
    EXPECT_EQ(Answer(access, RequestWith("Bearer t0ken")), row.answer) << row.name;
    EXPECT_EQ(transport->requests().size(), row.requests) << row.name;
    EXPECT_THAT(log.Lines(), Each(Not(HasSubstr("t0ken")))) << row.name;
  }
}

TEST(TokenReviewAccess, Check_ServerThatHangs_EndsAtTheTimeout) {
  const log::LogCapture log;
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, {.hang = true});
  const TokenReviewAccess access(rest::MakeScriptedClient(transport),
                                 {.timeout = absl::Milliseconds(20)});
  EXPECT_EQ(Answer(access, RequestWith("Bearer t0ken")), "500 Authentication failed\n");
  EXPECT_THAT(log.Lines(), Not(IsEmpty()));
}

// Errors and rejected tokens are not remembered, so a reader gets in as soon as the server knows
// it.
TEST(TokenReviewAccess, Check_RejectedTokenThatBecomesValid_IsAdmitted) {
  const log::LogCapture log;
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = std::string(kTokens)},
                    rest::JsonReply(R"({"status":{"error":"invalid bearer token"}})", 201));
  transport->Expect({.path = std::string(kTokens)},
                    rest::JsonReply(R"({"status":{"authenticated":true}})", 201));
  transport->Expect({.path = std::string(kAccess)},
                    rest::JsonReply(R"({"status":{"allowed":true}})", 201));
  const TokenReviewAccess access(rest::MakeScriptedClient(transport));
  EXPECT_EQ(Answer(access, RequestWith("Bearer t0ken")), "500 Authentication failed\n");
  EXPECT_EQ(Answer(access, RequestWith("Bearer t0ken")), "200");
}

}  // namespace
}  // namespace kube::metrics
