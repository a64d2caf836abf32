#include "controller/manager/flags.h"

#include <cstdint>
#include <string>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/health/health_server.h"
#include "controller/manager/manager_options.h"
#include "controller/metrics/metrics_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/self_signed.h"

ABSL_DECLARE_FLAG(std::string, metrics_bind_address);
ABSL_DECLARE_FLAG(bool, metrics_secure);
ABSL_DECLARE_FLAG(std::string, metrics_cert_path);
ABSL_DECLARE_FLAG(std::string, health_probe_bind_address);
ABSL_DECLARE_FLAG(bool, enable_http2);
ABSL_DECLARE_FLAG(std::string, webhook_cert_path);
ABSL_DECLARE_FLAG(std::string, webhook_cert_name);
ABSL_DECLARE_FLAG(std::string, webhook_cert_key);
ABSL_DECLARE_FLAG(std::string, zap_log_level);
ABSL_DECLARE_FLAG(bool, leader_elect);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_lease_duration);
ABSL_DECLARE_FLAG(std::string, leader_elect_resource_namespace);

namespace kube::controller {
namespace {

using base::IsOk;
using base::StatusIs;
using kube::metrics::MetricsAccess;
using testing::HasSubstr;

class ManagerFlagsTest : public testing::Test {
 protected:
  ~ManagerFlagsTest() override { log::SetVerbosity(0); }

  const absl::FlagSaver saver_;
};

TEST_F(ManagerFlagsTest, NoFlags_AreKubebuildersDefaults) {
  ManagerOptions options = {.name = "a"};
  options.metrics = kube::metrics::MetricsOptions{.port = 9000};
  const absl::StatusOr<ManagerOptions> result = OptionsFromFlags(options);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->name, "a");
  EXPECT_EQ(result->health->port, 8081);
  EXPECT_FALSE(result->metrics.has_value());  // as in kubebuilder's programs
  EXPECT_FALSE(result->leader_election.has_value());
}

// behaviour.md: MGR-3
TEST_F(ManagerFlagsTest, BindAddresses) {
  const struct {
    const char* text;
    const char* host;
    uint16_t port;
  } kRows[] = {
      {":8443", "0.0.0.0", 8443},
      {"127.0.0.1:0", "127.0.0.1", 0},
      {"[::1]:80", "::1", 80},
      {"0.0.0.0:65535", "0.0.0.0", 65535},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.text);
    absl::SetFlag(&FLAGS_metrics_bind_address, row.text);
    absl::SetFlag(&FLAGS_health_probe_bind_address, row.text);
    const absl::StatusOr<ManagerOptions> result = OptionsFromFlags({.name = "a"});
    ASSERT_THAT(result, IsOk());
    EXPECT_EQ(result->metrics->address, row.host);
    EXPECT_EQ(result->metrics->port, row.port);
    EXPECT_EQ(result->health->address, row.host);
    EXPECT_EQ(result->health->port, row.port);
    EXPECT_FALSE(result->metrics->http2);
    EXPECT_FALSE(result->health->http2);
  }
}

// behaviour.md: MGR-3
TEST_F(ManagerFlagsTest, Zero_TurnsEndpointsOff) {
  absl::SetFlag(&FLAGS_metrics_bind_address, "0");
  absl::SetFlag(&FLAGS_health_probe_bind_address, "0");
  ManagerOptions options = {.name = "a"};
  options.metrics = kube::metrics::MetricsOptions{};
  const absl::StatusOr<ManagerOptions> result = OptionsFromFlags(options);
  ASSERT_THAT(result, IsOk());
  EXPECT_FALSE(result->metrics.has_value());
  EXPECT_FALSE(result->health.has_value());
}

