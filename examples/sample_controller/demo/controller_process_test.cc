#include "examples/sample_controller/demo/controller_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace samplecontroller {
namespace {

using kube::Context;
using kube::base::IsOk;
using kube::base::StatusIs;
using testing::EndsWith;

// Of this run alone.
std::string File(const std::string& name) {
  return absl::StrCat(testing::TempDir(), "/", getpid(), "-", name);
}

std::string Read(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Returns false if it did not happen.
bool Await(const std::function<bool()>& reached) {
  const Context ctx = kube::WithTimeout({}, absl::Seconds(30));
  while (!reached()) {
    if (!kube::base::SleepFor(ctx, absl::Milliseconds(5)).ok()) return false;
  }
  return true;
}

// Gone, or a zombie that nobody has taken away.
bool IsGone(const std::string& pid) {
  const std::string stat = Read(absl::StrCat("/proc/", pid, "/stat"));
  return stat.empty() || absl::StrContains(stat, ") Z ");
}

// A program that writes its process id, without a line's end, and runs until it is ended.
std::string Script(const std::string& pid_file) {
  return absl::StrCat("printf %s $$ >", pid_file, ".new; mv ", pid_file, ".new ", pid_file,
                      "; exec sleep 1000");
}

TEST(ControllerProcess, SaysHowItEnded) {
  for (const auto& [script, how] :
       {std::pair("echo one; exit 3", "code 3"), std::pair("echo one; kill -9 $$", "signal 9")}) {
    SCOPED_TRACE(script);
    kube::base::Event ended;
    absl::Status end;
    ControllerProcess process;
    const std::string log = File(how);
    ASSERT_THAT(process.Start({"/bin/sh", "-c", script}, log,
                              [&](absl::Status status) {
                                end = std::move(status);
                                ended.Set();
                              }),
                IsOk());
    ASSERT_THAT(ended.Wait(kube::WithTimeout({}, absl::Seconds(30))), IsOk());
    EXPECT_THAT(end, StatusIs(absl::StatusCode::kAborted, EndsWith(how)));
    EXPECT_EQ(Read(log), "one\n");
  }
}

TEST(ControllerProcess, EndIsNotByItself) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    const std::string pid_file = File(absl::StrCat("pid-", signal));
    bool ended_by_itself = false;
    ControllerProcess process;
    ASSERT_THAT(process.Start({"/bin/sh", "-c", Script(pid_file)}, File("log"),
                              [&](const absl::Status&) { ended_by_itself = true; }),
                IsOk());
    ASSERT_TRUE(Await([&] { return !Read(pid_file).empty(); }));
    EXPECT_FALSE(IsGone(Read(pid_file)));
    process.End(signal);
    EXPECT_TRUE(IsGone(Read(pid_file)));
    process.End(signal);
    EXPECT_FALSE(ended_by_itself);
  }
}

// Also where that is killed.
TEST(ControllerProcess, EndsWithWhoeverStartedIt) {
  const std::string pid_file = File("pid");
  const pid_t starter = fork();
  if (starter == 0) {
    ControllerProcess process;
    const absl::Status started =
        process.Start({"/bin/sh", "-c", Script(pid_file)}, File("log"), [](const absl::Status&) {});
    const bool runs = started.ok() && Await([&] { return !Read(pid_file).empty(); });
    if (runs) kill(getpid(), SIGKILL);
    _exit(1);
  }
  ASSERT_GT(starter, 0);
  int status = 0;
  ASSERT_EQ(waitpid(starter, &status, 0), starter);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it could not start it";
  EXPECT_TRUE(Await([&] { return IsGone(Read(pid_file)); }));
}

}  // namespace
}  // namespace samplecontroller
