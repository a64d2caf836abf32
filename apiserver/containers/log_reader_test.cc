#include "apiserver/containers/log_reader.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apiserver/containers/container_log.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

const absl::Time kNoon = absl::FromUnixSeconds(1'767'268'800);

// One line each second, from noon on.
std::shared_ptr<ContainerLog> FourLines() {
  auto log = std::make_shared<ContainerLog>();
  log->Append("a\n", kNoon);
  log->Append("bb\n", kNoon + absl::Seconds(1));
  log->Append("ccc\n", kNoon + absl::Seconds(2));
  log->Append("dddd", kNoon + absl::Seconds(3) + absl::Nanoseconds(5));
  return log;
}

TEST(LogReader, SendsWhatTheFilterSays) {
  struct Case {
    const char* name;
    LogFilter filter;
    const char* bytes;
  };
  const Case cases[] = {
      {"everything", {}, "a\nbb\nccc\ndddd"},
      {"the last lines", {.tail_lines = 2}, "ccc\ndddd"},
      {"no lines", {.tail_lines = 0}, ""},
      {"since a time", {.since = kNoon + absl::Seconds(1)}, "bb\nccc\ndddd"},
      {"since a time, of the last lines",
       {.tail_lines = 3, .since = kNoon + absl::Seconds(2)},
       "ccc\ndddd"},
      {"bytes within a line", {.limit_bytes = 3}, "a\nb"},
      {"bytes at the end of a line", {.limit_bytes = 2}, "a\n"},
      {"more bytes than there are", {.limit_bytes = 100}, "a\nbb\nccc\ndddd"},
      {"times",
       {.tail_lines = 2, .timestamps = true},
       "2026-01-01T12:00:02.000000000Z ccc\n2026-01-01T12:00:03.000000005Z dddd"},
      {"times count as bytes",
       {.tail_lines = 2, .timestamps = true, .limit_bytes = 36},
       "2026-01-01T12:00:02.000000000Z ccc\n2"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(LogReader(FourLines(), each.filter).Rest(), each.bytes) << each.name;
  }
}

TEST(LogReader, FollowsTheLog) {
  const std::shared_ptr<ContainerLog> log = FourLines();
  LogReader reader(log, {.tail_lines = 1, .timestamps = true});
  EXPECT_EQ(reader.Next().bytes, "2026-01-01T12:00:03.000000005Z dddd");
  EXPECT_EQ(reader.Next().bytes, "");
  log->Append("!\ne\n", kNoon + absl::Seconds(4));
  EXPECT_EQ(reader.Next().bytes, "!\n2026-01-01T12:00:04.000000000Z e\n");
  EXPECT_FALSE(reader.Next().end);
  log->End();
  EXPECT_TRUE(reader.Next().end);
}

TEST(LogReader, EndsAtTheLimitThoughMoreFollows) {
  const std::shared_ptr<ContainerLog> log = FourLines();
  LogReader reader(log, {.limit_bytes = 14});
  EXPECT_FALSE(reader.Next().end);
  log->Append("\n\n\n", kNoon);
  const LogReader::Piece piece = reader.Next();
  EXPECT_EQ(piece.bytes, "\n");
  EXPECT_TRUE(piece.end);
}

TEST(LogReader, ReadsALongLogInPieces) {
  auto log = std::make_shared<ContainerLog>();
  std::string all;
  for (int i = 0; i < 20'000; ++i) absl::StrAppend(&all, "line ", i, "\n");
  log->Append(all, kNoon);
  LogReader reader(log, {});
  const LogReader::Piece piece = reader.Next();
  EXPECT_TRUE(piece.more);
  EXPECT_LT(piece.bytes.size(), all.size());
  EXPECT_EQ(absl::StrCat(piece.bytes, reader.Rest()), all);
}

}  // namespace
}  // namespace kube::apiserver::internal
