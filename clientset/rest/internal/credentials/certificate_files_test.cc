#include "clientset/rest/internal/credentials/certificate_files.h"

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::rest::internal {
namespace {

using certificates::Certificate;
using certificates::CertificateAuthority;
using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CertificateFilesTest : public ::testing::Test {
 protected:
  CertificateFilesTest()
      : authority_(*CertificateAuthority::Make("ca")),
        other_authority_(*CertificateAuthority::Make("other")),
        a_(*authority_.Issue({.common_name = "a"})),
        b_(*authority_.Issue({.common_name = "b"})) {}

  TlsClientConfig WritePair(const Certificate& pair) {
    return {.cert_file = folder_.Write("cert", pair.certificate),
            .key_file = folder_.Write("key", pair.key.Reveal())};
  }

  base::FakeClock clock_;
  const base::RuntimeScope scope_{clock_};
  const TestFolder folder_;
  const CertificateAuthority authority_;
  const CertificateAuthority other_authority_;
  const Certificate a_;
  const Certificate b_;
};

// behaviour.md: TR-4
TEST_F(CertificateFilesTest, PairOfFilesIsReadAgain) {
  auto pair = ClientCertificate::Make(WritePair(a_));
  ASSERT_THAT(pair, IsOk());
  EXPECT_EQ(pair->certificate(), a_.certificate);
  EXPECT_EQ(pair->key(), a_.key);
  WritePair(b_);
  clock_.Step(absl::Minutes(5) - absl::Nanoseconds(1));
  EXPECT_THAT(pair->Refresh(), IsOkAndHolds(false));
  clock_.Step(absl::Nanoseconds(1));
  EXPECT_THAT(pair->Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(pair->certificate(), b_.certificate);
  EXPECT_EQ(pair->key(), b_.key);
  clock_.Step(absl::Minutes(5));
  EXPECT_THAT(pair->Refresh(), IsOkAndHolds(false));
}

// behaviour.md: TR-4
TEST_F(CertificateFilesTest, HalfAPairIsTriedAgainSoon) {
  auto pair = ClientCertificate::Make(WritePair(a_));
  ASSERT_THAT(pair, IsOk());
  folder_.Write("cert", b_.certificate);
  clock_.Step(absl::Minutes(5));
  EXPECT_THAT(pair->Refresh(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(folder_.Path("cert")), HasSubstr(folder_.Path("key")),
                             HasSubstr("private key does not match"))));
  EXPECT_EQ(pair->certificate(), a_.certificate);
  folder_.Write("key", b_.key.Reveal());
  EXPECT_THAT(pair->Refresh(), IsOkAndHolds(false));
  clock_.Step(absl::Seconds(10));
  EXPECT_THAT(pair->Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(pair->certificate(), b_.certificate);
}

TEST_F(CertificateFilesTest, AFunctionAndACertificate_AreInvalid) {
  TlsClientConfig config = WritePair(a_);
  config.get_key_pair = [] { return std::shared_ptr<const ClientKeyPair>(); };
  EXPECT_THAT(ClientCertificate::Make(config),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "tls has a client certificate and get_key_pair, which may not both be set"));
}

TEST_F(CertificateFilesTest, Replace_TakesThePairAndReturnsWhetherItIsAnotherOne) {
  auto pair = ClientCertificate::Make({});
  ASSERT_THAT(pair, IsOk());
  EXPECT_FALSE(pair->Replace(nullptr));
  const auto provided = std::make_shared<const ClientKeyPair>(
      ClientKeyPair{.certificate = a_.certificate, .key = a_.key});
  EXPECT_TRUE(pair->Replace(provided));
  EXPECT_EQ(pair->certificate(), a_.certificate);
  EXPECT_EQ(pair->key(), a_.key);
  EXPECT_FALSE(pair->Replace(provided));
  EXPECT_TRUE(pair->Replace(nullptr));
  EXPECT_EQ(pair->certificate(), "");
  EXPECT_TRUE(pair->key().empty());
}

TEST_F(CertificateFilesTest, DataGoBeforeFilesAndStay) {
  TlsClientConfig config = WritePair(b_);
  config.cert_data = a_.certificate;
  config.key_data = a_.key;
  auto pair = ClientCertificate::Make(config);
  ASSERT_THAT(pair, IsOk());
  EXPECT_EQ(pair->certificate(), a_.certificate);
  EXPECT_THAT(pair->Reload(), IsOkAndHolds(false));
  // As in client-go, a key file that is used with certificate data is read once.
  config = WritePair(a_);
  config.cert_data = a_.certificate;
  pair = ClientCertificate::Make(config);
  ASSERT_THAT(pair, IsOk());
  WritePair(b_);
  EXPECT_THAT(pair->Reload(), IsOkAndHolds(false));
}

TEST_F(CertificateFilesTest, WrongPairs) {
  const std::string a_key(a_.key.Reveal());
  const struct {
    const char* name;
    TlsClientConfig config;
    std::string message;
  } kCases[] = {
      {"no key",
       {.cert_data = a_.certificate},
       "tls has a client certificate without a client key"},
      {"no certificate", {.key_data = a_.key}, "tls has a client key without a client certificate"},
      {"no file", {.cert_file = "/none", .key_data = a_.key}, "read \"/none\": No such file"},
      {"do not fit",
       {.cert_data = b_.certificate, .key_data = a_.key},
       "load client certificate from cert_data and key_data: private key does not match"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ClientCertificate::Make(c.config).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(c.message), Not(HasSubstr("BEGIN")))))
        << c.name;
  }
  EXPECT_THAT(ClientCertificate::Make({}), IsOk());
}

