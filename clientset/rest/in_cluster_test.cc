#include "clientset/rest/in_cluster.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::rest {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InClusterConfigTest : public ::testing::Test {
 protected:
  InClusterConfigTest()
      : authority_(*certificates::CertificateAuthority::Make("ca")),
        options_{.service_account_folder = folder_.Path("")} {
    options_.service_account_folder.pop_back();
    setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
    folder_.Write("token", "sesame\n");
    folder_.Write("ca.crt", authority_.certificate());
  }

  const TestFolder folder_;
  const certificates::CertificateAuthority authority_;
  InClusterOptions options_;
};

// behaviour.md: KC-8
TEST_F(InClusterConfigTest, Config) {
  const log::LogCapture log;
  const auto config = InClusterConfig(options_);
  ASSERT_THAT(config.status(), IsOk());
  EXPECT_EQ(config->host, "https://10.0.0.1:443");
  EXPECT_EQ(config->bearer_token, base::Secret("sesame"));
  EXPECT_EQ(config->bearer_token_file, folder_.Path("token"));
  EXPECT_EQ(config->tls.ca_file, folder_.Path("ca.crt"));
  EXPECT_THAT(log.Lines(), IsEmpty());

  const auto authenticator = MakeAuthenticator(*config);
  ASSERT_THAT(authenticator.status(), IsOk());
  const auto authentication = (*authenticator)->Get({});
  ASSERT_THAT(authentication.status(), IsOk());
  EXPECT_EQ((*authentication)->authorization, base::Secret("Bearer sesame"));
  EXPECT_EQ((*authentication)->connection->ca_certificates, authority_.certificate());
}

// behaviour.md: KC-8
TEST_F(InClusterConfigTest, AddressOfIPv6) {
  setenv("KUBERNETES_SERVICE_HOST", "2001:db8::1", 1);
  const auto config = InClusterConfig(options_);
  ASSERT_THAT(config.status(), IsOk());
  EXPECT_EQ(config->host, "https://[2001:db8::1]:443");
}

// behaviour.md: KC-8
TEST_F(InClusterConfigTest, NotInCluster) {
  for (const char* name : {"KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"}) {
    const std::string value = std::getenv(name);
    for (const bool unset : {true, false}) {
      unset ? unsetenv(name) : setenv(name, "", 1);
      const absl::Status status = InClusterConfig(options_).status();
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition)) << name;
      EXPECT_TRUE(IsNotInCluster(base::Annotate(status, "load configuration")));
    }
    setenv(name, value.c_str(), 1);
  }
  EXPECT_FALSE(IsNotInCluster(absl::FailedPreconditionError("other")));
  EXPECT_FALSE(IsNotInCluster(absl::OkStatus()));
}

// behaviour.md: KC-8
TEST_F(InClusterConfigTest, NoToken) {
  options_.service_account_folder = "/none";
  const absl::Status status = InClusterConfig(options_).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               "load in-cluster configuration: read \"/none/token\": No such file "
                               "or directory"));
  EXPECT_FALSE(IsNotInCluster(status));
}

// As in client-go, the error is logged, and the system's authorities are trusted.
// behaviour.md: KC-8
TEST_F(InClusterConfigTest, NoAuthorities) {
  folder_.Write("ca.crt", "text");
  const log::LogCapture log;
  const auto config = InClusterConfig(options_);
  ASSERT_THAT(config.status(), IsOk());
  EXPECT_EQ(config->tls.ca_file, "");
  EXPECT_THAT(log.Lines(), ElementsAre(HasSubstr(folder_.Path("ca.crt"))));
}

}  // namespace
}  // namespace kube::rest
