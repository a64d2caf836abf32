#include "net/httpserver/internal/stream.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"

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

class SwitchingStreamTest : public StreamTest {
 protected:
  std::shared_ptr<Stream> MakeSwitching(bool wants_upgrade = true) {
    StreamEnvironment environment;
    environment.wake = [this] { ++wakes_; };
    environment.max_buffered_bytes = 100;
    environment.slow_readers = &slow_readers_;
    environment.connect = [this] {
      io::Pipe pipe = io::MakePipe();
      client_ = std::move(pipe.first);
      return std::move(pipe.second);
    };
    return std::make_shared<Stream>(
        Request{.method = "GET", .target = "/", .wants_upgrade = wants_upgrade},
        std::move(environment));
  }

  std::unique_ptr<io::DuplexStream> client_;
};

TEST_F(SwitchingStreamTest, SwitchProtocols_TakesThePlaceOfTheAnswer) {
  const auto stream = MakeSwitching();
  EXPECT_EQ(stream->phase(), Stream::Phase::kWaiting);
  const auto connection = stream->SwitchProtocols({{"upgrade", "echo"}});
  ASSERT_THAT(connection, base::IsOk());
  EXPECT_EQ(wakes_, 1);
  EXPECT_EQ(stream->phase(), Stream::Phase::kReady);
  const std::optional<ResponseHead> head = stream->TakeHead();
  ASSERT_TRUE(head.has_value());
  EXPECT_EQ(head->status, 101);
  EXPECT_TRUE(head->switches);
  EXPECT_EQ(head->headers, (http::Headers{{"upgrade", "echo"}, {"connection", "Upgrade"}}));
  EXPECT_EQ(stream->phase(), Stream::Phase::kSwitched);

  stream->Respond({});
  stream->Start(200, {});
  stream->Inform(103, {});
  EXPECT_FALSE(stream->Write("x"));
  stream->Finish({});
  EXPECT_EQ(stream->phase(), Stream::Phase::kSwitched);
  EXPECT_FALSE(stream->is_answered()) << "its handler is working";
  stream->EndInput();
  EXPECT_FALSE(stream->context().done());

  ASSERT_THAT((*connection)->Write(Context(), "hello"), base::IsOk());
  EXPECT_THAT(client_->Read(Context()), base::IsOkAndHolds("hello"));
  stream->Close(absl::CancelledError("test"));
  EXPECT_TRUE(stream->context().done());
}

TEST_F(SwitchingStreamTest, SwitchProtocols_ConnectionHeaderGiven_IsKept) {
  const auto stream = MakeSwitching();
  ASSERT_THAT(stream->SwitchProtocols({{"connection", "upgrade"}}), base::IsOk());
  EXPECT_EQ(stream->TakeHead()->headers, (http::Headers{{"connection", "upgrade"}}));
}

TEST_F(SwitchingStreamTest, SwitchProtocols_NotPossible_Fails) {
  const log::LogCapture log;
  using base::StatusIs;
  EXPECT_THAT(Make()->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(MakeSwitching(/*wants_upgrade=*/false)->SwitchProtocols({}),
              StatusIs(absl::StatusCode::kFailedPrecondition));

  const auto answered = MakeSwitching();
  answered->Start(200, {});
  EXPECT_THAT(answered->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  const auto aborted = MakeSwitching();
  aborted->Abort();
  EXPECT_THAT(aborted->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  const auto twice = MakeSwitching();
  EXPECT_THAT(twice->SwitchProtocols({}), base::IsOk());
  EXPECT_THAT(twice->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  const auto gone = MakeSwitching();
  gone->Close(absl::CancelledError("test"));
  EXPECT_THAT(gone->SwitchProtocols({}), StatusIs(absl::StatusCode::kUnavailable));

  const auto invalid = MakeSwitching();
  EXPECT_THAT(invalid->SwitchProtocols({{"a", "b\r\nc: d"}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  invalid->Respond({.status = 201});
  EXPECT_EQ(invalid->TakeHead()->status, 201);
}

TEST_F(SwitchingStreamTest, Abort_AfterSwitchProtocols_IsSeen) {
  const auto stream = MakeSwitching();
  ASSERT_THAT(stream->SwitchProtocols({}), base::IsOk());
  stream->TakeHead();
  EXPECT_EQ(stream->phase(), Stream::Phase::kSwitched);
  EXPECT_EQ(wakes_, 0);
  stream->Abort();
  EXPECT_EQ(wakes_, 1);
  EXPECT_EQ(stream->phase(), Stream::Phase::kAborted);
}

TEST_F(SwitchingStreamTest, AHandlerMayDropTheExchange) {
  const log::LogCapture log;
  const auto stream = MakeSwitching();
  std::shared_ptr<Exchange> exchange = ForHandler(stream);
  const auto connection = exchange->SwitchProtocols({});
  exchange.reset();
  EXPECT_EQ(stream->TakeHead()->status, 101);
  EXPECT_EQ(stream->phase(), Stream::Phase::kSwitched);
  EXPECT_THAT(log.Lines(), testing::IsEmpty());
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
