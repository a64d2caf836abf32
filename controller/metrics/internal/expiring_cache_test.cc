#include "controller/metrics/internal/expiring_cache.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "gtest/gtest.h"

namespace kube::metrics::internal {
namespace {

class ExpiringCacheTest : public testing::Test {
 protected:
  base::FakeClock clock_;
  const base::RuntimeScope scope_{clock_};
  ExpiringCache<int> cache_{3};
};

TEST_F(ExpiringCacheTest, Get_AfterTheTime_ReturnsNothing) {
  cache_.Set("a", 1, absl::Seconds(2));
  cache_.Set("b", 2, absl::Seconds(5));
  cache_.Set("never", 3, absl::ZeroDuration());
  clock_.Step(absl::Milliseconds(1999));
  EXPECT_EQ(cache_.Get("a"), 1);
  EXPECT_EQ(cache_.Get("never"), std::nullopt);
  clock_.Step(absl::Milliseconds(1));
  EXPECT_EQ(cache_.Get("a"), std::nullopt);
  EXPECT_EQ(cache_.Get("b"), 2);
}

TEST_F(ExpiringCacheTest, Set_AgainWithTheSameKey_ReplacesValueAndTime) {
  cache_.Set("a", 1, absl::Seconds(2));
  clock_.Step(absl::Seconds(1));
  cache_.Set("a", 2, absl::Seconds(2));
  clock_.Step(absl::Milliseconds(1500));
  EXPECT_EQ(cache_.Get("a"), 2);
  EXPECT_EQ(cache_.size(), 1u);
}

TEST_F(ExpiringCacheTest, Set_FullCache_ReplacesTheOneThatExpiresFirst) {
  cache_.Set("long", 1, absl::Seconds(9));
  cache_.Set("short", 2, absl::Seconds(1));
  cache_.Set("middle", 3, absl::Seconds(5));
  cache_.Set("new", 4, absl::Seconds(5));
  EXPECT_EQ(cache_.Get("short"), std::nullopt);
  EXPECT_EQ(cache_.Get("long"), 1);
  EXPECT_EQ(cache_.Get("middle"), 3);
  EXPECT_EQ(cache_.Get("new"), 4);
  for (int i = 0; i < 1000; ++i) cache_.Set(absl::StrCat(i), i, absl::Seconds(5));
  EXPECT_EQ(cache_.size(), 3u);
}

}  // namespace
}  // namespace kube::metrics::internal
