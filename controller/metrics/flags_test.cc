#include "controller/metrics/flags.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/metrics/metrics_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_DECLARE_FLAG(std::string, metrics_bind_address);
ABSL_DECLARE_FLAG(bool, metrics_secure);
ABSL_DECLARE_FLAG(std::string, metrics_cert_path);

namespace kube::metrics {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

class FlagsTest : public testing::Test {
 protected:
  const absl::FlagSaver saver_;
};

TEST_F(FlagsTest, Default_IsNoEndpoint) {
  for (const char* address : {"0", ""}) {
    absl::SetFlag(&FLAGS_metrics_bind_address, address);
    const absl::StatusOr<std::optional<MetricsOptions>> options = MetricsOptionsFromFlags();
    ASSERT_THAT(options, IsOk());
    EXPECT_FALSE(options->has_value());
  }
}

TEST_F(FlagsTest, Address_IsHostAndPort) {
  const struct {
    const char* flag;
    const char* address;
    uint16_t port;
  } kRows[] = {
      {":8443", "0.0.0.0", 8443},
      {"127.0.0.1:8080", "127.0.0.1", 8080},
      {"[::]:8443", "::", 8443},
      {":0", "0.0.0.0", 0},
  };
  for (const auto& row : kRows) {
    absl::SetFlag(&FLAGS_metrics_bind_address, row.flag);
    const absl::StatusOr<std::optional<MetricsOptions>> options = MetricsOptionsFromFlags();
    ASSERT_THAT(options, IsOk()) << row.flag;
    ASSERT_TRUE(options->has_value()) << row.flag;
    EXPECT_EQ((*options)->address, row.address) << row.flag;
    EXPECT_EQ((*options)->port, row.port) << row.flag;
  }
  for (const char* wrong : {"8443", ":http", ":65536", "127.0.0.1", ":-1"}) {
    absl::SetFlag(&FLAGS_metrics_bind_address, wrong);
    EXPECT_THAT(MetricsOptionsFromFlags(), StatusIs(absl::StatusCode::kInvalidArgument,
                                                    HasSubstr("flag --metrics-bind-address")))
        << wrong;
  }
}

TEST_F(FlagsTest, Secure_AsksForTokensOrClientCertificates) {
  absl::SetFlag(&FLAGS_metrics_bind_address, ":8443");
  absl::SetFlag(&FLAGS_metrics_cert_path, "/certs");
  absl::StatusOr<std::optional<MetricsOptions>> options = MetricsOptionsFromFlags();
  ASSERT_THAT(options, IsOk());
  EXPECT_TRUE((*options)->secure);
  EXPECT_EQ((*options)->access, MetricsAccess::kTokenReview);
  EXPECT_EQ((*options)->certificate_folder, "/certs");
  EXPECT_EQ((*options)->certificate_name, "tls.crt");
  EXPECT_EQ((*options)->key_name, "tls.key");
  options = MetricsOptionsFromFlags({.access = MetricsAccess::kClientCertificate});
  ASSERT_THAT(options, IsOk());
  EXPECT_EQ((*options)->access, MetricsAccess::kClientCertificate);
  absl::SetFlag(&FLAGS_metrics_secure, false);
  options = MetricsOptionsFromFlags();
  ASSERT_THAT(options, IsOk());
  EXPECT_FALSE((*options)->secure);
  EXPECT_EQ((*options)->access, MetricsAccess::kAnybody);
}

}  // namespace
}  // namespace kube::metrics
