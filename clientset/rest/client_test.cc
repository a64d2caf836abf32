#include "clientset/rest/client.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/trace.h"
#include "clientset/rest/warnings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Request Pod() {
  return {.resource = {"", "v1", "pods"}, .namespace_name = "prod", .name = "web-0"};
}

ScriptedReply Busy(int status, absl::string_view retry_after, absl::string_view body = "") {
  return {.status = status,
          .headers = {{"retry-after", std::string(retry_after)}},
          .body = std::string(body)};
}

absl::Status Lost(absl::string_view message = "connection reset") {
  return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset}, message);
}

// Runs `test` in virtual time, and returns how long it took.
absl::Duration InSimulation(const std::function<void()>& test) {
  absl::Duration took;
  base::SimRuntime sim({.seed = 1});
  const absl::Status status = sim.Run([&test, &took] {
    const base::MonotonicTime start = base::Now();
    test();
    took = base::Now() - start;
  });
  EXPECT_THAT(status, IsOk());
  return took;
}

// ---- What is sent

// behaviour.md: REST-14, TR-9
TEST(ClientTest, SendsHeadersOfItsOwn) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({});
  const Client client = MakeScriptedClient(transport, {.impersonate = {.user_name = "jane",
                                                                       .uid = "7",
                                                                       .groups = {"a", "b"},
                                                                       .extra = {{"k/x", {"v"}}}},
                                                       .user_agent = "tester"});

  ASSERT_THAT(client.Do(Context(), Pod()), IsOk());

  const RecordedRequest request = transport->requests()[0];
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.url, "http://localhost/api/v1/namespaces/prod/pods/web-0");
  EXPECT_EQ(request.headers, (http::Headers{{"accept", "application/json, */*"},
                                            {"user-agent", "tester"},
                                            {"impersonate-user", "jane"},
                                            {"impersonate-uid", "7"},
                                            {"impersonate-group", "a"},
                                            {"impersonate-group", "b"},
                                            {"impersonate-extra-k%2fx", "v"}}));
}

// behaviour.md: REST-14
TEST(ClientTest, ContentTypeOfTheConfiguration) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({});
  const Client client = MakeScriptedClient(transport, {.content_type = "application/yaml"});
  EXPECT_FALSE(client.prefers_protobuf());
  EXPECT_TRUE(MakeScriptedClient(transport).prefers_protobuf());

  const absl::StatusOr<Result> result = client.Do(
      Context(),
      {.verb = "POST", .absolute_path = "/x", .body = std::make_shared<const std::string>("a: 1")});

  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->content_type, "application/yaml");
  EXPECT_EQ(transport->requests()[0].Header("accept"), "application/yaml, */*");
  EXPECT_EQ(transport->requests()[0].Header("content-type"), "application/yaml");
}

TEST(ClientTest, AHeaderThatIsNoneIsNotSent) {
  auto transport = std::make_shared<ScriptedTransport>();
  const Client client = MakeScriptedClient(transport);
  const absl::Status error =
      client.Do(Context(), {.absolute_path = "/x", .headers = {{"x-a", "secret\r\nx-b: 1"}}})
          .status();
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kInvalidArgument,
                              "get /x: invalid header field value for \"x-a\""));
  EXPECT_THAT(transport->requests(), IsEmpty());
}

TEST(ClientTest, ARequestThatCannotBeIsNotSent) {
  auto transport = std::make_shared<ScriptedTransport>();
  const Client client = MakeScriptedClient(transport);
  Request request = Pod();
  request.namespace_name = "";
  EXPECT_THAT(client.Do(Context(), request).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "get pods \"web-0\": an empty namespace may not be set when a resource "
                       "name is provided"));
  EXPECT_THAT(transport->requests(), IsEmpty());
}

// ---- Tries