// behaviour.md: TR-5
TEST_F(CertificateFilesTest, AuthoritiesAreReadAgain) {
  const std::string file = folder_.Write("ca", authority_.certificate());
  auto authorities = Authorities::Make({.ca_file = file});
  ASSERT_THAT(authorities, IsOk());
  EXPECT_EQ(authorities->certificates(), authority_.certificate());
  folder_.Write("ca", other_authority_.certificate());
  clock_.Step(absl::Minutes(5) - absl::Nanoseconds(1));
  EXPECT_THAT(authorities->Refresh(), IsOkAndHolds(false));
  clock_.Step(absl::Nanoseconds(1));
  EXPECT_THAT(authorities->Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(authorities->certificates(), other_authority_.certificate());
  // A changed comment is not a change of the authorities.
  folder_.Write("ca", absl::StrCat("# renewed\n", other_authority_.certificate()));
  clock_.Step(absl::Minutes(5));
  EXPECT_THAT(authorities->Refresh(), IsOkAndHolds(false));
}

// behaviour.md: TR-5
TEST_F(CertificateFilesTest, ErrorsKeepTheAuthorities) {
  auto authorities = Authorities::Make({.ca_file = folder_.Write("ca", authority_.certificate())});
  ASSERT_THAT(authorities, IsOk());
  for (const char* text : {"", "text"}) {
    folder_.Write("ca", text);
    clock_.Step(absl::Minutes(5));
    EXPECT_THAT(authorities->Refresh(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(folder_.Path("ca"))));
    EXPECT_EQ(authorities->certificates(), authority_.certificate());
    // As in client-go, the next attempt is a period later.
    EXPECT_THAT(authorities->Refresh(), IsOkAndHolds(false));
  }
}

// behaviour.md: TR-5
TEST_F(CertificateFilesTest, ReloadsAreCounted) {
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  const auto counter = Authorities::MakeReloadCounter(*registry);
  ASSERT_THAT(counter.status(), IsOk());
  auto authorities =
      Authorities::Make({.ca_file = folder_.Write("ca", authority_.certificate())}, *counter);
  ASSERT_THAT(authorities, IsOk());
  EXPECT_THAT(authorities->Refresh(), IsOkAndHolds(false));  // not due: not counted
  const auto refresh = [&] {
    clock_.Step(absl::Minutes(5));
    authorities->Refresh().status().IgnoreError();
  };
  refresh();
  folder_.Write("ca", other_authority_.certificate());
  refresh();
  folder_.Write("ca", "");
  refresh();
  folder_.Write("ca", "text");
  refresh();
  std::filesystem::remove(folder_.Path("ca"));
  refresh();
  refresh();
  const std::string text = registry->Render();
  for (const char* line :
       {R"({result="success",reason="unchanged"} 1)", R"({result="success",reason="updated"} 1)",
        R"({result="failure",reason="empty"} 1)", R"({result="failure",reason="ca_parse_error"} 1)",
        R"({result="failure",reason="read_error"} 2)"}) {
    EXPECT_THAT(text, HasSubstr(absl::StrCat("rest_client_transport_ca_reload_total", line)));
  }
}

TEST_F(CertificateFilesTest, AuthoritiesOfData) {
  auto authorities = Authorities::Make({.ca_file = "/none", .ca_data = authority_.certificate()});
  ASSERT_THAT(authorities, IsOk());
  EXPECT_EQ(authorities->certificates(), authority_.certificate());
  clock_.Step(absl::Hours(1));
  EXPECT_THAT(authorities->Refresh(), IsOkAndHolds(false));
  EXPECT_THAT(
      Authorities::Make({.ca_data = "text"}).status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "load root certificates from ca_data: no valid certificate authority data seen"));
  // An empty file must not mean the system's authorities.
  EXPECT_THAT(Authorities::Make({.ca_file = folder_.Write("empty", "")}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
}

}  // namespace
}  // namespace kube::rest::internal
