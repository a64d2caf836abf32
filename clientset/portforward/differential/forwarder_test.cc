// Connections to ports of pods, through Kubernetes' own servers.

#include "clientset/portforward/forwarder.h"

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/portforward/differential/fixture.h"
#include "clientset/portforward/port_stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/streaming/pattern.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using streaming::Pattern;
using streaming::Sha256;
using testing::AllOf;
using testing::HasSubstr;

constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

class ForwarderTest : public WayTest {};
INSTANTIATE_TEST_SUITE_P(Ways, ForwarderTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(ForwarderTest, CarriesBytesInBothDirections) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto stream = (*forwarder)->Dial(ctx_, kEcho);
  ASSERT_THAT(stream, IsOk());
  EXPECT_THAT((*stream)->Write(ctx_, "ping"), IsOk());
  EXPECT_THAT((*stream)->Read(ctx_), IsOkAndHolds("ping"));
  EXPECT_THAT((*stream)->Write(ctx_, "pong"), IsOk());
  EXPECT_THAT((*stream)->CloseWrite(), IsOk());
  EXPECT_THAT(ReadAll(ctx_, **stream), IsOkAndHolds("pong"));
  EXPECT_THAT((*stream)->Outcome(ctx_), IsOk());
}

TEST_P(ForwarderTest, SizesAroundThatOfFrames) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  for (const size_t size : {0, 1, 32'767, 32'768, 32'769, 65'536, 200'000}) {
    const std::string text = Pattern(size, size);
    const absl::StatusOr<std::string> answer = Ask(ctx_, **forwarder, kEcho, text);
    ASSERT_THAT(answer, IsOk()) << size;
    EXPECT_TRUE(*answer == text) << size;
  }
}

// The service answers when it has read the end.
TEST_P(ForwarderTest, OnlyTheClientEnds) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  EXPECT_THAT(Ask(ctx_, **forwarder, kCount, "abc"),
              IsOkAndHolds(absl::StrCat("3 ", Sha256("abc"), "\n")));
}

TEST_P(ForwarderTest, TheServiceEndsFirst) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto stream = (*forwarder)->Dial(ctx_, kGreeting);
  ASSERT_THAT(stream, IsOk());
  EXPECT_THAT(ReadAll(ctx_, **stream), IsOkAndHolds("hello\n"));
  EXPECT_THAT((*stream)->Outcome(ctx_), IsOk());
}

constexpr size_t kLarge = size_t{32} << 20;

TEST_P(ForwarderTest, ALargeDownload) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto stream = (*forwarder)->Dial(ctx_, kSource);
  ASSERT_THAT(stream, IsOk());
  ASSERT_THAT((*stream)->Write(ctx_, absl::StrCat(kLarge, " 7\n")), IsOk());
  const absl::StatusOr<std::string> text = ReadAll(ctx_, **stream);
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(text->size(), kLarge);
  EXPECT_EQ(Sha256(*text), Sha256(Pattern(kLarge, 7)));
  EXPECT_THAT((*stream)->Outcome(ctx_), IsOk());
}

TEST_P(ForwarderTest, ALargeUpload) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const std::string text = Pattern(kLarge, 8);
  EXPECT_THAT(Ask(ctx_, **forwarder, kCount, text),
              IsOkAndHolds(absl::StrCat(kLarge, " ", Sha256(text), "\n")));
}

// client-go ends all connections of a pod with the first one that fails.
TEST_P(ForwarderTest, AConnectionThatFailsLeavesTheOthersAlone) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto other = (*forwarder)->Dial(ctx_, kEcho);
  ASSERT_THAT(other, IsOk());

  // The kubelet may fail before it has accepted the stream.
  const auto refused = (*forwarder)->Dial(ctx_, kRefused);
  EXPECT_THAT(
      refused.ok() ? (*refused)->Outcome(ctx_) : refused.status(),
      StatusIs(kUnavailable, AllOf(HasSubstr("forward to port 81 of pod \"web-0\" in \"default\""),
                                   HasSubstr("error forwarding port 81 to pod"),
                                   HasSubstr("connection refused"))));
  if (refused.ok()) {
    EXPECT_THAT((*refused)->Read(ctx_), StatusIs(kUnavailable));
  }

  const auto reset = (*forwarder)->Dial(ctx_, kReset);
  ASSERT_THAT(reset, IsOk());
  ASSERT_THAT((*reset)->Write(ctx_, "a"), IsOk());
  EXPECT_THAT((*reset)->Outcome(ctx_),
              StatusIs(kUnavailable, HasSubstr("connection reset by peer")));

  EXPECT_THAT((*other)->Write(ctx_, "ping"), IsOk());
  EXPECT_THAT((*other)->Read(ctx_), IsOkAndHolds("ping"));
}

TEST_P(ForwarderTest, AStreamThatIsClosedUnreadFreesTheOthers) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto unread = (*forwarder)->Dial(ctx_, kSource);
  ASSERT_THAT(unread, IsOk());
  // More than all buffers on the way hold.
  ASSERT_THAT((*unread)->Write(ctx_, "1000000000 1\n"), IsOk());
  ASSERT_THAT((*unread)->Read(ctx_), IsOk());
  (*unread)->Close();
  EXPECT_THAT(Ask(ctx_, **forwarder, kEcho, "abc"), IsOkAndHolds("abc"));
}

TEST_P(ForwarderTest, AReadThatIsCancelled) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto stream = (*forwarder)->Dial(ctx_, kMute);
  ASSERT_THAT(stream, IsOk());
  EXPECT_THAT((*stream)->Read(WithTimeout(ctx_, absl::Milliseconds(50))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT((*stream)->CloseWrite(), IsOk());
  EXPECT_THAT(ReadAll(ctx_, **stream), IsOkAndHolds(""));
}

constexpr int kAtOnce = 200;

TEST_P(ForwarderTest, ManyAtOnce) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  base::ThreadGroup group(ctx_);
  for (int i = 0; i < kAtOnce; ++i) {
    group.Go("client", [&, i](const Context& ctx) {
      const std::string text = Pattern(1000 + i, i);
      EXPECT_THAT(Ask(ctx, **forwarder, kEcho, text), IsOkAndHolds(text));
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

// behaviour.md: ST-39
TEST_P(ForwarderTest, PodsThatCannotBeReached) {
  const absl::Status missing = Connect("missing").status();
  EXPECT_TRUE(errors::IsNotFound(missing)) << missing;
  EXPECT_THAT(missing.ToString(), AllOf(HasSubstr("forward ports of pod \"missing\""),
                                        HasSubstr("pods \"missing\" not found")));
  const absl::Status unscheduled = Connect("unscheduled").status();
  EXPECT_TRUE(errors::IsBadRequest(unscheduled)) << unscheduled;
  // The kubelet's answer is passed on, unlike that of exec.
  const absl::Status forgotten = Connect("forgotten").status();
  EXPECT_TRUE(errors::IsNotFound(forgotten)) << forgotten;
}

TEST_P(ForwarderTest, UsersWhoMayOnlyCreate) {
  const auto forwarder = Forwarder::Connect(ctx_, node().ClientFor("create-only"),
                                            {"default", "web-0"}, GetParam().options);
  ASSERT_THAT(forwarder, IsOk());
  EXPECT_THAT(Ask(ctx_, **forwarder, kEcho, "abc"), IsOkAndHolds("abc"));
}

}  // namespace
}  // namespace kube::portforward