// behaviour.md: REST-4, REST-6, REST-8
TEST(ClientTest, TriesAgainAsTheServerAsks) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, Busy(429, "3"));
  transport->Expect({}, Busy(503, "2"));
  transport->Expect({}, {.body = "done"});
  const absl::Duration took = InSimulation([&transport] {
    const Client client = MakeScriptedClient(transport);
    const absl::StatusOr<Result> result =
        client.Do(Context(), {.verb = "POST",
                              .resource = {"", "v1", "pods"},
                              .namespace_name = "prod",
                              .body = std::make_shared<const std::string>("pod")});
    ASSERT_THAT(result, IsOk());
    EXPECT_EQ(result->body, "done");
  });
  EXPECT_EQ(took, absl::Seconds(5));
  for (const RecordedRequest& request : transport->requests()) EXPECT_EQ(request.body, "pod");
}

// HTTP/2's REFUSED_STREAM: the transport does not send it again, as Go's does, but says that the
// server has not seen the request.
TEST(ClientTest, AStreamThatTheServerRefused_IsSentAgainWhateverTheMethod) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.error = httpclient::MakeTransportError(
                             {.kind = httpclient::TransportErrorKind::kReset, .maybe_sent = false},
                             "the server reset the stream: REFUSED_STREAM")});
  transport->Expect({}, {.body = "done"});
  InSimulation([&transport] {
    const absl::StatusOr<Result> result = MakeScriptedClient(transport).Do(
        Context(), {.verb = "POST",
                    .resource = {"", "v1", "pods"},
                    .namespace_name = "prod",
                    .body = std::make_shared<const std::string>("pod")});
    ASSERT_THAT(result, IsOk());
    EXPECT_EQ(result->body, "done");
  });
  EXPECT_EQ(transport->requests().size(), 2);
}

// behaviour.md: REST-4
TEST(ClientTest, TakesADateToTryAgain) {
  auto transport = std::make_shared<ScriptedTransport>();
  const absl::Duration took = InSimulation([&transport] {
    const absl::Time date = base::WallNow() + absl::Seconds(9);
    transport->Expect(
        {}, Busy(503, absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", date, absl::UTCTimeZone())));
    transport->Expect({});
    EXPECT_THAT(MakeScriptedClient(transport).Do(Context(), Pod()), IsOk());
  });
  EXPECT_EQ(took, absl::Seconds(9));
}

// behaviour.md: REST-13
TEST(ClientTest, TellsOfTheTryBeforeTheLast) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.error = Lost("first")});
  transport->Expect({}, StatusReply(403, "Forbidden", "no"));
  InSimulation([&transport] {
    const absl::Status error = MakeScriptedClient(transport).Do(Context(), Pod()).status();
    EXPECT_TRUE(errors::IsForbidden(error));
    EXPECT_EQ(error.message(),
              "get pods \"web-0\" in \"prod\": no - error from a previous attempt: first");
  });
}

TEST(ClientTest, ADeadlineEndsTheWaitForTheNextTry) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, Busy(429, "3600"));
  const absl::Duration took = InSimulation([&transport] {
    const absl::Status error =
        MakeScriptedClient(transport).Do(WithTimeout(Context(), absl::Seconds(10)), Pod()).status();
    EXPECT_THAT(
        error,
        StatusIs(absl::StatusCode::kDeadlineExceeded,
                 HasSubstr(
                     "error from a previous attempt: the server responded with the status code 429 "
                     "Too Many Requests")));
  });
  EXPECT_EQ(took, absl::Seconds(10));
}

TEST(ClientTest, ACancelledContextEndsAHangingTry) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.hang = true});
  CancelScope scope = WithCancel(Context());
  transport->Handle({}, [](const RecordedRequest&) { return ScriptedReply(); });
  InSimulation([&transport] {
    const absl::Status error =
        MakeScriptedClient(transport).Do(WithTimeout(Context(), absl::Minutes(1)), Pod()).status();
    EXPECT_THAT(error, StatusIs(absl::StatusCode::kDeadlineExceeded,
                                testing::StartsWith("get pods \"web-0\" in \"prod\": ")));
  });
  EXPECT_EQ(transport->requests().size(), 1);
}

