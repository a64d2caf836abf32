#include "clientset/rest/internal/credentials/exec_credential.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kV1[] = "client.authentication.k8s.io/v1";
constexpr char kV1beta1[] = "client.authentication.k8s.io/v1beta1";

std::string Output(const std::string& status, const std::string& api_version = kV1) {
  return absl::StrCat(R"({"kind":"ExecCredential","apiVersion":")", api_version, R"(","spec":{},)",
                      R"("status":)", status, "}\n");
}

// behaviour.md: EXEC-1
TEST(ExecInfoTest, WithoutCluster) {
  EXPECT_THAT(
      EncodeExecInfo(kV1, true, std::nullopt),
      IsOkAndHolds(
          R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":true}})"));
  EXPECT_THAT(
      EncodeExecInfo(kV1beta1, false, std::nullopt),
      IsOkAndHolds(
          R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{"interactive":false}})"));
}

// behaviour.md: EXEC-1
TEST(ExecInfoTest, WithCluster) {
  Config config{.host = "https://server:6443",
                .exec = ExecConfig{.cluster_config = R"({"audience":"a"})"},
                .tls = {.insecure = true, .server_name = "name"},
                .proxy_url = "http://proxy:3128",
                .disable_compression = true};
  const std::string cluster =
      R"({"server":"https://server:6443","tls-server-name":"name","insecure-skip-tls-verify":true,)"
      R"("certificate-authority-data":"Y2E=","proxy-url":"http://proxy:3128",)"
      R"("disable-compression":true,"config":{"audience":"a"}})";
  for (const char* version : {kV1, kV1beta1}) {
    const auto info = EncodeExecInfo(version, false, MakeExecCluster(config, "ca"));
    ASSERT_THAT(info, IsOk());
    EXPECT_THAT(*info, HasSubstr(absl::StrCat(R"("spec":{"cluster":)", cluster))) << version;
  }
  config.exec->cluster_config = "no json";
  EXPECT_THAT(EncodeExecInfo(kV1, false, MakeExecCluster(config, "")),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ExecCredentialTest, Tokens) {
  const struct {
    const char* name;
    std::string status;
    absl::Time expiration;
  } kCases[] = {
      {"for ever", R"({"token":"t"})", absl::InfiniteFuture()},
      {"null is for ever", R"({"token":"t","expirationTimestamp":null})", absl::InfiniteFuture()},
      {"year one is for ever", R"({"token":"t","expirationTimestamp":"0001-01-01T00:00:00Z"})",
       absl::InfiniteFuture()},
      {"until", R"({"token":"t","expirationTimestamp":"1970-01-01T01:00:00+01:00"})",
       absl::UnixEpoch()},
      {"unknown fields", R"({"token":"t","other":1})", absl::InfiniteFuture()},
  };
  for (const char* version : {kV1, kV1beta1}) {
    for (const auto& c : kCases) {
      const auto credentials = DecodeExecCredential(version, Output(c.status, version));
      ASSERT_THAT(credentials.status(), IsOk()) << c.name;
      EXPECT_EQ(credentials->authorization, base::Secret("Bearer t")) << c.name;
      EXPECT_EQ(credentials->expiration, c.expiration) << c.name;
    }
  }
}

TEST(ExecCredentialTest, Yaml) {
  const auto credentials =
      DecodeExecCredential(kV1,
                           "kind: ExecCredential\napiVersion: client.authentication.k8s.io/v1\n"
                           "status:\n  token: t\n");
  ASSERT_THAT(credentials.status(), IsOk());
  EXPECT_EQ(credentials->authorization, base::Secret("Bearer t"));
}

// behaviour.md: EXEC-7
TEST(ExecCredentialTest, Certificate) {
  const auto authority = *certificates::CertificateAuthority::Make("ca");
  const auto pair = *authority.Issue({.valid_until = absl::Hours(5)});
  const auto json = [](absl::string_view text) {
    return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\n", "\\n"}}), "\"");
  };
  const auto credentials = DecodeExecCredential(
      kV1, Output(absl::StrCat(R"({"clientCertificateData":)", json(pair.certificate),
                               R"(,"clientKeyData":)", json(pair.key.Reveal()), "}")));
  ASSERT_THAT(credentials.status(), IsOk());
  EXPECT_EQ(credentials->certificate, pair.certificate);
  EXPECT_EQ(credentials->key, pair.key);
  EXPECT_TRUE(credentials->authorization.empty());
  EXPECT_EQ(credentials->not_after - credentials->not_before, absl::Hours(6));
  const auto other = *authority.Issue({});
  EXPECT_THAT(
      DecodeExecCredential(
          kV1, Output(absl::StrCat(R"({"clientCertificateData":)", json(pair.certificate),
                                   R"(,"clientKeyData":)", json(other.key.Reveal()), "}")))
          .status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "failed parsing client key/certificate: private key does not match public key"));
}

// behaviour.md: EXEC-1, EXEC-7
TEST(ExecCredentialTest, WrongOutputIsNotRepeated) {
  const struct {
    const char* name;
    std::string output;
    const char* message;
  } kCases[] = {
      {"nothing", "", "decoding stdout: apiVersion is missing"},
      {"text", "sesame", "decoding stdout: "},
      {"cut off", R"({"kind":"ExecCredential","sesame)", "decoding stdout: not an API object"},
      {"another kind", R"({"kind":"sesame","apiVersion":"client.authentication.k8s.io/v1"})",
       "decoding stdout: not an ExecCredential"},
      {"no version", R"({"kind":"ExecCredential","status":{"token":"sesame"}})",
       "decoding stdout: apiVersion is missing"},
      {"the other version", Output(R"({"token":"sesame"})", kV1beta1),
       "is configured to use API version client.authentication.k8s.io/v1, plugin returned version "
       "client.authentication.k8s.io/v1beta1"},
      {"a wrong version", Output("{}", "sesame"), "plugin returned an unknown version"},
      {"no status", Output("null"), "didn't return a status field"},
      {"empty status", Output("{}"), "didn't return a token or cert/key pair"},
      {"no key", Output(R"({"token":"t","clientCertificateData":"sesame"})"),
       "returned only certificate or key, not both"},
      {"no certificate", Output(R"({"clientKeyData":"sesame"})"),
       "returned only certificate or key, not both"},
      {"no PEM", Output(R"({"clientCertificateData":"sesame","clientKeyData":"sesame"})"),
       "failed to find \"CERTIFICATE\" PEM block"},
      {"wrong type", Output(R"({"token":["sesame"]})"), "decoding stdout: decode ExecCredential: "},
      {"no time", Output(R"({"token":"t","expirationTimestamp":"sesame"})"), "decoding stdout: "},
      {"line break", Output(R"({"token":"sesame\nx: y"})"), "characters not allowed in a header"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(DecodeExecCredential(kV1, c.output).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(c.message), Not(HasSubstr("sesame")))))
        << c.name;
  }
}

}  // namespace
}  // namespace kube::rest::internal
