// What becomes of requests before and after their verb: those that wait for a revision, those that
// nobody may send, and the log.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::StartsWith;
using unstructured::Value;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

std::shared_ptr<FakeExchange> Send(ApiHandler& handler, absl::string_view method,
                                   absl::string_view target, absl::string_view body = "",
                                   absl::string_view accept = "") {
  httpserver::Request request{.method = std::string(method), .target = std::string(target)};
  request.headers.Set("content-type", "application/json");
  if (!accept.empty()) request.headers.Set("accept", accept);
  request.body = std::string(body);
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  handler.Handle(exchange);
  return exchange;
}

// Returns the revision of a list, or zero if the list does not say one.
int64_t Revision(ApiHandler& handler) {
  const absl::StatusOr<Value> list = unstructured::ParseJson(Send(handler, "GET", kMaps)->body());
  EXPECT_THAT(list, IsOk());
  int64_t revision = 0;
  if (list.ok()) {
    EXPECT_TRUE(
        absl::SimpleAtoi((*list)["metadata"]["resourceVersion"].text().value_or(""), &revision));
  }
  return revision;
}

// Returns "VERB CODE" of each request in the log.
std::vector<std::string> Log(const ApiHandler& handler) {
  std::vector<std::string> log;
  for (const LoggedRequest& each : handler.Requests()) {
    log.push_back(absl::StrCat(each.verb, " ", each.code));
  }
  return log;
}

TEST(HandlerServing, ARequestThatWaits_IsServedOnceWhenItsRevisionIsThere) {
  ApiHandler handler({.anonymous = Anonymous::kAll, .cluster_objects = false});
  const int64_t next = Revision(handler) + 1;
  handler.ClearRequests();
  const auto early = Send(handler, "GET", absl::StrCat(kMaps, "?resourceVersion=", next));
  EXPECT_EQ(early->status(), 0);
  EXPECT_THAT(Log(handler), ElementsAre()) << "it is no request yet";
  EXPECT_EQ(Send(handler, "POST", kMaps, R"({"metadata":{"name":"a"}})")->status(), 201);
  EXPECT_EQ(early->status(), 200);
  EXPECT_EQ(Send(handler, "POST", kMaps, R"({"metadata":{"name":"b"}})")->status(), 201);
  EXPECT_THAT(Log(handler), testing::UnorderedElementsAre("list 200", "create 201", "create 201"));
}

TEST(HandlerServing, ARequestThatWaits_IsNotServedAfterItsClientHasGone) {
  ApiHandler handler({.anonymous = Anonymous::kAll, .cluster_objects = false});
  const int64_t next = Revision(handler) + 1;
  handler.ClearRequests();
  const auto early = Send(handler, "GET", absl::StrCat(kMaps, "?resourceVersion=", next));
  early->Cancel();
  EXPECT_EQ(Send(handler, "POST", kMaps, R"({"metadata":{"name":"a"}})")->status(), 201);
  EXPECT_EQ(early->status(), 0);
  EXPECT_THAT(Log(handler), ElementsAre("create 201"));
}

TEST(HandlerServing, TheLog_KeepsTheLatestRequests) {
  ApiHandler handler(
      {.anonymous = Anonymous::kAll, .cluster_objects = false, .max_logged_requests = 2});
  for (const char* name : {"a", "b", "c"}) Send(handler, "GET", absl::StrCat(kMaps, "/", name));
  std::vector<std::string> names;
  for (const LoggedRequest& each : handler.Requests()) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("b", "c"));
}

TEST(HandlerServing, AMalformedPath_IsRefusedBeforeAnybodyDecides) {
  ApiHandler handler({.anonymous = Anonymous::kAll, .cluster_objects = false});
  const auto refused = Send(handler, "GET", "/api/v1/%zz");
  EXPECT_EQ(refused->status(), 400);
  EXPECT_THAT(refused->body(), StartsWith("{\n  \"kind\": \"Status\""));
  ASSERT_EQ(handler.Requests().size(), 1u);
  EXPECT_EQ(handler.Requests()[0].decision, "");
}

TEST(HandlerServing, AForbiddenRequest_IsAnsweredForPeopleWhateverItAccepts) {
  ApiHandler handler(
      {.anonymous = Anonymous::kAll, .deny = {DenyRule{.verb = "list"}}, .cluster_objects = false});
  const auto refused =
      Send(handler, "GET", kMaps, "", "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(refused->status(), 403);
  EXPECT_TRUE(absl::StrContains(refused->body(), "\n  \"reason\": \"Forbidden\""));
  ASSERT_EQ(handler.Requests().size(), 1u);
  EXPECT_EQ(handler.Requests()[0].decision, "forbid");
}

}  // namespace
}  // namespace kube::apiserver
