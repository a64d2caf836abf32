// The endpoints of a manager, over real sockets and with the real clock.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/rest/config.h"
#include "clientset/rest/rate_limiter.h"
#include "controller/health/health_server.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/status_page.h"
#include "controller/manager/testing/fake_controller.h"
#include "controller/metrics/metrics_server.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"

namespace kube::controller {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

ManagerOptions Options() {
  return {.name = "operator",
          .health = kube::health::HealthServerOptions{.address = "127.0.0.1", .port = 0},
          .metrics = kube::metrics::MetricsOptions{.address = "127.0.0.1", .port = 0}};
}

class CountingLimiter final : public rest::RateLimiter {
 public:
  absl::Status Wait(const Context&) override {
    ++requests;
    return absl::OkStatus();
  }
  bool TryAccept() override {
    ++requests;
    return true;
  }
  double qps() const override { return 1; }

  std::atomic<int> requests = 0;
};

class ManagerEndpointsTest : public testing::Test {
 protected:
  // Waits until `condition` holds.
  static void Await(const std::function<bool()>& condition) {
    EXPECT_THAT(base::PollUntil(
                    Soon(), absl::Milliseconds(5), base::FirstPoll::kAtOnce,
                    [&condition](const Context&) -> absl::StatusOr<bool> { return condition(); }),
                IsOk());
  }

  // Returns the response as "200 BODY".
  std::string Get(const std::string& url) {
    const absl::StatusOr<std::string> answer = Send(url);
    EXPECT_THAT(answer, IsOk());
    return answer.value_or("");
  }
  absl::StatusOr<std::string> Send(const std::string& url) {
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          transport_->RoundTrip(Soon(), {.url = url}));
    std::string answer = absl::StrCat(response.status, " ");
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Soon()));
      if (piece.empty()) return answer;
      answer += piece;
    }
  }

  const log::LogCapture quiet_;
  const std::shared_ptr<httpclient::HttpTransport> transport_ = *httpclient::MakeHttpTransport({});
  apiserver::ApiHandler server_;
  Journal journal_;
};

// behaviour.md: MGR-6, MGR-45
TEST_F(ManagerEndpointsTest, ReadinessMetricsAndStatus_WhileItRuns) {
  FakeController slow(journal_, {.name = "slow", .sync_takes = absl::Hours(1)});
  const auto manager = Manager::Make(envtest::InProcessConfig(server_), Options());
  ASSERT_THAT(manager, IsOk());
  Manager& running = **manager;
  EXPECT_EQ(running.health_url(), "");
  EXPECT_THAT(running.Register(slow), IsOk());
  base::Thread runs;
  ASSERT_THAT(runs.Start(Context(), "manager",
                         [&running](const Context& ctx) { EXPECT_THAT(running.Run(ctx), IsOk()); }),
              IsOk());
  Await([&running] { return !running.health_url().empty() && !running.metrics_url().empty(); });
  Await([this] { return journal_.Has("slow watches"); });
  EXPECT_THAT(Get(absl::StrCat(running.health_url(), "/readyz/informers")),
              AllOf(HasSubstr("500"), HasSubstr("controller \"slow\" waits for its watches")));
  EXPECT_THAT(Get(absl::StrCat(running.health_url(), "/healthz")), HasSubstr("200 ok"));
  EXPECT_THAT(Get(absl::StrCat(running.metrics_url(), "/debug/status.json")),
              AllOf(HasSubstr("200 {"), HasSubstr("\"slow\"")));
  EXPECT_THAT(Get(absl::StrCat(running.metrics_url(), "/debug/status")), HasSubstr("slow"));
  EXPECT_THAT(Get(absl::StrCat(running.metrics_url(), "/metrics")), HasSubstr("200 "));

  running.Unregister(slow);
  EXPECT_THAT(Get(absl::StrCat(running.health_url(), "/readyz")), HasSubstr("200 ok"));

  // A controller that comes later.
  FakeController late(journal_, {.name = "late", .sync_takes = absl::Hours(1)});
  EXPECT_THAT(running.Register(late), IsOk());
  Await([this] { return journal_.Has("late watches"); });
  EXPECT_THAT(Get(absl::StrCat(running.health_url(), "/readyz/informers")), HasSubstr("200 "));
  EXPECT_THAT(Get(absl::StrCat(running.metrics_url(), "/debug/status.json")),
              HasSubstr("\"waitsFor\":\"its watches\""));
  running.Unregister(late);
  FakeController bad(journal_, {.name = "bad", .sync_error = absl::PermissionDeniedError("no")});
  EXPECT_THAT(running.Register(bad), IsOk());
  Await([this, &running] {
    return absl::StrContains(Get(absl::StrCat(running.health_url(), "/readyz/informers")),
                             "start controller \"bad\": no");
  });
  running.Unregister(bad);
  runs.RequestStop();
  runs.Join();
  EXPECT_EQ(running.health_url(), "");
  EXPECT_EQ(running.metrics_url(), "");
}

