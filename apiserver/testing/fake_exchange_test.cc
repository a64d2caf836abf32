#include "apiserver/testing/fake_exchange.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

TEST(FakeExchange, KeepsWhatIsAnswered) {
  FakeExchange exchange({.method = "GET", .target = "/x"});
  EXPECT_EQ(exchange.request().target, "/x");
  exchange.Start(200, {{"a", "b"}});
  EXPECT_TRUE(exchange.Write("one\n"));
  EXPECT_THAT(exchange.WaitForLines(Context(), 1), base::IsOk());
  EXPECT_THAT(exchange.Wait(WithTimeout(Context(), absl::ZeroDuration())),
              base::StatusIs(absl::StatusCode::kDeadlineExceeded));
  exchange.Finish({});
  EXPECT_THAT(exchange.Wait(Context()), base::IsOk());
  EXPECT_FALSE(exchange.Write("two\n"));
  EXPECT_THAT(exchange.lines(), testing::ElementsAre("one"));
  EXPECT_EQ(exchange.headers().Get("a"), "b");
}

TEST(FakeExchange, CanBeCancelled) {
  FakeExchange exchange({});
  exchange.Cancel();
  EXPECT_TRUE(exchange.context().done());
  EXPECT_FALSE(exchange.Write("x"));
}

}  // namespace
}  // namespace kube::apiserver
