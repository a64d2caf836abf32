#include "tests/controllers/recorder.h"

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controllers {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;

Work Any() { return {.program = "a #0", .controller = "sets", .key = "default/x"}; }

Work Changed(const std::function<void(Work&)>& change) {
  Work work = Any();
  change(work);
  return work;
}

struct Row {
  const char* name;
  std::function<void(Recorder&)> happens;
  const char* mistake;  // empty: none
};

TEST(RecorderTest, FindsWhatMustNotBe) {
  const Row rows[] = {
      {"one after the other",
       [](Recorder& recorder) {
         { const auto first = recorder.Begin(Any(), ""); }
         const auto second = recorder.Begin(Any(), "");
       },
       ""},
      {"two keys",
       [](Recorder& recorder) {
         const auto first = recorder.Begin(Any(), "");
         const auto second = recorder.Begin(Changed([](Work& w) { w.key = "default/y"; }), "");
       },
       ""},
      {"one key twice",
       [](Recorder& recorder) {
         const auto first = recorder.Begin(Any(), "");
         const auto second = recorder.Begin(Any(), "");
       },
       "a #0 sets default/x: two workers have the key"},
      {"two leaders",
       [](Recorder& recorder) {
         const auto first = recorder.Begin(Any(), "");
         const auto second = recorder.Begin(Changed([](Work& w) {
                                              w.program = "b #0";
                                              w.key = "default/y";
                                            }),
                                            "");
       },
       "b #0 sets default/y: two leaders"},
      {"a controller of both replicas",
       [](Recorder& recorder) {
         const auto first = recorder.Begin(Changed([](Work& w) { w.leads = false; }), "");
         const auto second = recorder.Begin(Changed([](Work& w) {
                                              w.program = "b #0";
                                              w.leads = false;
                                            }),
                                            "");
       },
       ""},
      {"at the stop",
       [](Recorder& recorder) {
         recorder.NoteStop("a #0");
         const auto work = recorder.Begin(Any(), "");
       },
       ""},
      {"after the stop",
       [](Recorder& recorder) {
         recorder.NoteStop("a #0");
         EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(2)), IsOk());
         const auto work = recorder.Begin(Any(), "");
       },
       "a reconcile after the stop"},
      {"in the drain, after a preparation",
       [](Recorder& recorder) {
         recorder.NoteStop("a #0");
         EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(15)), IsOk());
         const auto work = recorder.Begin(Changed([](Work& w) { w.prepares = true; }), "");
       },
       ""},
      {"after the drain",
       [](Recorder& recorder) {
         recorder.NoteStop("a #0");
         EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(17)), IsOk());
         const auto work = recorder.Begin(Changed([](Work& w) { w.prepares = true; }), "");
       },
       "a reconcile after the stop"},
      {"after the end",
       [](Recorder& recorder) {
         recorder.NoteEnd("a #0");
         const auto work = recorder.Begin(Any(), "");
       },
       "a reconcile after the end of Run"},
      {"over the end",
       [](Recorder& recorder) {
         const auto work = recorder.Begin(Any(), "");
         recorder.NoteEnd("a #0");
       },
       "it runs after the end of Run"},
      {"the end of another program",
       [](Recorder& recorder) {
         const auto work = recorder.Begin(Any(), "");
         recorder.NoteEnd("b #0");
       },
       ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    base::SimRuntime sim;
    EXPECT_THAT(sim.Run([&row] {
      Recorder recorder;
      row.happens(recorder);
      if (std::string(row.mistake).empty()) {
        EXPECT_THAT(recorder.status(), IsOk());
      } else {
        EXPECT_THAT(recorder.status(),
                    StatusIs(absl::StatusCode::kDataLoss, HasSubstr(row.mistake)));
      }
    }),
                IsOk());
  }
}

TEST(RecorderTest, ANewProgramOfAReplica_IsAnotherOne) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    Recorder recorder;
    recorder.NoteEnd("a #0");
    const auto work = recorder.Begin(Changed([](Work& w) { w.program = "a #1"; }), "");
    EXPECT_THAT(recorder.status(), IsOk());
  }),
              IsOk());
}

TEST(RecorderTest, TheErrorHasTheStory) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    Recorder recorder;
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(3)), IsOk());
    { const auto work = recorder.Begin(Any(), "retry"); }
    recorder.Violate("late");
    recorder.Violate("later");
    EXPECT_THAT(recorder.status(), StatusIs(absl::StatusCode::kDataLoss,
                                            AllOf(HasSubstr("late\n"),
                                                  HasSubstr("3s a #0 sets default/x begins: retry"),
                                                  HasSubstr("3s a #0 sets default/x ends"))));
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::controllers