TEST_F(ManagerEndpointsTest, WithElection_TheWatchDogIsChecked) {
  ManagerOptions options = Options();
  options.leader_election = LeaseOptions{.lease = {.namespace_name = "default"}};
  const auto manager = Manager::Make(envtest::InProcessConfig(server_), std::move(options));
  ASSERT_THAT(manager, IsOk());
  Manager& running = **manager;
  base::Thread runs;
  ASSERT_THAT(runs.Start(Context(), "manager",
                         [&running](const Context& ctx) { EXPECT_THAT(running.Run(ctx), IsOk()); }),
              IsOk());
  Await([&running] { return running.status().leader.leads; });
  EXPECT_GE(running.status().leader.renewals, 1);
  EXPECT_NE(running.status().leader.last_renewal, absl::InfinitePast());
  EXPECT_THAT(Get(absl::StrCat(running.health_url(), "/healthz/leaderElection")),
              HasSubstr("200 "));
  EXPECT_THAT(Get(absl::StrCat(running.health_url(), "/livez/leaderElection")), HasSubstr("200 "));
  runs.RequestStop();
  runs.Join();
}

TEST_F(ManagerEndpointsTest, StatusPages_LoadNothingAndHaveNoCredentials) {
  ManagerOptions options = Options();
  options.leader_election = LeaseOptions{.lease = {.namespace_name = "default"}};
  const rest::Config config = envtest::InProcessConfig(server_);
  const std::string token(config.bearer_token.Reveal());
  ASSERT_FALSE(token.empty());
  const auto manager = Manager::Make(config, std::move(options));
  ASSERT_THAT(manager, IsOk());
  Manager& running = **manager;
  base::Thread runs;
  ASSERT_THAT(runs.Start(Context(), "manager",
                         [&running](const Context& ctx) { EXPECT_THAT(running.Run(ctx), IsOk()); }),
              IsOk());
  Await([&running] { return running.status().leader.leads && !running.metrics_url().empty(); });
  for (const char* path : {"/debug/status", "/debug/status.json"}) {
    SCOPED_TRACE(path);
    const std::string url = absl::StrCat(running.metrics_url(), path);
    const absl::StatusOr<httpclient::HttpResponse> response =
        transport_->RoundTrip(Soon(), {.url = url});
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(std::string(response->headers.Get("content-security-policy").value_or("")),
              std::string(kStatusPagePolicy));
    EXPECT_EQ(std::string(response->headers.Get("cache-control").value_or("")), "no-store");
    EXPECT_EQ(std::string(response->headers.Get("x-content-type-options").value_or("")), "nosniff");
    const std::string body = Get(url);
    EXPECT_THAT(body, HasSubstr("leases.coordination.k8s.io")) << "requests were counted";
    EXPECT_THAT(body, Not(HasSubstr(token)));
  }
  runs.RequestStop();
  runs.Join();
}

// Strangers can ask as often as they like, but not at the expense of the controllers.
TEST_F(ManagerEndpointsTest, TokenReviews_DoNotUseTheRateLimitOfTheControllers) {
  const auto limiter = std::make_shared<CountingLimiter>();
  rest::Config config = envtest::InProcessConfig(server_);
  config.rate_limiter = limiter;
  ManagerOptions options = Options();
  options.metrics->secure = true;
  options.metrics->access = kube::metrics::MetricsAccess::kTokenReview;
  const auto manager = Manager::Make(config, std::move(options));
  ASSERT_THAT(manager, IsOk());
  Manager& running = **manager;
  base::Thread runs;
  ASSERT_THAT(runs.Start(Context(), "manager",
                         [&running](const Context& ctx) { EXPECT_THAT(running.Run(ctx), IsOk()); }),
              IsOk());
  Await([&running] { return !running.metrics_url().empty(); });
  httpclient::HttpRequest request = {.url = absl::StrCat(running.metrics_url(), "/metrics")};
  request.headers.Set("authorization", "Bearer unknown");
  request.connection = std::make_shared<const httpclient::ConnectionOptions>(
      httpclient::ConnectionOptions{.insecure_skip_tls_verify = true});
  const absl::StatusOr<httpclient::HttpResponse> response =
      transport_->RoundTrip(Soon(), std::move(request));
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 500);
  EXPECT_FALSE(server_.Requests().empty()) << "the server was asked";
  EXPECT_EQ(limiter->requests.load(), 0);
  runs.RequestStop();
  runs.Join();
}

// behaviour.md: MGR-3, MGR-8
TEST_F(ManagerEndpointsTest, Run_APortIsTaken_FailsAtOnce) {
  const auto other = kube::health::HealthServer::Start({.address = "127.0.0.1", .port = 0});
  ASSERT_THAT(other, IsOk());
  const struct {
    const char* name;
    bool health;
    const char* message;
  } kRows[] = {{"health", true, "start servers: health endpoints: "},
               {"metrics", false, "run \"metrics endpoint\": metrics endpoint: "}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    ManagerOptions options = Options();
    if (row.health) {
      options.health->port = (*other)->port();
    } else {
      options.metrics->port = (*other)->port();
    }
    const auto manager = Manager::Make(envtest::InProcessConfig(server_), std::move(options));
    ASSERT_THAT(manager, IsOk());
    EXPECT_THAT((*manager)->Run(Soon()),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(row.message)));
  }
}

}  // namespace
}  // namespace kube::controller
