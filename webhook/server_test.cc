// The answers of a webhook server, without sockets. server_sockets_test.cc has the rest.

#include "webhook/server.h"

#include <cstdint>
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
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/in_process_exchange.h"
#include "webhook/admission.h"
#include "webhook/admission_types.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"
#include "webhook/server_options.h"
#include "webhook/testing/dog_conversions.h"
#include "webhook/testing/dogs.client.kube.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::webhook {
namespace {

namespace field = validation::field;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::dogs::Dog;
using tests::dogs::OldDog;
using tests::dogs::OldestDog;
using unstructured::Value;

Value Json(absl::string_view text) {
  absl::StatusOr<Value> value = unstructured::ParseJson(text);
  EXPECT_THAT(value, IsOk()) << text;
  return value.ok() ? *std::move(value) : Value();
}

// Returns a review of the creation of a Dog of version v2.
std::string Review(int size) {
  return absl::StrCat(
      R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1",)",
      R"("kind":{"group":"example.com","version":"v2","kind":"Dog"},)",
      R"("resource":{"group":"example.com","version":"v2","resource":"dogs"},)",
      R"("name":"rex","namespace":"default","operation":"CREATE","userInfo":{"username":"ann"},)",
      R"("object":{"apiVersion":"example.com/v2","kind":"Dog","metadata":{"name":"rex",)",
      R"("namespace":"default"},"spec":{"body":{"size":)", size, "}}}}}");
}

std::string ConversionReview() {
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":)"
         R"({"uid":"u2","desiredAPIVersion":"example.com/v2","objects":[{"apiVersion":)"
         R"("example.com/v1","kind":"Dog","metadata":{"name":"rex"},"spec":{"size":3}}]}})";
}

httpserver::Request Post(absl::string_view target, std::string body) {
  httpserver::Request request;
  request.method = "POST";
  request.target = std::string(target);
  request.headers.Set("content-type", "application/json");
  request.body = std::move(body);
  return request;
}

absl::Status SetOwner(const AdmissionRequest<Dog>& request, Dog& dog) {
  if (dog.spec.owner.empty()) dog.spec.owner = request.user.username;
  return absl::OkStatus();
}

field::ErrorList CheckSize(const AdmissionRequest<Dog>& request) {
  const int64_t size = request.object->spec.body.size;
  if (size <= 100) return {};
  return {
      field::Invalid(field::Path("spec").Child("body").Child("size"), size, "must be at most 100")};
}

// A server with a webhook of each sort.
class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    server_.Defaults<Dog>(SetOwner);
    server_.Validates<Dog>(CheckSize);
    server_.Converts<Dog, OldDog>(FromOldDog, ToOldDog);
    server_.Converts<Dog, OldestDog>(FromOldestDog, ToOldestDog);
  }

  httpserver::Response Send(absl::string_view target, std::string body) {
    return server_.Answer(Context(), Post(target, std::move(body)));
  }

  const log::LogCapture quiet_;
  const std::shared_ptr<base::PrometheusRegistry> registry_ =
      std::make_shared<base::PrometheusRegistry>();
  Server server_{ServerOptions{.listen = false, .metrics = registry_}};
};

// behaviour.md: WH-38
TEST_F(ServerTest, Registrations_HaveTheDefaultPathsAndNames) {
  const std::vector<Registration> all = server_.registrations();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].kind, WebhookKind::kMutating);
  EXPECT_EQ(all[0].path, "/mutate-example-com-v2-dog");
  EXPECT_EQ(all[0].options.name, "mdog-v2.kb.io");
  EXPECT_EQ(all[0].gvr.resource, "dogs");
  EXPECT_TRUE(all[0].namespaced);
  EXPECT_EQ(all[1].kind, WebhookKind::kValidating);
  EXPECT_EQ(all[1].path, "/validate-example-com-v2-dog");
  EXPECT_EQ(all[1].options.name, "vdog-v2.kb.io");
  EXPECT_EQ(all[2].kind, WebhookKind::kConversion);
  EXPECT_EQ(all[2].path, "/convert");
  EXPECT_EQ(all[2].gvk.version, "v2");
  EXPECT_THAT(all[2].versions, ElementsAre("v2", "v1", "v1alpha1"));
  EXPECT_TRUE(server_.has_webhooks());
  EXPECT_THAT(server_.CheckRegistrations(), IsOk());
  EXPECT_FALSE(Server().has_webhooks());
}

