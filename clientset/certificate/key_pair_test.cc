#include "clientset/certificate/key_pair.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificate {
namespace {

using certificates::Certificate;
using certificates::CertificateAuthority;
using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

class KeyPairTest : public ::testing::Test {
 protected:
  const CertificateAuthority authority_ = *CertificateAuthority::Make("ca");
  const Certificate alice_ = *authority_.Issue({.common_name = "alice"});
  const Certificate bob_ = *authority_.Issue({.common_name = "bob"});
};

TEST_F(KeyPairTest, OfOneText_HasTheChainAndTheKey) {
  const std::string chain = alice_.certificate + authority_.certificate();
  const base::Secret all(chain + std::string(alice_.key.Reveal()));
  const absl::StatusOr<std::shared_ptr<const KeyPair>> pair = MakeKeyPair(all.Reveal(), all);
  ASSERT_THAT(pair.status(), IsOk());
  EXPECT_EQ((*pair)->pem.certificate, chain);
  EXPECT_TRUE((*pair)->pem.key == alice_.key);
  EXPECT_EQ((*pair)->details.common_name, "alice");
}

TEST_F(KeyPairTest, WithTheKeyOfAnotherCertificate_IsInvalid) {
  EXPECT_THAT(MakeKeyPair(alice_.certificate, bob_.key).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("private key does not match public key")));
}

TEST_F(KeyPairTest, WithoutCertificateOrKey_IsInvalid) {
  EXPECT_THAT(MakeKeyPair("", alice_.key).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MakeKeyPair(alice_.certificate, base::Secret()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::certificate
