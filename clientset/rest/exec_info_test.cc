#include "clientset/rest/exec_info.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

std::string Info(const std::string& version, const std::string& spec) {
  return absl::StrCat(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/)",
                      version, R"(","spec":)", spec, "}");
}

constexpr char kSpec[] =
    R"({"interactive":true,"cluster":{"server":"https://10.0.0.1:6443","tls-server-name":"api",)"
    R"("certificate-authority-data":"Q0E=","proxy-url":"http://proxy:3128",)"
    R"("disable-compression":true,"config":{"audience":"a"}}})";

TEST(LoadExecInfo, OfEitherVersion_SaysHowToReachTheCluster) {
  for (const char* version : {"v1", "v1beta1"}) {
    SCOPED_TRACE(version);
    const absl::StatusOr<ExecInfo> info = LoadExecInfo(Info(version, kSpec));
    ASSERT_THAT(info, IsOk());
    EXPECT_EQ(info->api_version, absl::StrCat("client.authentication.k8s.io/", version));
    EXPECT_TRUE(info->interactive);
    EXPECT_EQ(info->config.host, "https://10.0.0.1:6443");
    EXPECT_EQ(info->config.tls.server_name, "api");
    EXPECT_FALSE(info->config.tls.insecure);
    EXPECT_EQ(info->config.tls.ca_data, "CA");
    EXPECT_EQ(info->config.proxy_url, "http://proxy:3128");
    EXPECT_TRUE(info->config.disable_compression);
    EXPECT_TRUE(info->config.bearer_token.empty());
  }
}

TEST(LoadExecInfo, WithoutAProxy_TakesThatOfTheEnvironment) {
  const absl::StatusOr<ExecInfo> info = LoadExecInfo(
      Info("v1", R"({"cluster":{"server":"https://a","insecure-skip-tls-verify":true}})"));
  ASSERT_THAT(info, IsOk());
  EXPECT_FALSE(info->config.proxy_url.has_value());
  EXPECT_TRUE(info->config.tls.insecure);
  EXPECT_FALSE(info->interactive);
}

TEST(LoadExecInfo, WithoutACluster_IsAFailedPrecondition) {
  EXPECT_THAT(LoadExecInfo(Info("v1", "{}")).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "ExecCredential does not contain cluster information"));
}

TEST(LoadExecInfo, OtherTexts_AreRefused) {
  for (const std::string& text :
       {std::string("{"), std::string("{}"), Info("v2", "{}"),
        std::string(R"({"kind":"Pod","apiVersion":"v1"})"), Info("v1", R"({"interactive":1})")}) {
    EXPECT_THAT(LoadExecInfo(text).status(), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(LoadExecInfoFromEnvironment, ReadsTheVariable) {
  ::unsetenv("KUBERNETES_EXEC_INFO");
  EXPECT_THAT(LoadExecInfoFromEnvironment().status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("unset or empty")));
  ::setenv("KUBERNETES_EXEC_INFO", Info("v1", kSpec).c_str(), /*overwrite=*/1);
  const absl::StatusOr<ExecInfo> info = LoadExecInfoFromEnvironment();
  ::unsetenv("KUBERNETES_EXEC_INFO");
  ASSERT_THAT(info, IsOk());
  EXPECT_EQ(info->config.host, "https://10.0.0.1:6443");
}

}  // namespace
}  // namespace kube::rest
