#include "apimachinery/watch/stream_watcher.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

namespace corev1 = api::core::v1;
using absl::StatusCode;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

// A stream whose chunks come out of a queue: a text, or how it breaks.
class FakeStream final : public ByteStream {
 public:
  explicit FakeStream(std::vector<absl::StatusOr<std::string>> chunks = {})
      : chunks_(100, base::WhenFull::kReject) {
    for (absl::StatusOr<std::string>& chunk : chunks) Send(std::move(chunk));
  }

  void Send(absl::StatusOr<std::string> chunk) {
    EXPECT_THAT(chunks_.Push(Context(), std::move(chunk)), IsOk());
  }

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    absl::StatusOr<absl::StatusOr<std::string>> chunk = chunks_.Pop(ctx);
    if (!chunk.ok() && absl::IsOutOfRange(chunk.status())) {
      return absl::CancelledError("stream closed");
    }
    if (!chunk.ok()) return chunk.status();
    return *std::move(chunk);
  }

  void Recycle(std::string) override { ++recycled_; }
  int recycled() const { return recycled_; }

  void Close() override { chunks_.Close(); }

 private:
  int recycled_ = 0;
  base::BoundedQueue<absl::StatusOr<std::string>> chunks_;
};

std::string Frame(const char* type, const char* name) {
  return absl::StrCat("{\"type\":\"", type,
                      "\",\"object\":{\"kind\":\"Pod\",\"metadata\":{\"name\":\"", name, "\"}}}\n");
}

constexpr char kExpired[] =
    R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"old"}})";

using PodWatcher = StreamWatcher<corev1::Pod>;

std::vector<std::string> Drain(Watcher<corev1::Pod>& watcher) {
  std::vector<std::string> lines;
  while (true) {
    absl::StatusOr<std::optional<Event<corev1::Pod>>> event = watcher.Next(Context());
    EXPECT_THAT(event, IsOk());
    if (!event.ok() || !event->has_value()) return lines;
    const Event<corev1::Pod>& e = **event;
    lines.push_back(absl::StrCat(ToString(e.type), " ",
                                 e.object ? e.object->metadata.name.view() : e.error.message()));
  }
}

std::vector<std::string> EventsOf(std::vector<absl::StatusOr<std::string>> chunks) {
  PodWatcher watcher(codec::ContentType::kJson, std::make_unique<FakeStream>(std::move(chunks)));
  return Drain(watcher);
}

TEST(StreamWatcher, Next_StreamInPiecesOfAnySize_DecodesEachEvent) {
  const std::string body =
      Frame("ADDED", "a") + Frame("MODIFIED", "b") + Frame("DELETED", "c") + Frame("BOOKMARK", "d");
  EXPECT_THAT(EventsOf({body, ""}),
              ElementsAre("ADDED a", "MODIFIED b", "DELETED c", "BOOKMARK d"));
  std::vector<absl::StatusOr<std::string>> pieces;
  for (size_t i = 0; i < body.size(); i += 7) pieces.emplace_back(body.substr(i, 7));
  pieces.emplace_back("");
  EXPECT_THAT(EventsOf(std::move(pieces)),
              ElementsAre("ADDED a", "MODIFIED b", "DELETED c", "BOOKMARK d"));
  EXPECT_THAT(EventsOf({""}), ElementsAre());
}

TEST(StreamWatcher, HasNext_BufferedEvent_IsTrueAndBuffersAreRecycled) {
  auto owned = std::make_unique<FakeStream>();
  FakeStream& stream = *owned;
  PodWatcher watcher(codec::ContentType::kJson, std::move(owned));
  EXPECT_FALSE(watcher.HasNext());
  stream.Send(Frame("ADDED", "a") + Frame("ADDED", "b") + "{");
  EXPECT_THAT(watcher.Next(Context()), IsOk());
  EXPECT_TRUE(watcher.HasNext());
  EXPECT_EQ(stream.recycled(), 1);
  EXPECT_THAT(watcher.Next(Context()), IsOk());
  EXPECT_FALSE(watcher.HasNext());
}

