#include "controller/leaderelection/fencing_token.h"

#include <compare>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

using base::StatusIs;

TEST(FencingToken, Compare_OrdersByResourceVersionAsANumber) {
  const struct {
    const char* name;
    FencingToken a, b;
    std::strong_ordering order;
  } cases[] = {
      {"by number, not by text", {3, "99"}, {4, "100"}, std::strong_ordering::less},
      {"the same term", {3, "99"}, {3, "99"}, std::strong_ordering::equal},
      {"a holder that came back under its name", {3, "99"}, {3, "150"}, std::strong_ordering::less},
      {"the lease was deleted: transitions began again",
       {0, "200"},
       {7, "100"},
       std::strong_ordering::greater},
      {"beyond 64 bits",
       {0, "99999999999999999999"},
       {0, "100000000000000000000"},
       std::strong_ordering::less},
  };
  for (const auto& test : cases) {
    const auto order = CompareFencingTokens(test.a, test.b);
    ASSERT_TRUE(order.ok()) << test.name;
    EXPECT_TRUE(*order == test.order) << test.name;
  }
}

TEST(FencingToken, Compare_NotAResourceVersion_IsInvalidArgument) {
  EXPECT_THAT(CompareFencingTokens({0, ""}, {0, "1"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CompareFencingTokens({0, "1"}, {0, "x"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::leaderelection
