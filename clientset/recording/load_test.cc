#include "clientset/recording/load.h"

#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/recording/exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::recording {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kHead[] = "{\"type\":\"recording\",\"version\":1,\"redacted\":true}\n";
constexpr char kRequest[] =
    "{\"type\":\"request\",\"n\":1,\"at\":0,\"time\":0,\"method\":\"GET\",\"url\":\"http://h/a\","
    "\"headers\":[]}\n";

std::string WriteFile(const std::string& name, const std::string& text) {
  const std::string path = absl::StrCat(testing::TempDir(), "/load_test_", name);
  std::ofstream(path) << text;
  return path;
}

TEST(LoadRecording, OfAFile_ReturnsItsExchanges) {
  const std::string path = WriteFile("good", absl::StrCat(kHead, kRequest));
  const absl::StatusOr<Recording> recording = LoadRecording(path);
  ASSERT_THAT(recording, IsOk());
  ASSERT_THAT(recording->exchanges, SizeIs(1));
  EXPECT_EQ(recording->exchanges[0].url, "http://h/a");
  EXPECT_EQ(recording->exchanges[0].end, ExchangeEnd::kOpen);
}

TEST(LoadRecording, OfABadLine_NamesPathLineAndCause) {
  const std::string path = WriteFile("bad", absl::StrCat(kHead, kRequest, "{\"type\":1}\n"));
  EXPECT_THAT(LoadRecording(path).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       StartsWith(absl::StrCat(path, ":3: \"type\" is missing or malformed"))));
}

TEST(LoadRecording, OfAMissingFile_NamesPathAndCause) {
  EXPECT_THAT(LoadRecording("/nowhere/x.jsonl").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("open \"/nowhere/x.jsonl\"")));
}

TEST(LoadRecording, OfAFolder_IsAnError) {
  const absl::Status status = LoadRecording(testing::TempDir()).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("read \""));
}

TEST(ParseRecording, OfALineThatWasCutOff_IgnoresIt) {
  const absl::StatusOr<Recording> recording =
      ParseRecording(absl::StrCat(kHead, kRequest, "{\"type\":\"resp"));
  ASSERT_THAT(recording, IsOk());
  EXPECT_THAT(recording->exchanges, SizeIs(1));
}

TEST(ParseRecording, OfAnEmptyText_IsAnError) {
  EXPECT_THAT(ParseRecording("", "x").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "x:1: the recording is empty"));
}

TEST(ParseRecording, OfAFullSink_SaysSo) {
  const absl::StatusOr<Recording> recording =
      ParseRecording(absl::StrCat(kHead, "{\"type\":\"full\"}\n"));
  ASSERT_THAT(recording, IsOk());
  EXPECT_TRUE(recording->full);
}

TEST(ParseRecording, OfAFullSink_AcceptsNothingAfterItButAnotherRecording) {
  const std::string full = absl::StrCat(kHead, kRequest, "{\"type\":\"full\"}\n");
  const absl::StatusOr<Recording> two = ParseRecording(absl::StrCat(full, kHead, kRequest));
  ASSERT_THAT(two, IsOk());
  EXPECT_TRUE(two->full);
  EXPECT_THAT(two->exchanges, SizeIs(2));
  EXPECT_THAT(
      ParseRecording(absl::StrCat(full, "{\"type\":\"end\",\"n\":1}\n"), "x").status(),
      StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("x:4: a line of type \"full\"")));
  EXPECT_THAT(ParseRecording(absl::StrCat(full, "{\"type\":\"full\"}\n"), "x").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"full\" is the last")));
}

}  // namespace
}  // namespace kube::recording
