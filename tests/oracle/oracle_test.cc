#include "tests/oracle/oracle.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::oracle {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Runfiles of a test that has what `files` says, until the end of the test case.
class FakeRunfiles : public ::testing::Test {
 protected:
  FakeRunfiles()
      : real_(std::getenv("TEST_SRCDIR")), fake_(::testing::TempDir() + "/fake_runfiles") {
    setenv("TEST_SRCDIR", fake_.c_str(), 1);
  }
  ~FakeRunfiles() override {
    setenv("TEST_SRCDIR", real_.c_str(), 1);
    std::filesystem::remove_all(fake_);
  }

  void Write(const std::string& path, const std::string& content) {
    const std::filesystem::path full = fake_ / path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << content;
  }

  const std::string real_;
  const std::filesystem::path fake_;
};

TEST_F(FakeRunfiles, FindsFilesAndFolders) {
  Write("oracles/check", "");
  Write("fixtures/HEAD/pod.json", "{}");
  EXPECT_EQ(FindData("oracles", "check").value(), fake_ / "oracles/check");
  EXPECT_EQ(FindData("fixtures", "HEAD").value(), fake_ / "fixtures/HEAD");
}

TEST_F(FakeRunfiles, FindsTheFolderThatBzlmodGaveToTheRepository) {
  Write("_repo_mapping", ",gtest,gtest~1.2\n,oracles,_main~dev~oracles\nother,oracles,wrong\n");
  Write("_main~dev~oracles/check", "");
  EXPECT_EQ(FindData("oracles", "check").value(), fake_ / "_main~dev~oracles/check");
}

TEST_F(FakeRunfiles, TellsTheReasonOfAMarker) {
  Write("oracles/check.skipped", "go is not installed\n");
  const absl::Status status = FindData("oracles", "check").status();
  EXPECT_EQ(status, absl::UnavailableError("@oracles//:check: go is not installed"));
  ::testing::internal::CaptureStdout();
  EXPECT_TRUE(PrintSkipped(status));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "SKIPPED: @oracles//:check: go is not installed\n");
}

TEST_F(FakeRunfiles, DoesNotSkipForMissingData) {
  const absl::Status status = FindData("oracles", "check").status();
  EXPECT_EQ(status, absl::NotFoundError("find @oracles//:check: not in the test's data"));
  EXPECT_FALSE(PrintSkipped(status));
  EXPECT_FALSE(PrintSkipped(absl::OkStatus()));
}

TEST(RunProgramTest, PassesInputArgumentsAndOutput) {
  EXPECT_EQ(RunProgram("/bin/cat", {.input = "a\nb\n"}).value(), "a\nb\n");
  EXPECT_EQ(RunProgram("/bin/echo", {.args = {"-n", "$HOME", "*"}}).value(), "$HOME *");
  EXPECT_EQ(RunProgram("/usr/bin/env").value(), "") << "the environment is empty";
}

TEST(RunProgramTest, PassesMoreThanAPipeHolds) {
  const std::string input(10'000'000, 'x');
  EXPECT_EQ(RunProgram("/bin/cat", {.input = input}).value(), input);
}

TEST(RunProgramTest, TellsHowAProgramFailed) {
  struct Case {
    std::string name, program;
    RunOptions options;
    absl::StatusCode code;
    std::string message_start, message_end;
  };
  const Case cases[] = {
      {.name = "exit code",
       .program = "/bin/sh",
       .options = {.args = {"-c", "cat >&2; exit 3"}, .input = "wrong\n"},
       .code = absl::StatusCode::kInvalidArgument,
       .message_start = "run /bin/sh: exit code 3: ",
       .message_end = "wrong"},
      {.name = "signal",
       .program = "/bin/sh",
       .options = {.args = {"-c", "kill -9 $$"}},
       .code = absl::StatusCode::kAborted,
       .message_start = "run /bin/sh: signal 9: ",
       .message_end = ""},
      {.name = "hangs",
       .program = "/usr/bin/tail",
       .options = {.args = {"-f", "/dev/null"}, .timeout = absl::Milliseconds(20)},
       .code = absl::StatusCode::kDeadlineExceeded,
       .message_start = "run /usr/bin/tail: killed after 20ms",
       .message_end = "20ms"},
      {.name = "no such program",
       .program = "/no/such",
       .options = {},
       .code = absl::StatusCode::kInternal,
       .message_start = "run /no/such: start: ",
       .message_end = "No such file or directory"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const absl::Status status = RunProgram(c.program, c.options).status();
    EXPECT_EQ(status.code(), c.code);
    EXPECT_THAT(std::string(status.message()),
                AllOf(StartsWith(c.message_start), EndsWith(c.message_end)));
  }
}

// The repository rules for real: a program reads its input, a module's folder has its files.
TEST(GoTest, RunsExpfmtCheck) {
  const absl::StatusOr<std::string> program = FindData("oracles", "expfmt_check");
  if (PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();

  constexpr char kText[] = R"(# HELP requests_total Requests, <by> code.
# TYPE requests_total counter
requests_total{verb="get",code="200"} 3
requests_total{code="500",verb="get"} +Inf
# TYPE latency_seconds histogram
latency_seconds_bucket{le="0.5"} 2
latency_seconds_bucket{le="+Inf"} 3
latency_seconds_sum 4.25
latency_seconds_count 3
# TYPE size summary
size{quantile="0.5"} 7
size_sum 14
size_count 2
up NaN 1700000000000
)";
  constexpr char kFamilies[] =
      R"({"name":"latency_seconds","type":"HISTOGRAM","help":"","samples":[{"labels":[],"sum":"4.25","count":"3","buckets":[["0.5","2"],["+Inf","3"]]}]}
{"name":"requests_total","type":"COUNTER","help":"Requests, <by> code.","samples":[{"labels":[["code","200"],["verb","get"]],"value":"3"},{"labels":[["code","500"],["verb","get"]],"value":"+Inf"}]}
{"name":"size","type":"SUMMARY","help":"","samples":[{"labels":[],"sum":"14","count":"2","quantiles":[["0.5","7"]]}]}
{"name":"up","type":"UNTYPED","help":"","samples":[{"labels":[],"value":"NaN","timestamp_ms":1700000000000}]}
)";
  EXPECT_EQ(RunProgram(*program, {.input = kText}).value(), kFamilies);

  const absl::Status wrong = RunProgram(*program, {.input = "up{ 1\n"}).status();
  EXPECT_EQ(wrong.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.message()), HasSubstr("text format parsing error in line 1"));
}

TEST(GoTest, FindsTheFixturesOfTheKubernetesRelease) {
  const absl::StatusOr<std::string> folder = FindData("k8s_api_testdata", "HEAD");
  if (PrintSkipped(folder.status())) GTEST_SKIP();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_TRUE(std::filesystem::exists(*folder + "/core.v1.Pod.json"));
  EXPECT_TRUE(std::filesystem::exists(*folder + "/core.v1.Pod.pb"));
}

}  // namespace
}  // namespace kube::oracle
