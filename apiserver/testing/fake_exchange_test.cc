#include "apiserver/testing/fake_exchange.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"

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

TEST(FakeExchange, SwitchesProtocols) {
  FakeExchange exchange({.method = "GET", .target = "/x", .wants_upgrade = true});
  EXPECT_EQ(exchange.TakeConnection(), nullptr);
  const auto server = exchange.SwitchProtocols({{"upgrade", "echo"}});
  ASSERT_THAT(server, base::IsOk());
  EXPECT_EQ(exchange.status(), 101);
  EXPECT_EQ(exchange.headers().Get("upgrade"), "echo");
  EXPECT_THAT(exchange.Wait(Context()), base::IsOk());
  const std::unique_ptr<io::DuplexStream> client = exchange.TakeConnection();
  ASSERT_THAT((*server)->Write(Context(), "hello"), base::IsOk());
  EXPECT_THAT(client->Read(Context()), base::IsOkAndHolds("hello"));

  EXPECT_THAT(exchange.SwitchProtocols({}), base::StatusIs(absl::StatusCode::kFailedPrecondition));
  FakeExchange plain({.method = "GET", .target = "/x"});
  EXPECT_THAT(plain.SwitchProtocols({}), base::StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(FakeExchange, CanBeCancelled) {
  FakeExchange exchange({});
  exchange.Cancel();
  EXPECT_TRUE(exchange.context().done());
  EXPECT_FALSE(exchange.Write("x"));
}

}  // namespace
}  // namespace kube::apiserver
