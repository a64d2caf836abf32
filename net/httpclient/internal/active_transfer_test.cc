#include "net/httpclient/internal/active_transfer.h"

#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOk;

class ActiveTransferTest : public ::testing::Test {
 protected:
  ActiveTransferTest() {
    EXPECT_THAT(loop_.Open(), IsOk());
    loop_.RunOnce(/*wait=*/false);  // sets the loop's time
  }
  ~ActiveTransferTest() override { loop_.Close(); }

  // Runs the loop for longer than the header timeout of the request.
  void RunPastHeaderTimeout() {
    bool is_past = false;
    io::EventLoop::Timer timer(loop_, [&] { is_past = true; });
    timer.Set(loop_.now() + kHeaderTimeout * 5);
    while (!is_past) loop_.RunOnce();
  }

  static constexpr absl::Duration kHeaderTimeout = absl::Milliseconds(2);

  io::EventLoop loop_;
  io::EventLoop::Task news_{loop_, io::EventLoop::Turn::kEnds, [] {}};
  const std::shared_ptr<Transfer> transfer_ = std::make_shared<Transfer>(
      HttpRequest{.url = "http://host/", .header_timeout = kHeaderTimeout}, Endpoint{},
      /*max_buffered_bytes=*/100, std::make_shared<TransferCounters>());
};

TEST_F(ActiveTransferTest, HeaderTimeout_WhilePlaced_Interrupts) {
  ActiveTransfer active(loop_, transfer_, news_);
  active.OnPlaced();
  RunPastHeaderTimeout();
  const std::optional<absl::Status> status = active.Interruption("host");
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(TransportErrorOf(*status)->kind, TransportErrorKind::kTimeout);
}

// A request that a connection has not processed waits for another one, as long as that takes.
TEST_F(ActiveTransferTest, HeaderTimeout_AfterOnDisplaced_BeginsAnew) {
  ActiveTransfer active(loop_, transfer_, news_);
  active.OnPlaced();
  active.OnDisplaced();
  RunPastHeaderTimeout();
  EXPECT_EQ(active.Interruption("host"), std::nullopt);
  active.OnPlaced();
  RunPastHeaderTimeout();
  EXPECT_NE(active.Interruption("host"), std::nullopt);
}

}  // namespace
}  // namespace kube::httpclient::internal
