#include "net/certificates/internal/x509.h"

#include <openssl/x509.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::certificates::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::Pair;

TEST(X509Test, ReadKey_ReadsWhatToPemWrites) {
  const absl::StatusOr<UniqueKey> key = MakeKey();
  ASSERT_THAT(key.status(), IsOk());
  const base::Secret pem = ToPem(key->get());
  const absl::StatusOr<UniqueKey> read = ReadKey(pem);
  ASSERT_THAT(read.status(), IsOk());
  EXPECT_TRUE(ToPem(read->get()) == pem);
}

TEST(X509Test, ReadKey_OfAnEncryptedKey_FailsAndAsksNobody) {
  const base::Secret encrypted(
      "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
      "DEK-Info: AES-128-CBC,00000000000000000000000000000000\n\nAAAA\n"
      "-----END EC PRIVATE KEY-----\n");
  EXPECT_THAT(ReadKey(encrypted).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(X509Test, NamesOf_ReturnsAllAttributesInTheirOrder) {
  const UniqueRequest request(X509_REQ_new());
  X509_NAME* const name = X509_REQ_get_subject_name(request.get());
  ASSERT_THAT(AddName(name, "O", "dev"), IsOk());
  ASSERT_THAT(AddName(name, "O", "ops"), IsOk());
  ASSERT_THAT(AddName(name, "CN", ""), IsOk());
  ASSERT_THAT(AddName(name, "CN", "J\xc3\xb6rg"), IsOk());
  const auto names = NamesOf(name);
  ASSERT_THAT(names.status(), IsOk());
  EXPECT_THAT(*names, ElementsAre(Pair("O", "dev"), Pair("O", "ops"), Pair("CN", "J\xc3\xb6rg")));
  EXPECT_THAT(ValuesOf(*names, "O"), ElementsAre("dev", "ops"));
}

TEST(X509Test, AlternativeNames_AreInOpenSslsSyntax) {
  const std::vector<std::string> none;
  const std::vector<std::string> hosts = {"a", "b"};
  const std::vector<std::string> addresses = {"::1"};
  const std::vector<std::string> comma = {"a,b"};
  EXPECT_THAT(AlternativeNames(none, none), IsOkAndHolds(std::string()));
  EXPECT_THAT(AlternativeNames(hosts, addresses), IsOkAndHolds(std::string("DNS:a,DNS:b,IP:::1")));
  EXPECT_THAT(AlternativeNames(comma, none), StatusIs(absl::StatusCode::kInvalidArgument));
  const std::vector<std::string> zero = {std::string("a\0b", 3)};
  EXPECT_THAT(AlternativeNames(zero, none), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(X509Test, AddressText_OfOtherLengths_IsEmpty) {
  EXPECT_EQ(AddressText(absl::string_view("\x0a\0\0\x01", 4)), "10.0.0.1");
  EXPECT_EQ(AddressText("abc"), "");
}

}  // namespace
}  // namespace kube::certificates::internal
