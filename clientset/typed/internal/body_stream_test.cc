#include "clientset/typed/internal/body_stream.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/byte_stream.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::typed::internal {
namespace {

// Returns one byte after each `pause`.
class SlowStream final : public watch::ByteStream {
 public:
  SlowStream(absl::Duration pause, bool& closed) : pause_(pause), closed_(closed) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    const absl::Status status = base::SleepFor(ctx, pause_);
    if (!status.ok()) return status;
    return "x";
  }
  void Close() override { closed_ = true; }

 private:
  const absl::Duration pause_;
  bool& closed_;
};

TEST(BodyStream, Read_DataWithinTheLimit_ReturnsIt) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    bool closed = false;
    BodyStream stream(std::make_unique<SlowStream>(absl::Seconds(9), closed), absl::Seconds(10));
    for (int i = 0; i < 100; ++i) EXPECT_THAT(stream.Read(Context()), base::IsOkAndHolds("x"));
    EXPECT_FALSE(closed);
    stream.Close();
    EXPECT_TRUE(closed);
  }),
              base::IsOk());
}

TEST(BodyStream, Read_NoDataWithinTheLimit_FailsWithLost) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    bool closed = false;
    BodyStream stream(std::make_unique<SlowStream>(absl::Seconds(11), closed), absl::Seconds(10));
    // The caller's context ends first, and nothing is lost.
    EXPECT_THAT(stream.Read(WithTimeout(Context(), absl::Seconds(5))),
                base::StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_FALSE(closed);
    // The time that was spent waiting counts.
    for (int i = 0; i < 2; ++i) {
      const absl::Status status = stream.Read(Context()).status();
      ASSERT_TRUE(httpclient::TransportErrorOf(status).has_value()) << status;
      EXPECT_EQ(httpclient::TransportErrorOf(status)->kind, httpclient::TransportErrorKind::kLost);
      EXPECT_EQ(base::Now(), base::MonotonicTime(absl::Seconds(10)));
    }
    EXPECT_TRUE(closed);
  }),
              base::IsOk());
}

TEST(BodyStream, Read_WithoutALimit_WaitsAndCountsBytes) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    const base::Counter bytes(std::make_shared<base::CounterCell>());
    bool closed = false;
    BodyStream stream(std::make_unique<SlowStream>(absl::Hours(1), closed), absl::ZeroDuration(),
                      bytes);
    for (int i = 0; i < 3; ++i) EXPECT_THAT(stream.Read(Context()), base::IsOkAndHolds("x"));
    EXPECT_FALSE(stream.Read(WithTimeout(Context(), absl::Seconds(1))).ok());
    EXPECT_EQ(bytes.Value(), 3u);
    EXPECT_FALSE(closed);
  }),
              base::IsOk());
}

}  // namespace
}  // namespace kube::typed::internal