TEST_F(ServerTest, EachSortIsAnswered) {
  const httpserver::Response mutated = Send("/mutate-example-com-v2-dog", Review(3));
  EXPECT_EQ(mutated.status, 200);
  EXPECT_EQ(mutated.headers.Get("content-type"), "application/json");
  EXPECT_EQ(Json(mutated.body)["response"]["allowed"].boolean(), true);
  EXPECT_EQ(Json(mutated.body)["response"]["patchType"].text(), "JSONPatch");

  const Value refused = Json(Send("/validate-example-com-v2-dog", Review(101)).body);
  EXPECT_EQ(refused["response"]["allowed"].boolean(), false);
  EXPECT_EQ(refused["response"]["status"]["code"].integer(), 422);

  const Value converted = Json(Send("/convert", ConversionReview()).body);
  EXPECT_EQ(converted["response"]["result"]["status"].text(), "Success");
}

// behaviour.md: WH-8, WH-50
TEST_F(ServerTest, OtherRequests) {
  const struct {
    const char* name;
    const char* target;
    std::string body;
    int code;
  } kRows[] = {
      {"unknown path", "/", Review(1), 404},
      {"below a path", "/convert/x", ConversionReview(), 404},
      {"a query", "/validate-example-com-v2-dog?timeout=5s", Review(1), 200},
      {"a query that is no duration", "/validate-example-com-v2-dog?timeout=x", Review(1), 200},
      {"two slashes, as of test environments", "//validate-example-com-v2-dog", Review(1), 200},
      {"no conversion review", "/convert", "{}", 400},
      {"no admission review", "/validate-example-com-v2-dog", "{", 200},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Send(row.target, row.body).status, row.code);
  }
  EXPECT_THAT(Send("/convert", "{}").body, IsEmpty());
}

// behaviour.md: WH-36
TEST_F(ServerTest, TheContextEndsWithTheTimeoutOfTheRequest) {
  const struct {
    const char* query;
    absl::Duration left;
  } kRows[] = {{"?timeout=5s", absl::Seconds(5)},
               {"?timeout=2m0s", absl::Seconds(30)},
               {"", absl::InfiniteDuration()},
               {"?timeout=-1s", absl::InfiniteDuration()}};
  absl::Duration left;
  server_.Handle("/time", [&left](const Context& ctx, const RawAdmissionRequest&) {
    left = ctx.TimeLeft();
    return Allowed();
  });
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.query);
    EXPECT_EQ(Send(absl::StrCat("/time", row.query), Review(1)).status, 200);
    EXPECT_LE(left, row.left);
    EXPECT_GE(left, row.left - absl::Seconds(4));
  }
  EXPECT_EQ(server_.registrations().size(), 3u) << "of a bare path nothing is known";
}

TEST_F(ServerTest, NotReady_AdmissionIs503_ConversionIsAnswered) {
  absl::Status ready = absl::UnavailableError("informer dogs: not synced");
  int calls = 0;
  server_.SetReadiness([&ready, &calls] {
    ++calls;
    return ready;
  });
  const httpserver::Response early = Send("/validate-example-com-v2-dog", Review(1));
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(early.headers.Get("retry-after"), "1");
  EXPECT_THAT(early.body, HasSubstr("informer dogs: not synced"));
  EXPECT_EQ(Send("/convert", ConversionReview()).status, 200);
  ready = absl::OkStatus();
  EXPECT_EQ(Send("/validate-example-com-v2-dog", Review(1)).status, 200);
  // A watch that is added later does not take the webhooks away.
  ready = absl::UnavailableError("informer cats: not synced");
  EXPECT_EQ(Send("/validate-example-com-v2-dog", Review(1)).status, 200);
  EXPECT_EQ(calls, 2);
}