// behaviour.md: REST-20
TEST(ClientTest, TheTimeoutIsForAllTriesAndTheBody) {
  auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<ScriptedStream> body = transport->ExpectStream({});
  body->Write("part");
  const absl::Duration took = InSimulation([&transport] {
    const Client client = MakeScriptedClient(transport, {.timeout = absl::Seconds(7)});
    EXPECT_THAT(client.Do(Context(), Pod()).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
  });
  EXPECT_EQ(took, absl::Seconds(7));
  EXPECT_EQ(transport->requests()[0].Param("timeout"), "7s");
}

// behaviour.md: REST-20, ST-56
TEST(ClientTest, AStreamThatHasBegunHasNoTimeout) {
  auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<ScriptedStream> body = transport->ExpectStream({});
  body->Pause(absl::Hours(1));
  body->Write("late");
  InSimulation([&transport] {
    Request request = Pod();
    request.timeout = absl::Seconds(7);
    request.retry = RetryRule::kWatch;
    absl::StatusOr<StreamedResult> stream =
        MakeScriptedClient(transport).Stream(WithTimeout(Context(), absl::Seconds(1)), request);
    ASSERT_THAT(stream, IsOk());
    EXPECT_THAT(stream->body->Read(Context()), IsOkAndHolds("late"));
  });
}

// behaviour.md: REST-3, REST-5
TEST(ClientTest, AWatchThatNeverBeginsIsEmpty) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, {.error = Lost()});
  const absl::Duration took = InSimulation([&transport] {
    Request request = Pod();
    request.retry = RetryRule::kWatch;
    absl::StatusOr<StreamedResult> stream =
        MakeScriptedClient(transport).Stream(Context(), request);
    ASSERT_THAT(stream, IsOk());
    EXPECT_EQ(stream->status, 200);
    EXPECT_THAT(stream->body->Read(Context()), IsOkAndHolds(""));
  });
  EXPECT_EQ(transport->requests().size(), 11);
  EXPECT_EQ(took, absl::Seconds(10));
}

TEST(ClientTest, ABodyThatBreaksOffIsAnErrorOfTheTransport) {
  auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<ScriptedStream> body = transport->ExpectStream({});
  body->Write("{\"half\"");
  body->End(Lost("cut"));
  const absl::Status error = MakeScriptedClient(transport).Do(Context(), Pod()).status();
  EXPECT_EQ(error.message(), "get pods \"web-0\" in \"prod\": read response: cut");
  EXPECT_TRUE(httpclient::IsConnectionLost(error));
  EXPECT_EQ(transport->requests().size(), 1);
}

TEST(ClientTest, TheCodeOfAnErrorWhoseBodyBreaksOffCounts) {
  auto transport = std::make_shared<ScriptedTransport>();
  auto body = std::make_shared<ScriptedStream>();
  body->Write("half a te");
  body->End(Lost("cut"));
  transport->Expect({}, {.status = 403, .stream = body});
  EXPECT_TRUE(errors::IsForbidden(MakeScriptedClient(transport).Do(Context(), Pod()).status()));
}

// ---- Limits

// behaviour.md: REST-8, REST-9
TEST(ClientTest, TheLimiterHoldsFirstTriesAndRetriesBackButNotWatches) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, Busy(429, "0"));
  transport->Always({});
  Config config;
  config.qps = 1;
  config.burst = 1;
  config.timeout = absl::Seconds(1) + absl::Milliseconds(500);
  const absl::Duration took = InSimulation([&transport, &config] {
    const Client client = MakeScriptedClient(transport, config);
    ASSERT_THAT(client.Do(Context(), Pod()), IsOk());  // one at once, the other a second later
    Request watch = Pod();
    watch.retry = RetryRule::kWatch;
    ASSERT_THAT(client.Stream(Context(), watch), IsOk());
    // This request waits for the limiter before its timeout begins.
    ASSERT_THAT(client.Do(Context(), Pod()), IsOk());
    EXPECT_THAT(client.Do(WithTimeout(Context(), absl::Milliseconds(10)), Pod()).status(),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         "get pods \"web-0\" in \"prod\": client rate limiter Wait returned an "
                         "error: rate: Wait(n=1) would exceed context deadline"));
  });
  EXPECT_EQ(took, absl::Seconds(2));
}

