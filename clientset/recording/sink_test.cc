#include "clientset/recording/sink.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::recording {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::HasSubstr;

// Returns the path of a file that does not exist.
std::string NewPath(const std::string& name) {
  const std::string path = absl::StrCat(testing::TempDir(), "/sink_test_", name);
  std::remove(path.c_str());
  return path;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(MemorySink, KeepsLines) {
  MemorySink sink;
  sink.Write("a\n");
  sink.Write("b\n");
  EXPECT_EQ(sink.text(), "a\nb\n");
  EXPECT_EQ(sink.dropped(), 0);
}

TEST(MemorySink, ThatIsFull_SaysSoOnceAndDropsAllLaterLines) {
  MemorySink sink({.max_bytes = 5});
  sink.Write("abc\n");
  sink.Write("de\n");
  sink.Write("\n");
  EXPECT_EQ(sink.text(), absl::StrCat("abc\n", kFullLine));
  EXPECT_EQ(sink.dropped(), 2);
}

TEST(FileSink, OfANewFile_MakesItForTheOwnerAlone) {
  const std::string path = NewPath("new");
  const absl::StatusOr<std::shared_ptr<FileSink>> sink = MakeFileSink(path);
  ASSERT_THAT(sink, IsOk());
  struct stat info = {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  (*sink)->Write("a\n");
  EXPECT_EQ(ReadFile(path), "a\n");  // nothing waits in a buffer
  EXPECT_THAT((*sink)->status(), IsOk());
}

TEST(FileSink, OfAnExistingFile_AppendsToIt) {
  const std::string path = NewPath("existing");
  std::ofstream(path) << "old\n";
  const absl::StatusOr<std::shared_ptr<FileSink>> sink = MakeFileSink(path);
  ASSERT_THAT(sink, IsOk());
  (*sink)->Write("new\n");
  EXPECT_EQ(ReadFile(path), "old\nnew\n");
}

TEST(FileSink, ThatIsFull_CountsWhatTheFileHadAndSaysSo) {
  const std::string path = NewPath("full");
  std::ofstream(path) << "old\n";
  const absl::StatusOr<std::shared_ptr<FileSink>> sink = MakeFileSink(path, {.max_bytes = 6});
  ASSERT_THAT(sink, IsOk());
  (*sink)->Write("a\n");
  (*sink)->Write("b\n");
  (*sink)->Write("\n");
  EXPECT_EQ(ReadFile(path), absl::StrCat("old\na\n", kFullLine));
  EXPECT_THAT((*sink)->status(),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("6 bytes")));
}

TEST(FileSink, OfAFileThatIsFull_LeavesItAsItIs) {
  const std::string path = NewPath("still_full");
  const std::string before = absl::StrCat("old\n", kFullLine);
  std::ofstream(path) << before;
  const absl::StatusOr<std::shared_ptr<FileSink>> sink = MakeFileSink(path, {.max_bytes = 6});
  ASSERT_THAT(sink, IsOk());
  (*sink)->Write("a\n");
  (*sink)->Write("b\n");
  EXPECT_EQ(ReadFile(path), before);
  EXPECT_THAT((*sink)->status(), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(FileSink, OfAFileThatWasFullAndMayGrow_SaysSoAgainWhenItIsFull) {
  const std::string path = NewPath("grown");
  std::ofstream(path) << kFullLine;
  const absl::StatusOr<std::shared_ptr<FileSink>> sink =
      MakeFileSink(path, {.max_bytes = static_cast<int64_t>(kFullLine.size()) + 4});
  ASSERT_THAT(sink, IsOk());
  (*sink)->Write("new\n");
  (*sink)->Write("more\n");
  (*sink)->Write("\n");
  EXPECT_EQ(ReadFile(path), absl::StrCat(kFullLine, "new\n", kFullLine));
}

// A limit of the process stands for a disk that is full: the kernel writes what fits of a line.
TEST(FileSink, OfADiskThatIsFull_EndsWithAWholeLineThatSaysSo) {
  const std::string path = NewPath("disk");
  const std::string line = absl::StrCat(std::string(100, 'x'), "\n");
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  const absl::StatusOr<std::shared_ptr<FileSink>> sink = MakeFileSink(path);
  ASSERT_THAT(sink, IsOk());
  const struct rlimit limit = {.rlim_cur = 150, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  for (int i = 0; i < 3; ++i) (*sink)->Write(line);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(ReadFile(path), absl::StrCat(line, kFullLine));
  EXPECT_FALSE((*sink)->status().ok());
  EXPECT_THAT((*sink)->status().message(), HasSubstr(path));
}

TEST(FileSink, OfAMissingFolder_NamesPathAndCause) {
  EXPECT_THAT(MakeFileSink("/nowhere/a.jsonl").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("open \"/nowhere/a.jsonl\"")));
}

TEST(FileSink, OfALineThatWasCutOff_IsRefused) {
  const std::string path = NewPath("cut");
  std::ofstream(path) << "old\ncut";
  EXPECT_THAT(MakeFileSink(path).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("last line")));
}

}  // namespace
}  // namespace kube::recording
