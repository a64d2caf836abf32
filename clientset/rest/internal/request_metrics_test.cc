#include "clientset/rest/internal/request_metrics.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using testing::HasSubstr;

// behaviour.md: REST-24
TEST(RequestMetricsTest, HaveTheNamesThatDashboardsKnow) {
  base::PrometheusRegistry registry;
  const absl::StatusOr<RequestMetrics> metrics = RequestMetrics::Make(registry, "h:1");
  ASSERT_THAT(metrics, base::IsOk());
  metrics->AddTry("GET", 0, false);
  metrics->AddTry("GET", 200, true);
  metrics->ObserveDuration("GET", absl::Milliseconds(20));
  metrics->ObserveRateLimiter("GET", absl::Seconds(61));
  metrics->ObserveRequestSize("GET", 512);
  metrics->ObserveResponseSize("GET", 513);

  const std::string text = registry.Render();
  for (const char* line : {
           R"(rest_client_requests_total{code="<error>",method="GET",host="h:1"} 1)",
           R"(rest_client_requests_total{code="200",method="GET",host="h:1"} 1)",
           R"(rest_client_request_retries_total{code="200",verb="GET",host="h:1"} 1)",
           R"(rest_client_request_duration_seconds_bucket{verb="GET",host="h:1",le="0.005"} 0)",
           R"(rest_client_request_duration_seconds_bucket{verb="GET",host="h:1",le="0.025"} 1)",
           R"(rest_client_rate_limiter_duration_seconds_bucket{verb="GET",host="h:1",le="60"} 0)",
           R"(rest_client_request_size_bytes_bucket{verb="GET",host="h:1",le="512"} 1)",
           R"(rest_client_response_size_bytes_bucket{verb="GET",host="h:1",le="512"} 0)",
           R"(rest_client_response_size_bytes_bucket{verb="GET",host="h:1",le="1024"} 1)",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  // Several clients share them.
  EXPECT_THAT(RequestMetrics::Make(registry, "other").status(), base::IsOk());
}

}  // namespace
}  // namespace kube::rest::internal
