#include "net/certificates/certificate_authority.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"
#include "net/io/pem.h"

namespace kube::certificates {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Free {
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_STORE* store) const { X509_STORE_free(store); }
  void operator()(X509_STORE_CTX* context) const { X509_STORE_CTX_free(context); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using UniqueX509 = std::unique_ptr<X509, Free>;

UniqueX509 Parse(const std::string& pem) {
  const std::unique_ptr<BIO, Free> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return UniqueX509(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
}

// What OpenSSL thinks of `certificate` if it trusts `authority`: X509_V_OK or why not.
int Verify(const std::string& authority, X509* certificate, int purpose) {
  const UniqueX509 trusted = Parse(authority);
  const std::unique_ptr<X509_STORE, Free> store(X509_STORE_new());
  X509_STORE_add_cert(store.get(), trusted.get());
  const std::unique_ptr<X509_STORE_CTX, Free> context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), certificate, nullptr);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

class CertificateAuthorityTest : public ::testing::Test {
 protected:
  const CertificateAuthority authority_ = *CertificateAuthority::Make("test-ca");
};

TEST_F(CertificateAuthorityTest, IssuesForServersAndClients) {
  const absl::StatusOr<Certificate> issued =
      authority_.Issue({.common_name = "alice",
                        .organizations = {"dev", "ops"},
                        .dns_names = {"localhost"},
                        .ip_addresses = {"127.0.0.1", "::1"}});
  ASSERT_THAT(issued, IsOk());
  const UniqueX509 certificate = Parse(issued->certificate);
  ASSERT_NE(certificate, nullptr);
  EXPECT_EQ(Verify(authority_.certificate(), certificate.get(), X509_PURPOSE_SSL_SERVER),
            X509_V_OK);
  EXPECT_EQ(Verify(authority_.certificate(), certificate.get(), X509_PURPOSE_SSL_CLIENT),
            X509_V_OK);
  EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "example.org", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "::1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.2", 0), 0);
  EXPECT_THAT(std::string(issued->key.Reveal()), HasSubstr("BEGIN PRIVATE KEY"));
}

TEST_F(CertificateAuthorityTest, ClientsAreNoServers) {
  const UniqueX509 certificate =
      Parse(authority_.Issue({.common_name = "bob", .server = false})->certificate);
  EXPECT_EQ(Verify(authority_.certificate(), certificate.get(), X509_PURPOSE_SSL_SERVER),
            X509_V_ERR_INVALID_PURPOSE);
  EXPECT_EQ(Verify(authority_.certificate(), certificate.get(), X509_PURPOSE_SSL_CLIENT),
            X509_V_OK);
}

TEST_F(CertificateAuthorityTest, AnotherAuthorityIsNotTrusted) {
  const CertificateAuthority other = *CertificateAuthority::Make("test-ca");
  const UniqueX509 certificate = Parse(authority_.Issue({.common_name = "eve"})->certificate);
  EXPECT_NE(Verify(other.certificate(), certificate.get(), X509_PURPOSE_SSL_CLIENT), X509_V_OK);
}

TEST_F(CertificateAuthorityTest, ExpiredAndNotYetValid) {
  const UniqueX509 expired =
      Parse(authority_.Issue({.valid_from = -absl::Hours(2), .valid_until = -absl::Hours(1)})
                ->certificate);
  EXPECT_EQ(Verify(authority_.certificate(), expired.get(), X509_PURPOSE_SSL_SERVER),
            X509_V_ERR_CERT_HAS_EXPIRED);
  const UniqueX509 future = Parse(authority_.Issue({.valid_from = absl::Hours(1)})->certificate);
  EXPECT_EQ(Verify(authority_.certificate(), future.get(), X509_PURPOSE_SSL_SERVER),
            X509_V_ERR_CERT_NOT_YET_VALID);
}