TEST_F(ManagerFlagsTest, MetricsAreSecureUnlessAFlagSaysNo) {
  absl::SetFlag(&FLAGS_metrics_bind_address, ":8443");
  absl::SetFlag(&FLAGS_metrics_cert_path, "/certificates");
  absl::SetFlag(&FLAGS_enable_http2, true);
  absl::StatusOr<ManagerOptions> result = OptionsFromFlags({.name = "a"});
  ASSERT_THAT(result, IsOk());
  EXPECT_TRUE(result->metrics->secure);
  EXPECT_EQ(result->metrics->access, MetricsAccess::kTokenReview);
  EXPECT_EQ(result->metrics->certificate_folder, "/certificates");
  EXPECT_EQ(result->metrics->certificate_name, "tls.crt");
  EXPECT_TRUE(result->metrics->http2);
  absl::SetFlag(&FLAGS_metrics_secure, false);
  result = OptionsFromFlags({.name = "a"});
  ASSERT_THAT(result, IsOk());
  EXPECT_FALSE(result->metrics->secure);
  EXPECT_EQ(result->metrics->access, MetricsAccess::kAnybody);
}

TEST_F(ManagerFlagsTest, WebhookCertificates) {
  ManagerOptions options = {.name = "a"};
  options.webhooks.certificate_folder = "/by/program";
  options.webhooks.self_signed = webhook::SelfSignedOptions{};
  absl::StatusOr<ManagerOptions> result = OptionsFromFlags(options);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->webhooks.certificate_folder, "/by/program");
  EXPECT_TRUE(result->webhooks.self_signed.has_value());
  EXPECT_FALSE(result->webhooks.http2);
  absl::SetFlag(&FLAGS_webhook_cert_path, "/by/flag");
  absl::SetFlag(&FLAGS_webhook_cert_name, "a.crt");
  absl::SetFlag(&FLAGS_webhook_cert_key, "a.key");
  absl::SetFlag(&FLAGS_enable_http2, true);
  result = OptionsFromFlags(options);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->webhooks.certificate_folder, "/by/flag");
  EXPECT_EQ(result->webhooks.certificate_name, "a.crt");
  EXPECT_EQ(result->webhooks.key_name, "a.key");
  EXPECT_FALSE(result->webhooks.self_signed.has_value());
  EXPECT_TRUE(result->webhooks.http2);
}

TEST_F(ManagerFlagsTest, LeaderElect) {
  ManagerOptions options = {.name = "a"};
  options.leader_election = LeaseOptions{};
  EXPECT_FALSE(OptionsFromFlags(options)->leader_election.has_value());
  absl::SetFlag(&FLAGS_leader_elect, true);
  absl::SetFlag(&FLAGS_leader_elect_lease_duration, absl::Seconds(60));
  absl::SetFlag(&FLAGS_leader_elect_resource_namespace, "kube-system");
  const absl::StatusOr<ManagerOptions> result = OptionsFromFlags({.name = "a"});
  ASSERT_THAT(result, IsOk());
  ASSERT_TRUE(result->leader_election.has_value());
  EXPECT_EQ(result->leader_election->lease.namespace_name, "kube-system");
  EXPECT_EQ(result->leader_election->election.lease_duration, absl::Seconds(60));
}

TEST_F(ManagerFlagsTest, ZapLogLevel) {
  const struct {
    const char* text;
    int highest;
  } kRows[] = {{"debug", 1}, {"info", 0}, {"error", -1}, {"panic", -1}, {"5", 5}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.text);
    absl::SetFlag(&FLAGS_zap_log_level, row.text);
    EXPECT_THAT(OptionsFromFlags({.name = "a"}), IsOk());
    EXPECT_TRUE(log::V(row.highest));
    EXPECT_FALSE(log::V(row.highest + 1));
  }
}

TEST_F(ManagerFlagsTest, InvalidValues_NameTheFlag) {
  for (const char* text : {"8080", "host", ":x", ":65536", ":-1"}) {
    SCOPED_TRACE(text);
    const absl::FlagSaver saver;
    absl::SetFlag(&FLAGS_metrics_bind_address, text);
    EXPECT_THAT(OptionsFromFlags({.name = "a"}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--metrics-bind-address")));
    absl::SetFlag(&FLAGS_metrics_bind_address, "0");
    absl::SetFlag(&FLAGS_health_probe_bind_address, text);
    EXPECT_THAT(
        OptionsFromFlags({.name = "a"}),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--health-probe-bind-address")));
  }
  for (const char* text : {"0", "-1", "loud"}) {
    SCOPED_TRACE(text);
    absl::SetFlag(&FLAGS_zap_log_level, text);
    EXPECT_THAT(OptionsFromFlags({.name = "a"}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--zap-log-level")));
  }
}

}  // namespace
}  // namespace kube::controller