// ---- What others see

class CollectingWarnings final : public WarningHandler {
 public:
  void HandleWarning(const Context&, const Warning& warning) override {
    texts.push_back(warning.text);
  }
  std::vector<std::string> texts;
};

// behaviour.md: REST-17
TEST(ClientTest, HandsWarningsOn) {
  auto transport = std::make_shared<ScriptedTransport>();
  const http::Headers headers = {{"warning", "299 - \"one\", 299 - \"two\""},
                                 {"warning", "malformed"},
                                 {"warning", "299 - \"three\""}};
  transport->Expect({}, {.headers = headers});
  transport->Expect({}, {.status = 404, .headers = headers});
  auto warnings = std::make_shared<CollectingWarnings>();
  const Client client = MakeScriptedClient(transport, {.warning_handler = warnings});
  EXPECT_THAT(client.Do(Context(), Pod()), IsOk());
  EXPECT_THAT(warnings->texts, ElementsAre("one", "two", "three"));
  EXPECT_FALSE(client.Do(Context(), Pod()).ok());
  EXPECT_EQ(warnings->texts.size(), 6);
}

// behaviour.md: REST-24
TEST(ClientTest, Counts) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, Busy(503, "0"));
  transport->Expect({}, {.error = Lost()});
  transport->Expect({}, {.body = std::string(100, 'x')});
  auto metrics = std::make_shared<base::PrometheusRegistry>();
  InSimulation([&transport, &metrics] {
    const Client client = MakeScriptedClient(
        transport, {.host = "http://localhost:8080", .qps = 100, .burst = 1, .metrics = metrics});
    EXPECT_THAT(client.Do(Context(), Pod()), IsOk());
  });
  const std::string text = metrics->Render();
  for (const absl::string_view line : {
           "rest_client_requests_total{code=\"503\",method=\"GET\",host=\"localhost:8080\"} 1",
           "rest_client_requests_total{code=\"<error>\",method=\"GET\",host=\"localhost:8080\"} 1",
           "rest_client_requests_total{code=\"200\",method=\"GET\",host=\"localhost:8080\"} 1",
           "rest_client_request_retries_total{code=\"200\",verb=\"GET\",host=\"localhost:8080\"} 1",
           "rest_client_request_duration_seconds_count{verb=\"GET\",host=\"localhost:8080\"} 1",
           "rest_client_rate_limiter_duration_seconds_count{verb=\"GET\",host=\"localhost:8080\"} "
           "3",
           "rest_client_request_size_bytes_count{verb=\"GET\",host=\"localhost:8080\"} 3",
           "rest_client_response_size_bytes_sum{verb=\"GET\",host=\"localhost:8080\"} 100",
           "rest_client_response_size_bytes_bucket{verb=\"GET\",host=\"localhost:8080\",le=\"64\"} "
           "0",
           "rest_client_response_size_bytes_bucket{verb=\"GET\",host=\"localhost:8080\",le=\"256\"}"
           " 1",
       }) {
    EXPECT_THAT(text, HasSubstr(std::string(line)));
  }
}

class RecordingTracer final : public Tracer {
 public:
  std::unique_ptr<Span> StartSpan(absl::string_view name) override {
    events.push_back(absl::StrCat("start ", name));
    return std::make_unique<RecordingSpan>(*this);
  }
  std::vector<std::string> events;

