// What apimachinery's Broadcaster and client-go's StreamWatcher do, in a Go program, with the same
// scripts and streams.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/broadcaster.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/stream_watcher.h"
#include "apimachinery/watch/watcher.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::watch {
namespace {

namespace corev1 = api::core::v1;
using oracle::Dice;
using oracle::GoCases;

constexpr uint64_t kSeed = 20'260'731;

// ---- Broadcaster

Event<std::string> Text(EventType type, std::string text) {
  return {.type = type, .object = std::make_shared<const std::string>(std::move(text))};
}

class Stage {
 public:
  explicit Stage(size_t queue_length)
      : broadcaster_({.queue_length = queue_length, .when_full = WhenWatcherIsFull::kDrop}) {}

  std::string Play(absl::string_view word) {
    size_t number = 0;
    (void)absl::SimpleAtoi(word.substr(1), &number);
    switch (word[0]) {
      case 'w':
        return Joined(broadcaster_.Watch());
      case 'p': {
        std::vector<Event<std::string>> events;
        for (size_t i = 0; i < number; ++i) {
          events.push_back(Text(EventType::kModified, absl::StrCat("p", i)));
        }
        return Joined(broadcaster_.WatchWithPrefix(std::move(events)));
      }
      case 'a':
        ++sent_;
        return broadcaster_.Action(Context(), Text(EventType::kAdded, absl::StrCat(sent_))).ok()
                   ? "ok"
                   : "stopped";
      case 'n':
        return Pull(*watchers_[number]);
      case 's':
        watchers_[number]->Stop();
        return "ok";
      default:
        broadcaster_.Shutdown();
        return "ok";
    }
  }

 private:
  std::string Joined(absl::StatusOr<std::unique_ptr<Watcher<std::string>>> watcher) {
    if (!watcher.ok()) return "stopped";
    watchers_.push_back(*std::move(watcher));
    return "ok";
  }

  static std::string Pull(Watcher<std::string>& watcher) {
    const auto event = watcher.Next(WithTimeout(Context(), absl::Milliseconds(1)));
    if (!event.ok()) return "nothing";
    if (!event->has_value()) return "end";
    return absl::StrCat(ToString((*event)->type), ":", *(*event)->object);
  }

  Broadcaster<std::string> broadcaster_;
  std::vector<std::unique_ptr<Watcher<std::string>>> watchers_;
  int sent_ = 0;
};

// Words after the first; no pull or stop of a watcher that is not there.
std::string RandomScript(Dice& dice, size_t queue_length) {
  std::string script = absl::StrCat("q", queue_length, " w");
  size_t watchers = 1;
  bool stopped = false;
  for (size_t n = 5 + dice.Below(30); n > 0; --n) {
    switch (dice.Below(14)) {
      case 0:
        absl::StrAppend(&script, " w");
        watchers += stopped ? 0 : 1;
        break;
      case 1:
        absl::StrAppend(&script, " p", dice.Below(5));
        watchers += stopped ? 0 : 1;
        break;
      case 2:
        absl::StrAppend(&script, " s", dice.Below(watchers));
        break;
      case 3:
        if (dice.Below(4) != 0) break;
        absl::StrAppend(&script, " S");
        stopped = true;
        break;
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
        absl::StrAppend(&script, " a");
        break;
      default:
        absl::StrAppend(&script, " n", dice.Below(watchers));
    }
  }
  return script;
}

TEST(WatchDifferential, Broadcaster_RandomScripts_AgreesWithGo) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  GoCases cases("watch_oracle");
  for (int i = 0; i < 500; ++i) {
    const size_t queue_length = 1 + dice.Below(4);
    const std::string script = RandomScript(dice, queue_length);
    std::vector<std::string> answers = {"ok"};
    base::SimRuntime sim;
    const absl::Status end = sim.Run([&] {
      Stage stage(queue_length);
      const std::vector<std::string> words = absl::StrSplit(script, ' ');
      for (size_t w = 1; w < words.size(); ++w) answers.push_back(stage.Play(words[w]));
    });
    ASSERT_THAT(end, base::IsOk());
    cases.Add("broadcast", script, absl::StrJoin(answers, " "));
  }
  cases.Check();
}

// ---- StreamWatcher

// Gives a body out in pieces.
class Pieces final : public ByteStream {
 public:
  Pieces(std::string body, size_t size) : body_(std::move(body)), size_(size) {}

  absl::StatusOr<std::string> Read(const Context&) override {
    std::string piece = body_.substr(at_, size_);
    at_ += piece.size();
    return piece;
  }
  void Close() override {}

 private:
  const std::string body_;
  const size_t size_;
  size_t at_ = 0;
};

std::string DescribeError(const absl::Status& error) {
  const auto yes = [](bool value) { return value ? "true" : "false"; };
  return absl::StrCat("ERROR:", errors::ReasonForError(error), ":",
                      yes(errors::IsUnexpectedObjectError(error)), ":",
                      yes(errors::HasStatusCause(error, "ClientWatchDecoding")), ":",
                      yes(errors::IsUnexpectedServerError(error)));
}

// A stream that ends too early is no error for Go.
std::string EventsOf(const std::string& body, size_t piece) {
  StreamWatcher<corev1::Pod> watcher(codec::ContentType::kJson,
                                     std::make_unique<Pieces>(body, piece));
  std::vector<std::string> answers;
  while (true) {
    const absl::StatusOr<std::optional<Event<corev1::Pod>>> event = watcher.Next(Context());
    EXPECT_THAT(event, base::IsOk());
    if (!event.ok() || !event->has_value()) break;
    const Event<corev1::Pod>& e = **event;
    if (e.type == EventType::kError && absl::IsUnavailable(e.error)) break;
    answers.push_back(e.object ? absl::StrCat(ToString(e.type), ":", e.object->metadata.name.view())
                               : DescribeError(e.error));
  }
  return absl::StrJoin(answers, " ");
}

std::string RandomFrame(Dice& dice) {
  constexpr absl::string_view kTypes[] = {"ADDED",   "ADDED",    "MODIFIED", "MODIFIED",
                                          "DELETED", "BOOKMARK", "ADDED",    "RENAMED"};
  constexpr absl::string_view kErrors[] = {
      R"({"kind":"Status","apiVersion":"v1","reason":"Expired","code":410})",
      R"({"kind":"Status","apiVersion":"v1","reason":"","code":500,"message":"m"})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}})",
      R"({"kind":"Pod","apiVersion":"v1","status":{"phase":"Running"}})"};
  constexpr absl::string_view kBetween[] = {"", "\n", " \r\n\t", "\n", "\n", "\n", "\n", "x", ","};
  if (dice.Below(8) == 0) {
    return absl::StrCat(R"({"type":"ERROR","object":)", kErrors[dice.Below(4)], "}");
  }
  return absl::StrCat(R"({"type":")", kTypes[dice.Below(8)],
                      R"(","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"n)",
                      dice.Below(100), R"("}}})", kBetween[dice.Below(9)]);
}

TEST(WatchDifferential, StreamWatcher_RandomStreams_AgreesWithGo) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  GoCases cases("watch_oracle");
  for (int i = 0; i < 2000; ++i) {
    std::string body;
    for (size_t n = dice.Below(6); n > 0; --n) body += RandomFrame(dice);
    if (dice.Below(4) == 0) body.resize(dice.Below(body.size() + 1));
    cases.Add("stream", body, EventsOf(body, 1 + dice.Below(100)));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::watch
