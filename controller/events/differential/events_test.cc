// What recorders ask of a server, line by line of a script, ours and client-go's: events_oracle
// explains the scripts.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/status_error.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/event_sink.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

absl::Status AnswerOf(const std::string& answer) {
  int code = 0;
  if (!absl::SimpleAtoi(answer, &code)) {
    return answer == "ok" ? absl::OkStatus() : absl::UnavailableError(answer);
  }
  return errors::FromStatus(
      {.status = "Failure",
       .reason = code == 404 ? "NotFound" : (code == 409 ? "AlreadyExists" : ""),
       .code = code});
}

// What was asked since the last line, and how to answer.
class Asked {
 public:
  template <typename E>
  absl::StatusOr<E> Ask(absl::string_view verb, E event, absl::string_view body) {
    base::MutexLock lock(mutex_);
    calls_.push_back(absl::StrCat(verb, " ", body));
    absl::Status status;
    if (!answers_.empty()) {
      status = AnswerOf(answers_.front());
      answers_.pop_front();
    }
    if (!status.ok()) return status;
    event.metadata.resource_version = absl::StrCat(++version_);
    return event;
  }

  void AnswerNext(absl::string_view answers) {
    base::MutexLock lock(mutex_);
    answers_ = absl::StrSplit(answers, ' ', absl::SkipEmpty());
  }

  std::string Take() {
    base::MutexLock lock(mutex_);
    std::sort(calls_.begin(), calls_.end());
    std::string text = absl::StrJoin(calls_, " ");
    calls_.clear();
    return text;
  }

 private:
  base::Mutex mutex_;
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::string> answers_ ABSL_GUARDED_BY(mutex_);
  int version_ ABSL_GUARDED_BY(mutex_) = 0;
};

template <typename SinkT, typename E>
class AskingSink final : public SinkT {
 public:
  explicit AskingSink(Asked& asked) : asked_(asked) {}

  absl::StatusOr<E> Create(const Context&, const E& event) override {
    return asked_.Ask("create", event, *codec::EncodeJson(event));
  }
  absl::StatusOr<E> Patch(const Context&, const E& event, absl::string_view data) override {
    return asked_.Ask("patch", event, absl::StrCat(event.metadata.name.view(), " ", data));
  }

 private:
  Asked& asked_;
};

template <typename Emit>
std::string Play(const std::string& script, Asked& asked, const Emit& emit) {
  std::vector<std::string> answers;
  for (absl::string_view line : absl::StrSplit(script, '\n')) {
    const absl::string_view rest = line.substr(2);
    if (line[0] == 'e') {
      const std::vector<std::string> parts = absl::StrSplit(rest, absl::MaxSplits(' ', 3));
      emit(
          corev1::ObjectReference{
              .kind = "Pod", .namespace_ = "prod", .name = parts[0], .api_version = "v1"},
          parts[1], parts[2], parts[3]);
    } else if (line[0] == 'w') {
      int seconds = 0;
      EXPECT_TRUE(absl::SimpleAtoi(rest, &seconds)) << line;
      base::SleepFor(Context(), absl::Seconds(seconds)).IgnoreError();
    } else {
      asked.AnswerNext(rest);
    }
    base::SleepFor(Context(), absl::Milliseconds(1)).IgnoreError();
    answers.push_back(asked.Take());
  }
  return absl::StrJoin(answers, " | ");
}

std::string PlayRecord(const std::string& script) {
  Asked asked;
  record::EventBroadcaster broadcaster;
  EXPECT_THAT(broadcaster.StartRecordingToSink(
                  std::make_shared<AskingSink<record::EventSink, corev1::Event>>(asked)),
              base::IsOk());
  const auto recorder = broadcaster.NewRecorder({}, {.component = "c", .host = "h"});
  return Play(
      script, asked,
      [&](const corev1::ObjectReference& object, absl::string_view type, absl::string_view reason,
          absl::string_view text) { recorder->Event(object, type, reason, text); });
}

std::string PlayEvents(const std::string& script) {
  Asked asked;
  events::EventBroadcaster broadcaster(
      std::make_shared<AskingSink<events::EventSink, eventsv1::Event>>(asked));
  EXPECT_THAT(broadcaster.StartRecordingToSink(), base::IsOk());
  const auto recorder = broadcaster.NewRecorder({}, "c", {.reporting_instance = "c-host"});
  return Play(script, asked,
              [&](const corev1::ObjectReference& object, absl::string_view type,
                  absl::string_view reason, absl::string_view text) {
                recorder->Record(object, nullptr, type, reason, "Act", text);
              });
}

template <typename PlayFunction>
std::string Simulate(const PlayFunction& play, const std::string& script) {
  base::SimRuntime sim(
      {.wall_start = absl::FromCivil(absl::CivilSecond(2000, 1, 1), absl::UTCTimeZone())});
  std::string result;
  EXPECT_THAT(sim.Run([&] { result = play(script); }), base::IsOk()) << script;
  return result;
}

std::string Repeat(absl::string_view line, int count) {
  return absl::StrJoin(std::vector<std::string>(count, std::string(line)), "\n");
}

// "e web Normal R m1", "e web Normal R m2" …
std::string Different(int from, int to) {
  std::vector<std::string> lines;
  for (int i = from; i <= to; ++i) lines.push_back(absl::StrCat("e web Normal R m", i));
  return absl::StrJoin(lines, "\n");
}