TEST(StreamWatcher, Next_AfterAnErrorEvent_Ends) {
  EXPECT_THAT(EventsOf({Frame("ADDED", "a") + kExpired + Frame("ADDED", "b"), "more"}),
              ElementsAre("ADDED a", "ERROR old"));
  PodWatcher watcher(codec::ContentType::kJson,
                     std::make_unique<FakeStream>(
                         std::vector<absl::StatusOr<std::string>>{std::string(kExpired)}));
  const absl::StatusOr<std::optional<Event<corev1::Pod>>> event = watcher.Next(Context());
  ASSERT_THAT(event, IsOk());
  EXPECT_TRUE(errors::IsResourceExpired((*event)->error));
}

// As client-go: an undecodable event becomes an error with code 500, and ends the watch.
// behaviour.md: COD-4
TEST(StreamWatcher, BytesThatAreNoEventAreAnError) {
  PodWatcher watcher(codec::ContentType::kJson,
                     std::make_unique<FakeStream>(std::vector<absl::StatusOr<std::string>>{
                         Frame("ADDED", "a") + Frame("RENAMED", "b") + Frame("ADDED", "c")}));
  EXPECT_THAT(watcher.Next(Context()), IsOk());
  const absl::StatusOr<std::optional<Event<corev1::Pod>>> event = watcher.Next(Context());
  ASSERT_THAT(event, IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_THAT((*event)->error,
              StatusIs(StatusCode::kInternal,
                       HasSubstr("unable to decode an event from the watch stream: got invalid "
                                 "watch event type: RENAMED")));
  EXPECT_TRUE(errors::IsInternalError((*event)->error));
  EXPECT_TRUE(errors::HasStatusCause((*event)->error, "ClientWatchDecoding"));
  EXPECT_THAT(Drain(watcher), ElementsAre());
  EXPECT_THAT(EventsOf({"<html>"}),
              ElementsAre(HasSubstr("unable to decode an event from the watch stream: decode")));
}

// behaviour.md: COD-4
TEST(StreamWatcher, AStreamThatBreaksIsAnError) {
  EXPECT_THAT(EventsOf({Frame("ADDED", "a"), absl::UnavailableError("connection lost")}),
              ElementsAre("ADDED a", "ERROR read watch stream: connection lost"));
  EXPECT_THAT(
      EventsOf({Frame("ADDED", "a").substr(0, 20), ""}),
      ElementsAre("ERROR read watch stream: unexpected EOF during watch stream event decoding"));
}

TEST(StreamWatcher, Next_DoneContext_LosesNoEvent) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    auto stream = std::make_unique<FakeStream>();
    FakeStream& source = *stream;
    PodWatcher watcher(codec::ContentType::kJson, std::move(stream));
    const std::string frame = Frame("ADDED", "a");
    source.Send(frame.substr(0, 10));
    EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::Seconds(5))),
                StatusIs(StatusCode::kDeadlineExceeded));
    source.Send(frame.substr(10) + Frame("ADDED", "b"));
    EXPECT_THAT(watcher.Next(Context()), IsOk());
    EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::ZeroDuration())),
                StatusIs(StatusCode::kDeadlineExceeded));
    source.Send("");
    EXPECT_THAT(Drain(watcher), ElementsAre("ADDED b"));
  }),
              IsOk());
}

TEST(StreamWatcher, Stop_DuringNext_EndsIt) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    PodWatcher watcher(codec::ContentType::kJson, std::make_unique<FakeStream>());
    base::Thread consumer;
    ASSERT_THAT(consumer.Start(Context(), "consumer",
                               [&](const Context&) { EXPECT_THAT(Drain(watcher), ElementsAre()); }),
                IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    watcher.Stop();
    watcher.Stop();
    consumer.Join();
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::watch
