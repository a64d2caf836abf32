#include "clientset/remotecommand/internal/liveness.h"

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "gtest/gtest.h"

namespace kube::remotecommand::internal {
namespace {

constexpr base::MonotonicTime kStart{absl::Seconds(1000)};

// behaviour.md: ST-13
TEST(LivenessTest, PingsAreDueEveryFiveSeconds) {
  Liveness liveness(kStart);
  EXPECT_EQ(liveness.next_ping(), kStart + absl::Seconds(5));
  liveness.OnPingDue(kStart + absl::Seconds(7));
  EXPECT_EQ(liveness.next_ping(), kStart + absl::Seconds(12));
}

// behaviour.md: ST-13
TEST(LivenessTest, SilenceOf61SecondsIsALoss) {
  Liveness liveness(kStart);
  liveness.OnPing(1);
  liveness.OnSilence(absl::Seconds(60));
  EXPECT_FALSE(liveness.lost());
  liveness.OnSilence(absl::Seconds(1));
  EXPECT_TRUE(liveness.lost());
}

TEST(LivenessTest, AWaitEndsWithAPingOrTheLoss) {
  Liveness liveness(kStart);
  EXPECT_EQ(liveness.WaitUntil(kStart), kStart + absl::Seconds(5));
  liveness.OnSilence(absl::Seconds(60));
  EXPECT_EQ(liveness.WaitUntil(kStart), kStart + absl::Seconds(1));
  liveness.OnSilence(absl::Hours(1));
  EXPECT_EQ(liveness.WaitUntil(kStart), kStart + absl::Seconds(5));
}

TEST(LivenessTest, AnyByteIsASignOfLife) {
  Liveness liveness(kStart);
  liveness.OnSilence(absl::Seconds(60));
  liveness.OnBytes();
  liveness.OnSilence(absl::Seconds(60));
  EXPECT_FALSE(liveness.lost());
}

// behaviour.md: ST-15
TEST(LivenessTest, DataMayKeepTheServerFromAnswering) {
  Liveness liveness(kStart);
  liveness.OnPing(1);
  liveness.OnData();
  liveness.OnPing(2);
  liveness.OnSilence(absl::Hours(10));
  EXPECT_FALSE(liveness.lost()) << "the server may wait for the command to read";
  liveness.OnBytes();
  liveness.OnPong(1);
  liveness.OnSilence(absl::Hours(10));
  EXPECT_FALSE(liveness.lost()) << "the ping was sent before the data";
  liveness.OnBytes();
  liveness.OnPong(2);
  EXPECT_FALSE(liveness.lost());
  liveness.OnSilence(absl::Seconds(61));
  EXPECT_TRUE(liveness.lost()) << "the command has taken the data";
}

TEST(LivenessTest, DataBeforeTheFirstPing) {
  Liveness liveness(kStart);
  liveness.OnData();
  liveness.OnSilence(absl::Hours(1));
  EXPECT_FALSE(liveness.lost());
  liveness.OnPing(1);
  liveness.OnPong(1);
  EXPECT_TRUE(liveness.lost());
}

TEST(LivenessTest, SilenceAfterAFailedWriteIsALoss) {
  Liveness liveness(kStart);
  liveness.OnData();
  liveness.OnWriteFailed();
  EXPECT_FALSE(liveness.lost());
  liveness.OnSilence(absl::Seconds(61));
  EXPECT_TRUE(liveness.lost());
}

}  // namespace
}  // namespace kube::remotecommand::internal