 private:
  class RecordingSpan final : public Span {
   public:
    explicit RecordingSpan(RecordingTracer& tracer) : tracer_(tracer) {}
    ~RecordingSpan() override { tracer_.events.push_back("end"); }
    void SetAttribute(absl::string_view name, absl::string_view value) override {
      tracer_.events.push_back(absl::StrCat(name, "=", value));
    }
    void SetAttribute(absl::string_view name, int64_t value) override {
      tracer_.events.push_back(absl::StrCat(name, "=", value));
    }
    void AddEvent(absl::string_view name) override {
      tracer_.events.push_back(absl::StrCat("event ", name));
    }
    void Inject(http::Headers& headers) override { headers.Set("traceparent", "00-1-2-01"); }
    void SetStatus(const absl::Status& status) override {
      tracer_.events.push_back(absl::StrCat("status ", status.ok() ? "OK" : "error"));
    }

   private:
    RecordingTracer& tracer_;
  };
};

TEST(ClientTest, TracesARequestWithAllItsTries) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, Busy(503, "0"));
  transport->Expect({});
  auto tracer = std::make_shared<RecordingTracer>();
  EXPECT_THAT(MakeScriptedClient(transport, {.tracer = tracer}).Do(Context(), Pod()), IsOk());
  EXPECT_THAT(tracer->events, ElementsAre("start GET /api/v1/namespaces/{namespace}/pods/{name}",
                                          "http.request.method=GET", "server.address=localhost",
                                          "http.response.status_code=503", "event retry",
                                          "http.request.resend_count=1",
                                          "http.response.status_code=200", "status OK", "end"));
  ASSERT_EQ(transport->requests().size(), 2);
  for (const RecordedRequest& request : transport->requests()) {
    EXPECT_EQ(request.Header("traceparent"), "00-1-2-01");
  }
}

TEST(ClientTest, TracesAStreamToItsEnd) {
  auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<ScriptedStream> body = transport->ExpectStream({});
  body->Write("x");
  body->End(Lost());
  auto tracer = std::make_shared<RecordingTracer>();
  absl::StatusOr<StreamedResult> stream =
      MakeScriptedClient(transport, {.tracer = tracer}).Stream(Context(), Pod());
  ASSERT_THAT(stream, IsOk());
  EXPECT_THAT(stream->body->Read(Context()), IsOk());
  EXPECT_EQ(tracer->events.back(), "http.response.status_code=200");
  EXPECT_FALSE(stream->body->Read(Context()).ok());
  EXPECT_EQ(tracer->events.back(), "end");
  EXPECT_EQ(tracer->events[tracer->events.size() - 2], "status error");
}

TEST(ClientTest, WrapsItsTransport) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({});
  class Stamp final : public httpclient::Transport {
   public:
    Stamp(std::shared_ptr<httpclient::Transport> next, std::string text)
        : next_(std::move(next)), text_(std::move(text)) {}
    absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                       httpclient::HttpRequest request) override {
      request.headers.Add("x-stamp", text_);
      return next_->RoundTrip(ctx, std::move(request));
    }
    void CloseIdleConnections() override { next_->CloseIdleConnections(); }

   private:
    const std::shared_ptr<httpclient::Transport> next_;
    const std::string text_;
  };
  Config config;
  for (const char* text : {"inner", "outer"}) {
    Wrap(config, [text](std::shared_ptr<httpclient::Transport> next) {
      return std::make_shared<Stamp>(std::move(next), text);
    });
  }
  const Client client = MakeScriptedClient(transport, config);
  EXPECT_THAT(client.Do(Context(), Pod()), IsOk());
  EXPECT_THAT(transport->requests()[0].headers.GetAll("x-stamp"), ElementsAre("outer", "inner"));
  client.transport()->CloseIdleConnections();
  EXPECT_EQ(transport->idle_closes(), 1);
}

}  // namespace
}  // namespace kube::rest