TEST_F(ServerTest, NotReady_TheLogSaysWhy_ButNotForEachRequest) {
  server_.SetReadiness([] { return absl::UnavailableError("informer dogs: not synced"); });
  const log::LogCapture capture;
  for (int i = 0; i < 3; ++i) Send("/validate-example-com-v2-dog", Review(1));
  EXPECT_THAT(capture.Lines(), ElementsAre(AllOf(HasSubstr("webhooks are not ready"),
                                                 HasSubstr("path=\"/validate-example-com-v2-dog\""),
                                                 HasSubstr("informer dogs: not synced"))));
}

TEST_F(ServerTest, Handle_CompletesTheName) {
  Registration registration;
  registration.kind = WebhookKind::kMutating;
  registration.path = "/cats";
  registration.gvk = {.group = "example.com", .version = "v1", .kind = "Cat"};
  server_.Handle(registration,
                 [](const Context&, const RawAdmissionRequest&) { return Allowed(); });
  EXPECT_EQ(server_.registrations().back().options.name, "mcat-v1.kb.io");
}

// behaviour.md: WH-5
TEST_F(ServerTest, Metrics_OfEachPath) {
  Send("/convert", ConversionReview());
  Send("/convert", "{}");
  const std::string text = registry_->Render();
  for (const char* line : {
           R"(controller_runtime_webhook_requests_total{webhook="/convert",code="200"} 1)",
           R"(controller_runtime_webhook_requests_total{webhook="/convert",code="400"} 1)",
           R"(controller_runtime_webhook_requests_total{webhook="/convert",code="500"} 0)",
           R"(controller_runtime_webhook_requests_in_flight{webhook="/convert"} 0)",
           R"(controller_runtime_webhook_latency_seconds_count{webhook="/convert"} 2)",
           R"(controller_runtime_webhook_latency_seconds_bucket{webhook="/convert",le="1e-08"})",
           R"(requests_total{webhook="/mutate-example-com-v2-dog",code="200"} 0)",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

// behaviour.md: WH-5, WH-39
TEST_F(ServerTest, RegistrationsThatAreBugs_EndRunAtOnce) {
  const auto allow = [](const Context&, const RawAdmissionRequest&) { return Allowed(); };
  const struct {
    const char* name;
    std::function<void(Server&)> add;
    const char* message;
  } kRows[] = {
      {"a path twice",
       [&allow](Server& server) {
         server.Handle("/a", allow);
         server.Handle("/a", allow);
       },
       "register webhook \"/a\": can't register duplicate path: /a"},
      {"two validators of a kind",
       [](Server& server) {
         server.Validates<Dog>(CheckSize);
         server.Admits<Dog>([](const AdmissionRequest<Dog>&) { return absl::OkStatus(); });
       },
       "can't register duplicate path: /validate-example-com-v2-dog"},
      {"a kind of two webhooks, at two paths",
       [](Server& server) {
         server.Validates<Dog>(CheckSize);
         server.Admits<Dog>([](const AdmissionRequest<Dog>&) { return absl::OkStatus(); },
                            {.path = "/admit-dog"});
       },
       "webhook \"/validate-example-com-v2-dog\" has the name \"vdog-v2.kb.io\", too"},
      {"kinds of one name in two groups",
       [&allow](Server& server) {
         for (const char* group : {"a.example.com", "b.example.com"}) {
           Registration registration;
           registration.path = absl::StrCat("/", group[0] == 'a' ? "a" : "b");
           registration.gvk = {.group = group, .version = "v1", .kind = "Dog"};
           server.Handle(registration, allow);
         }
       },
       "webhook \"/a\" has the name \"vdog-v1.kb.io\", too"},
      {"an invalid path", [&allow](Server& server) { server.Handle("/a b", allow); },
       "customPath \"/a b\" does not match this regex: ^((/[a-zA-Z0-9-_]+)+|/)$"},
      {"no path", [&allow](Server& server) { server.Handle("", allow); }, "customPath"},
      {"no function", [](Server& server) { server.Handle("/a", nullptr); }, "function is null"},
      {"no typed function", [](Server& server) { server.Defaults<Dog>(nullptr); },
       "function is null"},
      {"a long timeout",
       [](Server& server) { server.Validates<Dog>(CheckSize, {.timeout = absl::Seconds(31)}); },
       "timeout 31s"},
      {"no operations",
       [](Server& server) { server.Validates<Dog>(CheckSize, {.operations = {}}); },
       "no operations"},
      {"a conversion twice",
       [](Server& server) {
         server.Converts<Dog, OldDog>(FromOldDog, ToOldDog);
         server.Converts<Dog, OldDog>(FromOldDog, ToOldDog);
       },
       "duplicate spoke converter"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Server server(ServerOptions{.listen = false});
    row.add(server);
    EXPECT_FALSE(server.CheckRegistrations().ok());
    EXPECT_THAT(server.Run(WithTimeout(Context(), absl::Seconds(30))).message(),
                HasSubstr(row.message));
  }
}

// behaviour.md: WH-6
TEST_F(ServerTest, ARegistrationWhileItRuns_IsServed) {
  EXPECT_EQ(Send("/late", Review(1)).status, 404);
  server_.Handle("/late", [](const Context&, const RawAdmissionRequest&) { return Allowed(); });
  EXPECT_EQ(Send("/late", Review(1)).status, 200);
}

TEST_F(ServerTest, OptionsThatDoNotFit_AreInvalid) {
  const struct {
    const char* name;
    ServerOptions options;
    const char* message;
  } kRows[] = {
      {"threads", {.threads = 0}, "threads"},
      {"interval", {.certificate_interval = absl::ZeroDuration()}, "certificate_interval"},
      {"a client CA without files",
       {.client_ca_name = "ca.crt", .self_signed = SelfSignedOptions{}},
       "client_ca_name"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(Server(row.options).Run(Context()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)));
  }
}

// behaviour.md: CR-4, WH-1
TEST_F(ServerTest, NotListening_IsStartedAndEndsWithItsContext) {
  EXPECT_EQ(ServerOptions().port, 9443);
  EXPECT_THAT(server_.CheckStarted(), IsOk());
  EXPECT_THAT(server_.CaCertificate(), StatusIs(absl::StatusCode::kFailedPrecondition));
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(server_.Run(scope.context()), IsOk());
  EXPECT_THAT(server_.WaitUntilStarted(Context()), IsOk());
  EXPECT_THAT(server_.Run(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
}

// behaviour.md: WH-35
TEST(ServerHandlerTest, AnswersInTheProcess_AlsoInASimulation) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const auto body = [] {
    Server server(ServerOptions{.listen = false});
    server.Validates<Dog>(CheckSize);
    httpserver::InProcessExchange exchange(Post("/validate-example-com-v2-dog", Review(101)),
                                           /*max_buffered_bytes=*/1 << 20);
    server.handler().Handle(exchange.ForHandler());
    const auto head = exchange.WaitForHead(Context(), base::MonotonicTime::Infinite());
    ASSERT_THAT(head, IsOk());
    EXPECT_EQ(head->status, 200);
    const absl::StatusOr<std::string> answer = exchange.Read(Context());
    ASSERT_THAT(answer, IsOk());
    EXPECT_THAT(*answer, AllOf(HasSubstr(R"("uid":"u1")"), HasSubstr("must be at most 100")));
  };
  ASSERT_THAT(sim.Run(body), IsOk());
}

}  // namespace
}  // namespace kube::webhook
