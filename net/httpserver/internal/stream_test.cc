#include "net/httpserver/internal/stream.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver::internal {
namespace {

class StreamTest : public testing::Test {
 protected:
  std::shared_ptr<Stream> Make(size_t max_buffered_bytes = 100) {
    StreamEnvironment environment;
    environment.wake = [this] { ++wakes_; };
    environment.max_buffered_bytes = max_buffered_bytes;
    environment.slow_readers = &slow_readers_;
    return std::make_shared<Stream>(Request{.method = "GET", .target = "/"},
                                    std::move(environment));
  }

  static std::string ReadUpTo(Stream& stream, size_t size) {
    std::array<char, 1000> buffer;
    return {buffer.data(), stream.Read(buffer.data(), size)};
  }

  int wakes_ = 0;
  std::atomic<int64_t> slow_readers_ = 0;
};

TEST_F(StreamTest, PassesOnWhatIsWritten) {
  const auto stream = Make();
  EXPECT_EQ(stream->phase(), Stream::Phase::kWaiting);
  stream->Start(200, {{"a", "b"}});
  stream->Write("one");
  stream->Write("two");
  EXPECT_EQ(wakes_, 1) << "once for each kWaiting";
  EXPECT_EQ(stream->phase(), Stream::Phase::kReady);
  EXPECT_EQ(stream->TakeHead()->status, 200);
  EXPECT_EQ(stream->buffered_bytes(), 6u);
  EXPECT_EQ(ReadUpTo(*stream, 4), "onet");
  EXPECT_EQ(ReadUpTo(*stream, 4), "wo");
  EXPECT_EQ(stream->phase(), Stream::Phase::kWaiting);
  stream->Finish({{"c", "d"}});
  EXPECT_EQ(wakes_, 2);
  EXPECT_EQ(stream->phase(), Stream::Phase::kFinished);
  EXPECT_EQ(stream->TakeTrailers().Get("c"), "d");
}

TEST_F(StreamTest, CallsWhoPausedOnceItIsDrained) {
  const auto stream = Make();
  int first = 0;
  int second = 0;
  EXPECT_FALSE(stream->PauseUntilDrained(10, [&] { ++first; })) << "nothing waits";
  stream->Write(std::string(11, 'x'));
  EXPECT_TRUE(stream->PauseUntilDrained(10, [&] { ++first; }));
  EXPECT_TRUE(stream->PauseUntilDrained(10, [&] {
    ++second;
    stream->Write("more");
  }));
  ReadUpTo(*stream, 5);
  EXPECT_EQ(second, 0) << "6 bytes wait";
  ReadUpTo(*stream, 1);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(ReadUpTo(*stream, 100), "xxxxxmore");
  EXPECT_EQ(second, 1);
  EXPECT_EQ(first, 0) << "the second took its place";
}

TEST_F(StreamTest, CanBeAnsweredUntilTheClientHasGone) {
  const auto stream = Make();
  EXPECT_TRUE(stream->can_answer());
  stream->EndInput();
  EXPECT_TRUE(stream->context().done());
  EXPECT_TRUE(stream->can_answer());
  stream->Close(absl::CancelledError("test"));
  EXPECT_FALSE(stream->can_answer());
}

TEST_F(StreamTest, ClientsThatGiveUpAreNoErrors) {
  const log::LogCapture log;
  const auto given_up = Make();
  given_up->EndInput();
  ForHandler(given_up).reset();
  EXPECT_EQ(given_up->TakeHead()->status, 500);
  const auto gone = Make();
  gone->Close(absl::CancelledError("test"));
  ForHandler(gone).reset();
  EXPECT_THAT(log.Lines(), testing::IsEmpty());
  ForHandler(Make()).reset();
  EXPECT_THAT(log.Lines(), testing::SizeIs(1));
}

TEST_F(StreamTest, KnowsWhenTheHandlerIsDone) {
  const auto stream = Make();
  stream->Write("one");
  EXPECT_FALSE(stream->is_answered());
  stream->Finish({});
  EXPECT_TRUE(stream->is_answered());
  const auto broken = Make();
  broken->Abort();
  EXPECT_TRUE(broken->is_answered());
}

TEST_F(StreamTest, NobodyIsCalledWhenItIsOver) {
  const auto stream = Make();
  auto held = std::make_shared<int>(0);
  stream->Write(std::string(20, 'x'));
  EXPECT_TRUE(stream->PauseUntilDrained(10, [held] { ++*held; }));
  stream->Close(absl::CancelledError("test"));
  EXPECT_EQ(*held, 0);
  EXPECT_EQ(held.use_count(), 1) << "what it holds is let go";
  EXPECT_FALSE(stream->PauseUntilDrained(0, [] {}));
  EXPECT_FALSE(stream->Write("x"));
  EXPECT_TRUE(stream->context().done());
}

TEST_F(StreamTest, CutsOffWhoWritesOn) {
  const auto stream = Make(10);
  EXPECT_TRUE(stream->Write(std::string(10, 'x')));
  EXPECT_FALSE(stream->Write("x"));
  EXPECT_EQ(stream->phase(), Stream::Phase::kAborted);
  EXPECT_EQ(slow_readers_, 1);
}

TEST_F(StreamTest, AnswersForAHandlerThatForgets) {
  const log::LogCapture log;
  const auto stream = Make();
  ForHandler(stream).reset();
  EXPECT_EQ(stream->TakeHead()->status, 500);
  const auto begun = Make();
  begun->Start(200, {});
  ForHandler(begun).reset();
  EXPECT_EQ(begun->phase(), Stream::Phase::kAborted);
}

}  // namespace
}  // namespace kube::httpserver::internal
