#include "clientset/podlogs/internal/resume_point.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podlogs::internal {
namespace {

using testing::ElementsAre;

absl::Time At(int milliseconds) {
  return absl::FromUnixSeconds(1'767'225'600) + absl::Milliseconds(milliseconds);
}

TEST(ParseStamp, TakesTheTimestampsOfKubelets) {
  struct Case {
    std::string name;
    std::string line;
    absl::Duration after;
    std::string text;
  };
  const std::vector<Case> cases = {
      {"nanoseconds", "2026-01-01T00:00:00.000000001Z hello\n", absl::Nanoseconds(1), "hello\n"},
      {"no fraction", "2026-01-01T00:00:05Z hello\n", absl::Seconds(5), "hello\n"},
      {"another zone", "2026-01-01T02:00:00.5+02:00 hello\n", absl::Milliseconds(500), "hello\n"},
      {"an empty line", "2026-01-01T00:00:00Z \n", absl::ZeroDuration(), "\n"},
      {"blanks", "2026-01-01T00:00:00Z  a b", absl::ZeroDuration(), " a b"},
  };
  for (const Case& each : cases) {
    const std::optional<StampedLine> stamped = ParseStamp(each.line);
    ASSERT_TRUE(stamped.has_value()) << each.name;
    EXPECT_EQ(stamped->time, absl::FromUnixSeconds(1'767'225'600) + each.after) << each.name;
    EXPECT_EQ(std::string(stamped->text), each.text) << each.name;
  }
}

TEST(ParseStamp, RefusesOtherLines) {
  for (const char* const line :
       {"", "\n", "hello\n", "unable to retrieve container logs for containerd://1\n",
        "2026-01-01T00:00:00Z\n", "2026-01-01 00:00:00 hello\n", " 2026-01-01T00:00:00Z hello\n",
        "infinite-future hello\n"}) {
    EXPECT_FALSE(ParseStamp(line).has_value()) << line;
  }
}

// Returns which of the lines are new.
std::vector<bool> New(ResumePoint& point, const std::vector<int>& times) {
  std::vector<bool> result;
  for (const int time : times) result.push_back(point.IsNew(At(time)));
  return result;
}

TEST(ResumePoint, TakesEverythingAtFirst) {
  ResumePoint point;
  EXPECT_EQ(point.since(), std::nullopt);
  point.Resume();  // the stream has broken before the first line
  EXPECT_THAT(New(point, {1, 2, 2, 1}), ElementsAre(true, true, true, true));
  EXPECT_EQ(point.since(), At(2));
}

TEST(ResumePoint, DropsWhatWasSeen) {
  ResumePoint point;
  New(point, {100, 200, 200});
  point.Resume();
  // The server repeats the whole second. Another line has the timestamp of the last one.
  EXPECT_THAT(New(point, {100, 200, 200, 200, 300}), ElementsAre(false, false, false, true, true));
  EXPECT_EQ(point.since(), At(300));
  point.Resume();
  EXPECT_THAT(New(point, {100, 200, 200, 200, 300, 400}),
              ElementsAre(false, false, false, false, false, true));
}

TEST(ResumePoint, BreaksWhileItResumes) {
  ResumePoint point;
  New(point, {100, 200, 200});
  point.Resume();
  EXPECT_THAT(New(point, {100, 200}), ElementsAre(false, false));
  point.Resume();
  EXPECT_THAT(New(point, {100, 200, 200, 300}), ElementsAre(false, false, false, true));
}

// The log was rotated, and the last line is not in it any more.
TEST(ResumePoint, GoesOnIfTheLastLineIsGone) {
  ResumePoint point;
  New(point, {100});
  point.Resume();
  EXPECT_THAT(New(point, {300, 400}), ElementsAre(true, true));
}

// Lines of stdout and stderr that were written at the same moment.
TEST(ResumePoint, KeepsLinesThatAreOutOfOrder) {
  ResumePoint point;
  New(point, {100, 200});
  point.Resume();
  EXPECT_THAT(New(point, {100, 200, 150, 300}), ElementsAre(false, false, true, true));
}

TEST(ResumePoint, DropsLinesThatWereSeenOutOfOrder) {
  ResumePoint point;
  New(point, {100, 200, 150, 180});
  for (int i = 0; i < 2; ++i) {
    point.Resume();
    EXPECT_THAT(New(point, {100, 200, 150}), ElementsAre(false, false, false));
  }
  point.Resume();
  EXPECT_THAT(New(point, {100, 200, 150, 180, 170, 300}),
              ElementsAre(false, false, false, false, true, true));
}

// The server repeats whole seconds.
TEST(ResumePoint, KnowsThatLinesOfAnEarlierSecondAreNotRepeated) {
  ResumePoint point;
  New(point, {900, 1000, 950});
  point.Resume();
  EXPECT_THAT(New(point, {1000, 1000, 1001}), ElementsAre(false, true, true));
}

}  // namespace
}  // namespace kube::podlogs::internal
