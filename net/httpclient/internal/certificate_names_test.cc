// What is taken and what is not, by whole handshakes: http_transport_tls_test.

#include "net/httpclient/internal/certificate_names.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::certificates::CertificateAuthority;
using ::kube::certificates::CertificateOptions;

struct FreeX509 {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Certificate = std::unique_ptr<X509, FreeX509>;

Certificate Issue(const CertificateOptions& options) {
  const auto authority = CertificateAuthority::Make("test-ca");
  EXPECT_TRUE(authority.ok());
  const auto issued = authority->Issue(options);
  EXPECT_TRUE(issued.ok()) << issued.status();
  BIO* const bio =
      BIO_new_mem_buf(issued->certificate.data(), static_cast<int>(issued->certificate.size()));
  Certificate certificate(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr));
  BIO_free(bio);
  return certificate;
}

std::string Describe(const CertificateOptions& options, absl::string_view host) {
  return DescribeNameMistake(Issue(options).get(), host);
}

TEST(CertificateNamesTest, ManyNames) {
  CertificateOptions options;
  for (int i = 0; i < 99; ++i) {
    options.dns_names.push_back(absl::StrCat("n", i));
    options.ip_addresses.push_back(absl::StrCat("10.0.0.", i));
  }
  EXPECT_TRUE(absl::string_view(Describe(options, "other")).substr(0, 36) ==
              "certificate is valid for n0, n1, n2,");
  options.dns_names.push_back("n99");
  options.ip_addresses.push_back("10.0.0.99");
  EXPECT_EQ(Describe(options, "other"),
            "certificate is valid for 100 names, but none matched other");
  EXPECT_EQ(Describe(options, "10.0.0.100"),
            "certificate is valid for 100 IP SANs, but none matched 10.0.0.100");
}

TEST(CertificateNamesTest, CommonNames) {
  const std::string legacy = "certificate relies on legacy Common Name field, use SANs instead";
  EXPECT_EQ(Describe({.common_name = "Kube.example"}, "kube.Example."), legacy);
  EXPECT_EQ(Describe({.common_name = "*.example"}, "kube.example"), legacy);
  EXPECT_EQ(Describe({.common_name = "*.example"}, "a.kube.example"),
            "certificate is not valid for any names, but wanted to match a.kube.example");
  EXPECT_EQ(Describe({.common_name = "*.example"}, "example"),
            "certificate is not valid for any names, but wanted to match example");
  EXPECT_EQ(Describe({.organizations = {"o"}}, "kube"),
            "certificate is not valid for any names, but wanted to match kube");
}

// They are the server's to choose, and errors go to logs.
TEST(CertificateNamesTest, NamesThatAreNone) {
  EXPECT_EQ(Describe({.dns_names = {"a\x01\x1b[31mb"}}, "kube"),
            "certificate is valid for a\\x01\\x1b[31mb, not kube");
}

TEST(CertificateNamesTest, Mistakes) {
  EXPECT_TRUE(IsNameMistake(X509_V_ERR_HOSTNAME_MISMATCH));
  EXPECT_TRUE(IsNameMistake(X509_V_ERR_IP_ADDRESS_MISMATCH));
  EXPECT_FALSE(IsNameMistake(X509_V_OK));
  EXPECT_FALSE(IsNameMistake(X509_V_ERR_CERT_HAS_EXPIRED));
}

}  // namespace
}  // namespace kube::httpclient::internal
