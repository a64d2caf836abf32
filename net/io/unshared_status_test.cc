#include "net/io/unshared_status.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::io {
namespace {

using ::kube::base::IsOk;

TEST(UnsharedCopyTest, IsEqual) {
  EXPECT_THAT(UnsharedCopy(absl::OkStatus()), IsOk());
  absl::Status status = absl::AbortedError("the peer has reset it");
  status.SetPayload("a", absl::Cord("1"));
  status.SetPayload("b", absl::Cord("a payload that does not fit into a small cord"));
  EXPECT_EQ(UnsharedCopy(status), status);
}

TEST(UnsharedCopyTest, ChangesAlone) {
  const absl::Status status = absl::AbortedError("the peer has reset it");
  absl::Status copy = UnsharedCopy(status);
  copy.SetPayload("a", absl::Cord("1"));
  EXPECT_NE(copy, status);
}

}  // namespace
}  // namespace kube::io
