#include "apiserver/containers/container_log.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const absl::Time kNoon = absl::FromUnixSeconds(1'767'225'600);
constexpr size_t kAll = size_t{1} << 20;

std::vector<std::string> TextsOf(const ContainerLog::Piece& piece) {
  std::vector<std::string> texts;
  for (const ContainerLog::Chunk& chunk : piece.chunks) texts.push_back(chunk.text);
  return texts;
}

TEST(ContainerLog, KeepsLinesWithTheTimeAtWhichTheyBegan) {
  ContainerLog log;
  log.Append("one\ntwo\nth", kNoon);
  log.Append("ree\n", kNoon + absl::Seconds(1));
  log.Append("four\n", kNoon + absl::Seconds(2));
  const ContainerLog::Piece piece = log.Read({}, kAll);
  EXPECT_THAT(TextsOf(piece), ElementsAre("one\n", "two\n", "three\n", "four\n"));
  EXPECT_EQ(piece.chunks[2].time, kNoon);
  EXPECT_EQ(piece.chunks[3].time, kNoon + absl::Seconds(2));
  EXPECT_FALSE(piece.more);
  EXPECT_FALSE(piece.ended);
  EXPECT_THAT(TextsOf(log.Read(piece.next, kAll)), IsEmpty());
}

TEST(ContainerLog, IsReadWhileALineIsWritten) {
  ContainerLog log;
  log.Append("be", kNoon);
  ContainerLog::Piece piece = log.Read({}, kAll);
  EXPECT_THAT(TextsOf(piece), ElementsAre("be"));
  EXPECT_THAT(TextsOf(log.Read(piece.next, kAll)), IsEmpty());
  log.Append("gin\nend\n", kNoon);
  piece = log.Read(piece.next, kAll);
  EXPECT_THAT(TextsOf(piece), ElementsAre("gin\n", "end\n"));
  EXPECT_FALSE(piece.chunks[0].begins_line);
  EXPECT_TRUE(piece.chunks[1].begins_line);
}

TEST(ContainerLog, IsReadInPieces) {
  ContainerLog log;
  log.Append("aaaa\nbbbb\ncccc\n", kNoon);
  ContainerLog::Piece piece = log.Read({}, 6);
  EXPECT_THAT(TextsOf(piece), ElementsAre("aaaa\n", "bbbb\n"));
  EXPECT_TRUE(piece.more);
  piece = log.Read(piece.next, 6);
  EXPECT_THAT(TextsOf(piece), ElementsAre("cccc\n"));
  EXPECT_FALSE(piece.more);
}

TEST(ContainerLog, EndsAndGoesOn) {
  ContainerLog log;
  log.Append("a\nb\n", kNoon);
  log.End();
  EXPECT_FALSE(log.Read({}, 1).ended) << "not before the last line";
  EXPECT_TRUE(log.Read({}, kAll).ended);
  log.Append("c\n", kNoon);
  EXPECT_FALSE(log.Read({}, kAll).ended);
}

TEST(ContainerLog, KnowsItsLastLines) {
  ContainerLog log;
  EXPECT_THAT(TextsOf(log.Read(log.Tail(2), kAll)), IsEmpty());
  log.Append("a\nb\nc\n", kNoon);
  EXPECT_THAT(TextsOf(log.Read(log.Tail({}), kAll)), ElementsAre("a\n", "b\n", "c\n"));
  EXPECT_THAT(TextsOf(log.Read(log.Tail(2), kAll)), ElementsAre("b\n", "c\n"));
  EXPECT_THAT(TextsOf(log.Read(log.Tail(9), kAll)), ElementsAre("a\n", "b\n", "c\n"));
  EXPECT_THAT(TextsOf(log.Read(log.Tail(0), kAll)), IsEmpty());
  log.Append("part", kNoon);
  EXPECT_THAT(TextsOf(log.Read(log.Tail(1), kAll)), ElementsAre("part"));
  EXPECT_THAT(TextsOf(log.Read(log.Tail(0), kAll)), IsEmpty());
}

TEST(ContainerLog, ForgetsItsOldestLines) {
  ContainerLog log(/*max_bytes=*/6);
  log.Append("aa\nbb\n", kNoon);
  const ContainerLog::Piece first = log.Read({}, 1);
  log.Append("cc\ndd\n", kNoon);
  EXPECT_THAT(TextsOf(log.Read({}, kAll)), ElementsAre("cc\n", "dd\n"));
  EXPECT_THAT(TextsOf(log.Read(first.next, kAll)), ElementsAre("cc\n", "dd\n"));
  EXPECT_THAT(TextsOf(log.Read(log.Tail(1), kAll)), ElementsAre("dd\n"));
  log.Append("longer than all\n", kNoon);
  EXPECT_THAT(TextsOf(log.Read({}, kAll)), ElementsAre("longer than all\n"));
}

TEST(ContainerLog, TellsItsWatchers) {
  ContainerLog log;
  int calls = 0;
  // The callback may use the log: no lock is held.
  std::shared_ptr<void> watch = log.Watch([&] { calls += log.Read({}, kAll).ended ? 10 : 1; });
  log.Append("a\n", kNoon);
  EXPECT_EQ(calls, 1);
  log.End();
  EXPECT_EQ(calls, 11);
  watch.reset();
  log.Append("b\n", kNoon);
  EXPECT_EQ(calls, 11);
}

}  // namespace
}  // namespace kube::apiserver::internal
