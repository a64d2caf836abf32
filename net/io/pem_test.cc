#include "net/io/pem.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::io {
namespace {

using certificates::Certificate;
using certificates::CertificateAuthority;
using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

constexpr char kEncryptedKey[] = R"(-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg=
-----END ENCRYPTED PRIVATE KEY-----
)";
constexpr char kOldEncryptedKey[] = R"(-----BEGIN RSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,00000000000000000000000000000000

AAAA
-----END RSA PRIVATE KEY-----
)";
constexpr char kNoCertificate[] = R"(-----BEGIN CERTIFICATE-----
AAAA
-----END CERTIFICATE-----
)";

class PemTest : public ::testing::Test {
 protected:
  PemTest()
      : authority_(*CertificateAuthority::Make("ca")),
        a_(*authority_.Issue({.common_name = "a"})),
        b_(*authority_.Issue({.common_name = "b"})) {}

  const CertificateAuthority authority_;
  const Certificate a_;
  const Certificate b_;
};

TEST_F(PemTest, CertificatesOfBundle) {
  const std::string both = a_.certificate + b_.certificate;
  EXPECT_THAT(CertificatesOf(both), IsOkAndHolds(both));
  EXPECT_THAT(CertificatesOf(absl::StrCat("# a comment\n", a_.certificate, a_.key.Reveal(),
                                          kNoCertificate, "\n\ntext\n", b_.certificate)),
              IsOkAndHolds(both));
  // A missing END line spoils one certificate, but not the earlier ones.
  EXPECT_THAT(CertificatesOf(both.substr(0, both.size() - 5)), IsOkAndHolds(a_.certificate));
}

TEST_F(PemTest, NoCertificates) {
  for (const absl::string_view text : {absl::string_view(), absl::string_view("text"),
                                       absl::string_view(kNoCertificate), a_.key.Reveal()}) {
    EXPECT_THAT(CertificatesOf(text), StatusIs(absl::StatusCode::kInvalidArgument,
                                               "no valid certificate authority data seen"));
  }
}

TEST_F(PemTest, KeyPair) {
  const absl::StatusOr<Validity> validity = CheckKeyPair(a_.certificate, a_.key.Reveal());
  ASSERT_THAT(validity, IsOk());
  EXPECT_EQ(validity->not_after - validity->not_before, absl::Hours(24 * 365 + 1));
  EXPECT_THAT(CheckKeyPair(a_.certificate + authority_.certificate(), a_.key.Reveal()), IsOk());
  // Certificate and key in one file, as kubelets write them.
  const std::string one = absl::StrCat(a_.key.Reveal(), a_.certificate);
  EXPECT_THAT(CheckKeyPair(one, one), IsOk());
}

TEST_F(PemTest, WrongKeyPairs) {
  const std::string key(a_.key.Reveal());
  const struct {
    const char* name;
    std::string certificate;
    std::string key;
    const char* message;
  } kCases[] = {
      {"no certificate", "", key, "failed to find \"CERTIFICATE\" PEM block"},
      {"no key", a_.certificate, "",
       "failed to find PEM block with type ending in \"PRIVATE KEY\""},
      {"swapped", key, a_.certificate, "failed to find \"CERTIFICATE\" PEM block"},
      {"of another", b_.certificate, key, "private key does not match public key"},
      {"chain the wrong way", authority_.certificate() + a_.certificate, key, "does not match"},
      {"broken certificate", kNoCertificate, key, "failed to parse certificate"},
      {"broken key", a_.certificate,
       absl::StrReplaceAll(kNoCertificate, {{"CERTIFICATE", "PRIVATE KEY"}}),
       "failed to parse private key"},
      // OpenSSL must not ask for the password on the terminal.
      {"encrypted", a_.certificate, kEncryptedKey, "private key is encrypted"},
      {"encrypted as of old", a_.certificate, kOldEncryptedKey, "private key is encrypted"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(CheckKeyPair(c.certificate, c.key),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.name;
  }
}

}  // namespace
}  // namespace kube::io