// Both recorders play these: tries and pauses are over before the next event.
std::vector<std::string> CommonScripts() {
  const std::string a = "e web Normal Started all is well";
  return {
      a,
      Repeat(a, 2),
      Repeat(a, 5),
      absl::StrCat(a, "\ne web Warning Started all is well\ne db Normal Started all is well"),
      absl::StrCat(a, "\ne web Normal Stopped all is well\n", a),
      absl::StrCat(a, "\ne web Odd Started a type that is none"),
      absl::StrCat(a, "\nw 400\n", a),
      absl::StrCat(a, "\nw 3600\n", a),
      absl::StrCat("a refused\n", a, "\nw 300"),
      absl::StrCat("a refused refused refused\n", a, "\nw 300\n", a),
      absl::StrCat("a ", Repeat("refused", 1), " refused 500\n", a, "\nw 300"),
      absl::StrCat("a 500\n", a, "\n", a),
      absl::StrCat("a 409\n", a, "\n", a),
      absl::StrCat("a 422\n", a, "\nw 300\n", a),
      absl::StrCat(a, "\na 404\n", a),
      absl::StrCat(a, "\na 404 409\n", a, "\nw 300"),
      absl::StrCat(a, "\na 404 refused 404\n", a, "\nw 300"),
      absl::StrCat(a, "\na 403\n", a, "\n", a),
      absl::StrCat(a, "\na refused refused\n", a, "\nw 300\n", a),
      absl::StrCat("a ", absl::StrJoin(std::vector<std::string>(12, "refused"), " "), "\n", a,
                   "\nw 300\n", a),
      absl::StrCat("e web Normal Quoted \"text\" <of> {all} kinds & \xc3\xa4"),
      absl::StrCat("e n.example.com Normal R m\ne n.example.com Normal R m"),
  };
}

std::vector<std::string> RecordScripts() {
  const std::string a = "e web Normal Started all is well";
  const auto join = [](const std::vector<std::string>& parts) {
    return absl::StrJoin(parts, "\n");
  };
  return {
      Different(1, 9),
      Different(1, 10),
      Different(1, 15),
      join({Different(1, 9), "w 599", Different(10, 12)}),
      join({Different(1, 9), "w 601", Different(10, 12)}),
      join({Different(1, 5), "w 400", Different(6, 9), "w 400", Different(10, 12)}),
      join({Different(1, 12), "e db Normal R m13", "e web Warning R m14", "e web Normal S m15"}),
      Repeat(a, 25),
      Repeat(a, 27),
      join({Repeat(a, 27), "w 299", a}),
      join({Repeat(a, 27), "w 300", a, a}),
      join({Repeat(a, 27), "w 3000", Repeat(a, 12)}),
      join({Repeat(a, 26), "e web Normal Other m", "e web Warning Started all is well",
            "e db Normal Started all is well"}),
      join({Different(1, 30), "w 700", Different(31, 33)}),
      join({Different(1, 10), "a 404", Different(11, 12)}),
      join({Different(1, 9), "a 500", Different(10, 11)}),
  };
}

std::vector<std::string> EventsScripts() {
  const std::string a = "e web Normal Started all is well";
  const auto join = [](const std::vector<std::string>& parts) {
    return absl::StrJoin(parts, "\n");
  };
  return {
      join({a, "e web Normal Started another note"}),
      join({Repeat(a, 3), "w 800"}),
      join({Repeat(a, 3), "w 800", a, a}),
      join({Repeat(a, 10), "w 350", a, "w 350", a, "w 900"}),
      join({a, "w 200", a, "w 200", a, "w 1500"}),
      join({a, "w 300", a, "w 300", a, "w 300", a, "w 300", a, "w 300", a, "w 300", a, "w 100"}),
      join({Repeat(a, 4), "a refused", "w 800", "w 400"}),
      join({Repeat(a, 4), "a 404", "w 800", "w 400"}),
      join({Repeat(a, 4), "a 500", "w 800", "w 400"}),
      join({Repeat(a, 3), Repeat("e db Warning Failed x", 4), "w 1000"}),
      join({a, "w 400", a, "w 400", a, "w 800", a}),
      join({Repeat(a, 2), "w 1790", a, "w 20", "w 1000"}),
  };
}

// Lines at random. Messages never come back once ten of them were there: which of the first ones
// client-go still knows then is left to chance. Pauses end long before or after all intervals.
std::string RandomScript(oracle::Dice& dice, bool core) {
  std::vector<std::string> lines;
  const size_t count = 5 + dice.Below(40);
  for (size_t i = 0; i < count; ++i) {
    const size_t what = dice.Below(core ? 10 : 20);
    if (what == 0) {
      lines.push_back(absl::StrCat("w ", 7 + 31 * dice.Below(30)));
    } else {
      const absl::string_view message = dice.Below(2) == 0 ? "same" : "other";
      lines.push_back(absl::StrCat("e ", dice.Below(2) == 0 ? "web" : "db", " ",
                                   dice.Below(5) == 0 ? "Warning" : "Normal", " R", dice.Below(3),
                                   " ", message));
    }
  }
  return absl::StrJoin(lines, "\n");
}

TEST(Events, AskWhatClientGosAsk) {
  const log::LogCapture quiet;
  oracle::GoCases cases("events_oracle");
  const auto add = [&](bool core, const std::string& script) {
    cases.Add(core ? "record" : "events", script,
              core ? Simulate(PlayRecord, script) : Simulate(PlayEvents, script));
  };
  for (const std::string& script : CommonScripts()) {
    add(true, script);
    add(false, script);
  }
  for (const std::string& script : RecordScripts()) add(true, script);
  for (const std::string& script : EventsScripts()) add(false, script);
  oracle::Dice dice(2026);
  for (int i = 0; i < 20; ++i) add(i % 2 == 0, RandomScript(dice, i % 2 == 0));
  cases.Check();
}

}  // namespace
}  // namespace kube
