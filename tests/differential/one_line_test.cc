#include "tests/differential/one_line.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace kube::oracle {
namespace {

TEST(OneLine, Escapes) {
  EXPECT_EQ(OneLine("a\nb\\n"), "a\\nb\\\\n");
  EXPECT_EQ(OneLine(absl::InvalidArgumentError("x\ny")), "error: x\\ny");
}

}  // namespace
}  // namespace kube::oracle
