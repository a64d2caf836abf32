#include "clientset/podlogs/internal/line_splitter.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podlogs::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

// Splits pieces into lines.
std::vector<std::string> Split(const std::vector<std::string>& pieces, size_t max_line_bytes) {
  std::vector<std::string> lines;
  const auto sink = [&lines](absl::string_view line) {
    lines.emplace_back(line);
    return absl::OkStatus();
  };
  LineSplitter splitter(max_line_bytes);
  for (const std::string& piece : pieces) EXPECT_THAT(splitter.Add(piece, sink), IsOk());
  EXPECT_THAT(splitter.Finish(sink), IsOk());
  return lines;
}

TEST(LineSplitter, PassesOnWholeLines) {
  struct Case {
    std::string name;
    std::vector<std::string> pieces;
    std::vector<std::string> lines;
  };
  const std::vector<Case> cases = {
      {"nothing", {}, {}},
      {"one line", {"abc\n"}, {"abc\n"}},
      {"several lines in a piece", {"a\nb\nc\n"}, {"a\n", "b\n", "c\n"}},
      {"a line in several pieces", {"a", "b", "c\n"}, {"abc\n"}},
      {"an end of line of its own", {"a", "\n", "b\n"}, {"a\n", "b\n"}},
      {"empty lines", {"\n\n", "\n"}, {"\n", "\n", "\n"}},
      {"a rest", {"a\nb", "c"}, {"a\n", "bc"}},
      {"carriage returns, which are part of a line", {"a\r\nb"}, {"a\r\n", "b"}},
      {"pieces that overlap lines", {"a\nb", "c\nd"}, {"a\n", "bc\n", "d"}},
  };
  for (const Case& each : cases) EXPECT_EQ(Split(each.pieces, 100), each.lines) << each.name;
}

TEST(LineSplitter, CutsLongLines) {
  EXPECT_THAT(Split({"abcdefgh\n"}, 4), ElementsAre("abcd", "efgh", "\n"));
  EXPECT_THAT(Split({"ab", "cdefg", "h\nx"}, 4), ElementsAre("abcd", "efgh", "\n", "x"));
  EXPECT_THAT(Split({"abc\n", "d"}, 4), ElementsAre("abc\n", "d"));
}

TEST(LineSplitter, EndsWithTheErrorOfTheSink) {
  LineSplitter splitter(100);
  int calls = 0;
  const auto sink = [&calls](absl::string_view) {
    ++calls;
    return absl::UnavailableError("full");
  };
  EXPECT_THAT(splitter.Add("a\nb\n", sink), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace kube::podlogs::internal
