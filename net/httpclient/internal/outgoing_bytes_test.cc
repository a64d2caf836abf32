#include "net/httpclient/internal/outgoing_bytes.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;

constexpr size_t kLimit = 10;

Context Briefly() { return WithTimeout(Context(), absl::Milliseconds(5)); }

class OutgoingBytesTest : public ::testing::Test {
 protected:
  // Returns whether the I/O thread must be told.
  bool Write(const std::string& bytes) {
    bool wake = false;
    EXPECT_THAT(bytes_.Write(Context(), bytes, wake), IsOk());
    return wake;
  }
  std::string Take() {
    std::string out;
    bytes_.Take(out);
    return out;
  }

  OutgoingBytes bytes_{kLimit};
};

// The I/O thread is told once, and looks again until it has found nothing.
TEST_F(OutgoingBytesTest, WakesOnceForManyWrites) {
  EXPECT_TRUE(Write("one,"));
  EXPECT_FALSE(Write("two,"));
  EXPECT_EQ(Take(), "one,two,");
  EXPECT_FALSE(Write("three"));
  EXPECT_EQ(Take(), "three");
  EXPECT_EQ(Take(), "");
  EXPECT_TRUE(Write("four"));
}

TEST_F(OutgoingBytesTest, TakeKeepsWhatIsThere) {
  Write("two");
  std::string out = "one,";
  bytes_.Take(out);
  EXPECT_EQ(out, "one,two");
  EXPECT_EQ(Take(), "");
}

TEST_F(OutgoingBytesTest, WriteBlocksWhileMuchWaits) {
  Write("1234567890");
  // The limit is not exceeded yet, and a piece may be longer than it.
  Write(std::string(100, 'x'));
  bool wake = false;
  EXPECT_THAT(bytes_.Write(Briefly(), "lost", wake), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_FALSE(wake);
  EXPECT_EQ(Take(), absl::StrCat("1234567890", std::string(100, 'x')));
  Write("more");
  EXPECT_EQ(Take(), "more");
}

TEST_F(OutgoingBytesTest, FlushWaitsForTheSocket) {
  EXPECT_THAT(bytes_.Flush(Context()), IsOk());
  Write("one");
  EXPECT_THAT(bytes_.Flush(Briefly()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(Take(), "one");
  // Taken, but perhaps not sent.
  EXPECT_THAT(bytes_.Flush(Briefly()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(Take(), "");
  EXPECT_THAT(bytes_.Flush(Context()), IsOk());
}

TEST_F(OutgoingBytesTest, EndIsFinal) {
  Write("one");
  EXPECT_EQ(Take(), "one");
  EXPECT_EQ(Take(), "");
  Write("two");
  const absl::Status lost = MakeTransportError({.kind = TransportErrorKind::kLost}, "silent");
  bytes_.End(lost);
  bytes_.End(absl::FailedPreconditionError("closed"));
  bool wake = false;
  EXPECT_EQ(bytes_.Write(Context(), "three", wake), lost);
  EXPECT_FALSE(wake);
  EXPECT_EQ(bytes_.Flush(Context()), lost);
  EXPECT_EQ(Take(), "two");
}

TEST_F(OutgoingBytesTest, EndWakesWhoWaits) {
  Write(std::string(100, 'x'));
  base::Event begun;
  base::Thread writer;
  ASSERT_THAT(writer.Start(Context(), "writer",
                           [&](const Context& ctx) {
                             begun.Set();
                             bool wake = false;
                             EXPECT_THAT(bytes_.Write(ctx, "more", wake),
                                         StatusIs(absl::StatusCode::kFailedPrecondition, "closed"));
                           }),
              IsOk());
  ASSERT_THAT(begun.Wait(Context()), IsOk());
  EXPECT_THAT(bytes_.Flush(Briefly()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  bytes_.End(absl::FailedPreconditionError("closed"));
  writer.Join();
}

// A writer and an I/O thread that sleeps until it is told: no byte is lost, and neither waits for
// the other forever.
TEST_F(OutgoingBytesTest, NothingIsLostBetweenThreads) {
  constexpr int kWrites = 20'000;
  base::ThreadGroup group(WithTimeout(Context(), absl::Minutes(1)));
  base::Mutex mutex;
  base::CondVar changed;
  int wakes = 0;
  group.Go("writer", [&](const Context& ctx) -> absl::Status {
    for (int i = 0; i < kWrites; ++i) {
      bool wake = false;
      const absl::Status status = bytes_.Write(ctx, "data", wake);
      if (!status.ok()) return status;
      if (!wake) continue;
      base::MutexLock lock(mutex);
      ++wakes;
      changed.NotifyOne();
    }
    return bytes_.Flush(ctx);
  });
  group.Go("io", [&](const Context& ctx) -> absl::Status {
    size_t received = 0;
    std::string out;
    for (int heard = 0; received < 4 * size_t{kWrites};) {
      {
        base::MutexLock lock(mutex);
        const absl::Status status = changed.Wait(ctx, mutex, [&] { return wakes > heard; });
        if (!status.ok()) return status;
        heard = wakes;
      }
      for (bytes_.Take(out); !out.empty(); bytes_.Take(out)) {
        received += out.size();
        out.clear();
      }
    }
    return received == 4 * size_t{kWrites} ? absl::OkStatus() : absl::DataLossError("bytes");
  });
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::httpclient::internal
