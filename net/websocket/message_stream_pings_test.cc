#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/testing/message_stream_fixture.h"

namespace kube::websocket {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(MessageStreamTest, Read_AnswersPings) {
  Simulate([] {
    StreamFixture fixture;
    fixture.Say(Opcode::kPing, "are you there?");
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(1)), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre("pong are you there?"));
  });
}

TEST(MessageStreamTest, Read_SendsPings) {
  Simulate([] {
    StreamFixture fixture;
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(4)), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(7)), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre("ping ", "ping "));  // after 5 and 10 seconds
    EXPECT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    EXPECT_THAT(fixture.Hear(), IsEmpty()) << "nobody reads";
  });
}

TEST(MessageStreamTest, Read_PingsAreOff_PeerMayBeSilent) {
  Simulate([] {
    StreamFixture fixture({.ping_interval = absl::ZeroDuration()});
    EXPECT_THAT(ReadFor(fixture.stream, absl::Hours(1)), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(MessageStreamTest, Read_PeerIsNeverLost_IfLostAfterIsZero) {
  Simulate([] {
    StreamFixture fixture({.lost_after = absl::ZeroDuration()});
    EXPECT_THAT(ReadFor(fixture.stream, absl::Hours(1)), StatusIs(StatusCode::kDeadlineExceeded));
  });
}

TEST(MessageStreamTest, Read_NoSignOfLife_PeerIsLost) {
  Simulate([] {
    StreamFixture fixture({}, kSmall);
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, Filling()), IsOk());
    base::ThreadGroup group{Context()};
    absl::Status written;
    group.Go("writer", [&](const Context& ctx) {
      written = fixture.stream.Write(ctx, MessageType::kBinary, "blocked");
      return absl::OkStatus();
    });
    const absl::Status lost = ReadText(fixture.stream).status();
    EXPECT_THAT(lost, StatusIs(StatusCode::kUnavailable, HasSubstr("the peer is lost")));
    EXPECT_THAT(CloseCodeOf(lost), Optional(CloseCode::kAbnormal));
    // The first ping was due after 5 seconds, although there was no room for it.
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(5 + 61));
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(written, lost);
    EXPECT_EQ(ReadText(fixture.stream).status(), lost);
    EXPECT_EQ(fixture.stream.Write(Context(), MessageType::kBinary, ""), lost);
    EXPECT_EQ(fixture.stream.Flush(Context()), lost);
  });
}

// As the server of a pod whose program does not read: it answers when it has got rid of the data.
TEST(MessageStreamTest, Read_PeerMayBeBusyWithData_IsNotLost) {
  Simulate([] {
    StreamFixture fixture;
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, std::string(2000, 'x')),
                IsOk());
    EXPECT_THAT(ReadFor(fixture.stream, absl::Minutes(10)),
                StatusIs(StatusCode::kDeadlineExceeded));
    const std::vector<std::string> heard = fixture.Hear();
    ASSERT_FALSE(heard.empty());
    EXPECT_EQ(heard.back(), "ping 1");
    fixture.Say(Opcode::kPong, "1");
    EXPECT_THAT(ReadFor(fixture.stream, absl::Minutes(2)),
                StatusIs(StatusCode::kUnavailable, HasSubstr("the peer is lost")));
  });
}

TEST(MessageStreamTest, Read_TimeInWhichNobodyReadsDoesNotCount) {
  Simulate([] {
    StreamFixture fixture;
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(6)), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(base::SleepFor(Context(), absl::Minutes(10)), IsOk());
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(59)),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(2)), StatusIs(StatusCode::kUnavailable));
    EXPECT_EQ(base::Now().since_epoch(), absl::Minutes(10) + absl::Seconds(5 + 61));
  });
}

TEST(MessageStreamTest, Read_AnyByteIsASignOfLife) {
  Simulate([] {
    StreamFixture fixture;
    base::ThreadGroup group{Context()};
    group.Go("peer", [&fixture](const Context& ctx) {
      fixture.SayBytes(absl::string_view("\x82\x09", 2));
      for (const char byte : absl::string_view("long word")) {
        EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(60)), IsOk());
        fixture.SayBytes(absl::string_view(&byte, 1));
      }
      return absl::OkStatus();
    });
    EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("binary long word"));
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(9 * 60));
    EXPECT_THAT(group.Wait(), IsOk());
  });
}

TEST(MessageStreamTest, Read_AnswersAreSentWhileAnotherThreadWrites) {
  Simulate([] {
    StreamFixture fixture({}, kSmall);
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, Filling()), IsOk());
    base::ThreadGroup group{Context()};
    group.Go("writer", [&](const Context& ctx) {
      return fixture.stream.Write(ctx, MessageType::kBinary, "x");
    });
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
    fixture.Say(Opcode::kPing, "1");
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(1)), StatusIs(StatusCode::kDeadlineExceeded));
    std::vector<std::string> heard = fixture.Hear();
    EXPECT_THAT(group.Wait(), IsOk());
    for (std::string& event : fixture.Hear()) heard.push_back(std::move(event));
    EXPECT_THAT(heard, ElementsAre(absl::StrCat("binary ", Filling()), "binary x", "pong 1"));
  });
}

TEST(MessageStreamTest, Read_PeerPingsAndDoesNotRead_GetsTheLastPong) {
  Simulate([] {
    StreamFixture fixture({.ping_interval = absl::ZeroDuration()}, kSmall);
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, Filling()), IsOk());
    for (int i = 0; i < 1000; ++i) {
      fixture.Say(Opcode::kPing, absl::StrCat(i));
      EXPECT_THAT(ReadFor(fixture.stream, absl::Milliseconds(1)),
                  StatusIs(StatusCode::kDeadlineExceeded));
    }
    EXPECT_THAT(fixture.Hear(), ElementsAre(absl::StrCat("binary ", Filling())));
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(3)), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre("pong 0", "pong 999"));
  });
}

}  // namespace
}  // namespace kube::websocket
