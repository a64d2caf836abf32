#include "clientset/rest/testing/scripted_transport.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ScriptedTransportTest, AnswersTheRequestsOfAClient) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.method = "GET", .path = "/api/v1/namespaces/prod/pods/web-0"},
                    JsonReply(R"({"kind":"Pod","apiVersion":"v1"})"));
  const Client client = MakeScriptedClient(transport);

  const absl::StatusOr<Result> result = client.Do(
      Context(), {.resource = {"", "v1", "pods"}, .namespace_name = "prod", .name = "web-0"});

  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->status, 200);
  EXPECT_EQ(result->content_type, "application/json");
  EXPECT_EQ(result->body, R"({"kind":"Pod","apiVersion":"v1"})");
  EXPECT_THAT(transport->Verify(), IsOk());
  EXPECT_EQ(transport->requests()[0].Header("accept"), "application/json, */*");
}

TEST(ScriptedTransportTest, SaysWhatWasNotExpected) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.method = "GET", .path = "/api/v1/pods"});
  const Client client = MakeScriptedClient(transport);

  const absl::Status error = client.Do(Context(), {.absolute_path = "/healthz"}).status();

  EXPECT_THAT(error, StatusIs(absl::StatusCode::kInternal,
                              "get /healthz: scripted transport: no reply for GET "
                              "http://localhost/healthz; expected: GET /api/v1/pods"));
  EXPECT_THAT(
      transport->Verify(),
      StatusIs(
          absl::StatusCode::kFailedPrecondition,
          "unexpected request: GET http://localhost/healthz; expected request not received: GET "
          "/api/v1/pods"));
}

TEST(ScriptedTransportTest, MatchesAllThatIsSaid) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({.query = {{"limit", {"5"}}}}, {.status = 201});
  transport->Always({.headers = {{"Accept", "text/plain"}}}, {.status = 202});
  transport->Always({.body = "x"}, {.status = 203});
  transport->Handle(
      {.predicate = [](const RecordedRequest& r) { return r.path == "/special"; }},
      [](const RecordedRequest& r) { return ScriptedReply{.status = 204, .body = r.path}; });
  transport->Always({}, {.status = 205});
  const Client client = MakeScriptedClient(transport);
  const auto status_of = [&client](const Request& request) {
    return client.Do(Context(), request).value().status;
  };

  EXPECT_EQ(status_of({.absolute_path = "/a?limit=5&x=1"}), 201);
  EXPECT_EQ(status_of({.absolute_path = "/a?limit=6"}), 205);
  EXPECT_EQ(status_of({.absolute_path = "/a", .accept = "text/plain"}), 202);
  EXPECT_EQ(
      status_of(
          {.verb = "PUT", .absolute_path = "/a", .body = std::make_shared<const std::string>("x")}),
      203);
  EXPECT_EQ(status_of({.absolute_path = "/special"}), 204);
}

TEST(ScriptedTransportTest, StreamsWhatTheTestSends) {
  auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<ScriptedStream> watch =
      transport->ExpectStream({.path = "/api/v1/pods", .query = {{"watch", {"true"}}}});
  watch->Write("one");
  watch->Write("two");
  watch->End();
  const Client client = MakeScriptedClient(transport);

  absl::StatusOr<StreamedResult> stream = client.Stream(Context(), {.resource = {"", "v1", "pods"},
                                                                    .params = {{"watch", {"true"}}},
                                                                    .retry = RetryRule::kWatch});

  ASSERT_THAT(stream, IsOk());
  EXPECT_THAT(stream->body->Read(Context()), base::IsOkAndHolds("one"));
  EXPECT_THAT(stream->body->Read(Context()), base::IsOkAndHolds("two"));
  EXPECT_THAT(stream->body->Read(Context()), base::IsOkAndHolds(""));
  EXPECT_FALSE(watch->closed());
  stream->body = nullptr;
  EXPECT_THAT(watch->WaitUntilClosed(Context()), IsOk());
}

TEST(ScriptedTransportTest, StatusReplyIsWhatAnApiServerSays) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, StatusReply(404, "NotFound", "pods \"web-0\" not found"));
  const Client client = MakeScriptedClient(transport);

  const absl::Status error =
      client
          .Do(Context(),
              {.resource = {"", "v1", "pods"}, .namespace_name = "prod", .name = "web-0"})
          .status();

  EXPECT_TRUE(errors::IsNotFound(error));
  EXPECT_EQ(error.message(), "get pods \"web-0\" in \"prod\": pods \"web-0\" not found");
}

}  // namespace
}  // namespace kube::rest
