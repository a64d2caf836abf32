#include "clientset/rest/testing/scripted_stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

std::unique_ptr<watch::ByteStream> Open(std::shared_ptr<ScriptedStream> stream) {
  ScriptedTransport transport;
  transport.Expect({}, {.stream = std::move(stream)});
  return transport.RoundTrip(Context(), {.url = "http://h/"}).value().body;
}

void Simulate(const std::function<void()>& test) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
  }
}

absl::Duration Now() { return base::Now().since_epoch(); }

TEST(ScriptedStreamTest, PausesAreTheReaders) {
  Simulate([] {
    auto stream = std::make_shared<ScriptedStream>();
    stream->Pause(absl::Seconds(5));
    stream->Write("late");
    stream->End(absl::DataLossError("cut"));
    const auto body = Open(stream);
    EXPECT_THAT(stream->WaitUntilOpened(Context()), IsOk());
    EXPECT_THAT(body->Read(WithTimeout(Context(), absl::Seconds(2))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(body->Read(Context()), IsOkAndHolds("late"));  // nothing is lost
    EXPECT_EQ(Now(), absl::Seconds(5));
    EXPECT_THAT(body->Read(Context()).status(), StatusIs(absl::StatusCode::kDataLoss, "cut"));
    EXPECT_THAT(body->Read(Context()).status(), StatusIs(absl::StatusCode::kDataLoss, "cut"));
  });
}

TEST(ScriptedStreamTest, AReaderWaitsForTheTest) {
  Simulate([] {
    auto stream = std::make_shared<ScriptedStream>();
    const auto body = Open(stream);
    base::Thread writer;
    ASSERT_THAT(writer.Start(Context(), "writer",
                             [&stream](const Context& ctx) {
                               if (!base::SleepFor(ctx, absl::Seconds(1)).ok()) return;
                               stream->Write("now");
                             }),
                IsOk());
    EXPECT_THAT(body->Read(Context()), IsOkAndHolds("now"));
    writer.Join();
  });
}

TEST(ScriptedStreamTest, CloseEndsAReadThatWaits) {
  Simulate([] {
    auto stream = std::make_shared<ScriptedStream>();
    stream->Pause(absl::Hours(1));
    const auto body = Open(stream);
    base::Thread closer;
    ASSERT_THAT(closer.Start(Context(), "closer", [&body](const Context&) { body->Close(); }),
                IsOk());
    EXPECT_THAT(body->Read(Context()).status(), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_TRUE(stream->closed());
    EXPECT_LT(Now(), absl::Hours(1));
    closer.Join();
  });
}

}  // namespace
}  // namespace kube::rest
