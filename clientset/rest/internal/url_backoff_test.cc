#include "clientset/rest/internal/url_backoff.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

// behaviour.md: REST-21
TEST(UrlBackoffTest, DoublesUntilTheServerIsWell) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  UrlBackoff backoff("1", "5");
  EXPECT_EQ(backoff.Delay(), absl::ZeroDuration());
  for (const int seconds : {1, 2, 4, 5, 5}) {
    backoff.Update(seconds % 2 == 0 ? 429 : 503);
    EXPECT_EQ(backoff.Delay(), absl::Seconds(seconds));
  }
  backoff.Update(404);
  EXPECT_EQ(backoff.Delay(), absl::ZeroDuration());
  backoff.Update(500);
  EXPECT_EQ(backoff.Delay(), absl::Seconds(1));
  backoff.Update(0);
  EXPECT_EQ(backoff.Delay(), absl::ZeroDuration());
}

// behaviour.md: REST-21
TEST(UrlBackoffTest, ForgetsAfterTwiceTheMaximum) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  UrlBackoff backoff("1", "5");
  backoff.Update(503);
  backoff.Update(503);
  clock.Step(absl::Seconds(10));
  EXPECT_EQ(backoff.Delay(), absl::Seconds(2));
  clock.Step(absl::Seconds(1));
  EXPECT_EQ(backoff.Delay(), absl::ZeroDuration());
  backoff.Update(503);
  EXPECT_EQ(backoff.Delay(), absl::Seconds(1));
}

// behaviour.md: REST-21
TEST(UrlBackoffTest, IsOffUnlessBothAreNumbers) {
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"", ""}, {"1", ""}, {"", "5"}, {"x", "5"}, {"0", "5"}, {"1", "-5"}, {"1s", "5"}};
  for (const auto& [first, most] : settings) {
    UrlBackoff backoff(first, most);
    backoff.Update(503);
    EXPECT_EQ(backoff.Delay(), absl::ZeroDuration()) << first << " " << most;
  }
}

}  // namespace
}  // namespace kube::rest::internal