TEST_F(CertificateAuthorityTest, RefusesNamesThatAreNone) {
  EXPECT_THAT(authority_.Issue({.ip_addresses = {"127.0.0"}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("IP:127.0.0")));
  EXPECT_THAT(authority_.Issue({.dns_names = {"a,IP:127.0.0.1"}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a,IP:127.0.0.1")));
}

// The host of a Service whose names are long.
TEST_F(CertificateAuthorityTest, ACommonNameOfMoreThan64Bytes_IsLeftOut) {
  const std::string host =
      std::string(40, 'a') + "-webhook-service." + std::string(30, 'b') + ".svc";
  const absl::StatusOr<Certificate> issued =
      authority_.Issue({.common_name = host, .dns_names = {host}});
  ASSERT_THAT(issued, IsOk());
  const UniqueX509 certificate = Parse(issued->certificate);
  EXPECT_EQ(X509_NAME_entry_count(X509_get_subject_name(certificate.get())), 0);
  EXPECT_EQ(X509_check_host(certificate.get(), host.c_str(), 0, 0, nullptr), 1);
}

TEST_F(CertificateAuthorityTest, ANameThatIsNoUtf8_IsInvalid) {
  EXPECT_THAT(authority_.Issue({.common_name = "\xff"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("CN=")));
}

TEST_F(CertificateAuthorityTest, SignRequest_MakesACertificateForTheNamesAndTheKeyOfTheRequest) {
  const base::Secret key = *MakePrivateKey();
  const absl::StatusOr<std::string> request = MakeRequest({.common_name = "alice",
                                                           .organizations = {"dev", "ops"},
                                                           .dns_names = {"a.example.com"},
                                                           .ip_addresses = {"10.0.0.1"}},
                                                          key);
  ASSERT_THAT(request, IsOk());
  const absl::StatusOr<std::string> issued =
      authority_.SignRequest(*request, {.common_name = "root", .server = false});
  ASSERT_THAT(issued, IsOk());
  const UniqueX509 certificate = Parse(*issued);
  EXPECT_EQ(Verify(authority_.certificate(), certificate.get(), X509_PURPOSE_SSL_CLIENT),
            X509_V_OK);
  EXPECT_EQ(Verify(authority_.certificate(), certificate.get(), X509_PURPOSE_SSL_SERVER),
            X509_V_ERR_INVALID_PURPOSE);
  const absl::StatusOr<std::vector<CertificateDetails>> details = DetailsOf(*issued);
  ASSERT_THAT(details, IsOk());
  EXPECT_EQ(details->front().common_name, "alice");
  EXPECT_THAT(details->front().organizations, ElementsAre("dev", "ops"));
  EXPECT_THAT(details->front().dns_names, ElementsAre("a.example.com"));
  EXPECT_THAT(details->front().ip_addresses, ElementsAre("10.0.0.1"));
  EXPECT_THAT(io::CheckKeyPair(*issued, key.Reveal()), IsOk());
}

TEST_F(CertificateAuthorityTest, SignRequest_OfWhatIsNoRequest_IsInvalid) {
  EXPECT_THAT(authority_.SignRequest("x"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(authority_.SignRequest(authority_.certificate()),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// A server's certificate, and the one that its clients must trust.
struct ServerIdentity {
  std::string authority = {};
  Certificate certificate = {};
};

absl::StatusOr<ServerIdentity> MakeServerIdentity() {
  KUBE_ASSIGN_OR_RETURN(CertificateAuthority authority, CertificateAuthority::Make("test-ca"));
  KUBE_ASSIGN_OR_RETURN(Certificate server, authority.Issue({.ip_addresses = {"127.0.0.1"}}));
  return ServerIdentity{.authority = authority.certificate(), .certificate = std::move(server)};
}

TEST_F(CertificateAuthorityTest, MakesServersTrusted_AsInTheHeader) {
  const absl::StatusOr<ServerIdentity> made = MakeServerIdentity();
  ASSERT_THAT(made.status(), IsOk());
  const UniqueX509 certificate = Parse(made->certificate.certificate);
  EXPECT_EQ(Verify(made->authority, certificate.get(), X509_PURPOSE_SSL_SERVER), X509_V_OK);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0), 1);
}

}  // namespace
}  // namespace kube::certificates
