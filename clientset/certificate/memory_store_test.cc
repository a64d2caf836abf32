#include "clientset/certificate/memory_store.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/certificate/key_pair.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificate {
namespace {

using certificates::Certificate;
using certificates::CertificateAuthority;
using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;

TEST(MemoryStoreTest, Current_IsTheLastPairThatCouldBeUsed) {
  const CertificateAuthority authority = *CertificateAuthority::Make("ca");
  const Certificate alice = *authority.Issue({.common_name = "alice"});
  const Certificate bob = *authority.Issue({.common_name = "bob"});
  MemoryStore store;
  EXPECT_THAT(store.Current().status(), StatusIs(absl::StatusCode::kNotFound));
  const absl::StatusOr<std::shared_ptr<const KeyPair>> stored =
      store.Update(alice.certificate, alice.key);
  ASSERT_THAT(stored.status(), IsOk());
  EXPECT_EQ((*stored)->details.common_name, "alice");
  EXPECT_THAT(store.Current(), IsOkAndHolds(*stored));
  EXPECT_THAT(store.Update(bob.certificate, alice.key).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(store.Current(), IsOkAndHolds(*stored));
}

}  // namespace
}  // namespace kube::certificate
