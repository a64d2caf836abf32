#include "net/certificates/certificate_request.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::certificates {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

base::Secret RsaKey(unsigned int bits) {
  const std::unique_ptr<EVP_PKEY, Free> key(EVP_RSA_gen(bits));
  const std::unique_ptr<BIO, Free> bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  return base::Secret(std::string(data, static_cast<size_t>(size)));
}

RequestTemplate Alice() {
  return {.common_name = "alice",
          .organizations = {"dev", "ops"},
          .dns_names = {"a.example.com", "b"},
          .ip_addresses = {"10.0.0.1", "fe80::1"}};
}

TEST(CertificateRequestTest, ParseRequest_ReturnsTheNamesThatWereRequested) {
  const base::Secret key = *MakePrivateKey();
  const absl::StatusOr<std::string> request = MakeRequest(Alice(), key);
  ASSERT_THAT(request, IsOk());
  EXPECT_THAT(*request, StartsWith("-----BEGIN CERTIFICATE REQUEST-----\n"));
  const absl::StatusOr<RequestTemplate> names = ParseRequest(*request);
  ASSERT_THAT(names, IsOk());
  EXPECT_TRUE(*names == Alice());
}

TEST(CertificateRequestTest, ParseRequest_OfOneWithoutAlternativeNames_HasNone) {
  const absl::StatusOr<std::string> request =
      MakeRequest({.common_name = "bob"}, *MakePrivateKey());
  ASSERT_THAT(request, IsOk());
  const absl::StatusOr<RequestTemplate> names = ParseRequest(*request);
  ASSERT_THAT(names, IsOk());
  EXPECT_TRUE(*names == RequestTemplate{.common_name = "bob"});
}

absl::StatusOr<std::string> RequestOfAlice() {
  KUBE_ASSIGN_OR_RETURN(const base::Secret key, MakePrivateKey());
  KUBE_ASSIGN_OR_RETURN(const std::string request, MakeRequest({.common_name = "alice"}, key));
  return request;
}

TEST(CertificateRequestTest, MakesARequest_AsInTheHeader) {
  const absl::StatusOr<std::string> request = RequestOfAlice();
  ASSERT_THAT(request, IsOk());
  EXPECT_THAT(ParseRequest(*request), IsOk());
}

TEST(CertificateRequestTest, MakePrivateKey_MakesAnotherKeyEachTime) {
  const base::Secret key = *MakePrivateKey();
  EXPECT_THAT(std::string(key.Reveal()), StartsWith("-----BEGIN PRIVATE KEY-----\n"));
  EXPECT_TRUE(key != *MakePrivateKey());
  EXPECT_THAT(CheckKeyStrength(key), IsOk());
  EXPECT_FALSE(IsRsaKey(key));
}

TEST(CertificateRequestTest, PrivateKeyOf_FindsTheKeyAmongOtherBlocks) {
  const base::Secret key = *MakePrivateKey();
  const std::string request = *MakeRequest(Alice(), key);
  const absl::StatusOr<base::Secret> found =
      PrivateKeyOf(base::Secret(request + std::string(key.Reveal())));
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_TRUE(*found == key);
  EXPECT_THAT(PrivateKeyOf(base::Secret(request)).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CertificateRequestTest, CheckKeyStrength_RefusesShortKeys) {
  const base::Secret weak = RsaKey(1024);
  EXPECT_TRUE(IsRsaKey(weak));
  EXPECT_THAT(CheckKeyStrength(weak),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "RSA key size 1024 bits is below the minimum of 2048"));
  EXPECT_THAT(CheckKeyStrength(RsaKey(2048)), IsOk());
  EXPECT_THAT(CheckKeyStrength(base::Secret("x")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_FALSE(IsRsaKey(base::Secret("x")));
}

TEST(CertificateRequestTest, MakeRequest_OfInvalidNames_IsInvalid) {
  const base::Secret key = *MakePrivateKey();
  EXPECT_THAT(MakeRequest({.common_name = std::string(65, 'a')}, key),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("CN=")));
  EXPECT_THAT(MakeRequest({.ip_addresses = {"10.0.0"}}, key),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("IP:10.0.0")));
  EXPECT_THAT(MakeRequest({.dns_names = {"a,IP:10.0.0.1"}}, key),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a,IP:10.0.0.1")));
}

TEST(CertificateRequestTest, MakeRequest_WithAMalformedKey_SaysNothingOfTheKey) {
  EXPECT_THAT(MakeRequest(Alice(), base::Secret("hunter2")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("failed to parse private key"), Not(HasSubstr("hunter2")))));
}

TEST(CertificateRequestTest, CheckSameRequest_ComparesSubjectAndKey) {
  const base::Secret key = *MakePrivateKey();
  const base::Secret other_key = *MakePrivateKey();
  const std::string alice = *MakeRequest(Alice(), key);
  // The signature differs, and so may the alternative names.
  EXPECT_THAT(CheckSameRequest(alice, *MakeRequest(Alice(), key), key), IsOk());
  EXPECT_THAT(CheckSameRequest(alice, *MakeRequest({.common_name = "bob"}, key), key),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "csr subjects differ: existing: O=dev,O=ops,CN=alice, wanted: CN=bob"));
  EXPECT_THAT(
      CheckSameRequest(alice, *MakeRequest(Alice(), other_key), other_key),
      StatusIs(absl::StatusCode::kInvalidArgument, "the request is not signed with the key"));
  EXPECT_THAT(CheckSameRequest("x", alice, key),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("CERTIFICATE REQUEST")));
}

}  // namespace
}  // namespace kube::certificates
