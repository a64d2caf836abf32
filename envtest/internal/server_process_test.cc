#include "envtest/internal/server_process.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

using base::IsOk;
using base::StatusIs;

std::unique_ptr<ServerProcess> StartShell(const std::string& script) {
  auto process = ServerProcess::Start({.name = "sh",
                                       .program = "/bin/sh",
                                       .flags = {"-c", script},
                                       .log_file = absl::StrCat(testing::TempDir(), "/log"),
                                       .grace = absl::Milliseconds(50)});
  EXPECT_THAT(process, IsOk());
  return *std::move(process);
}

// How it ended by itself.
absl::Status EndOf(const ServerProcess& process) {
  while (process.ended().ok()) base::SleepFor(Context(), absl::Milliseconds(1)).IgnoreError();
  return process.ended();
}

TEST(ServerProcess, SaysHowItEnded) {
  EXPECT_THAT(EndOf(*StartShell("exit 7")),
              StatusIs(absl::StatusCode::kUnavailable, "sh exited with code 7"));
  EXPECT_THAT(EndOf(*StartShell("kill -9 $$")),
              StatusIs(absl::StatusCode::kUnavailable, "sh terminated by signal 9"));
}

TEST(ServerProcess, KeepsItsLog) {
  const auto process = StartShell("echo one; echo two >&2");
  EndOf(*process).IgnoreError();
  EXPECT_EQ(process->LogTail(1000), "one\ntwo\n");
  EXPECT_EQ(process->LogTail(3), "wo\n");
  EXPECT_TRUE(process->LogSays("one"));
  EXPECT_FALSE(process->LogSays("three"));
  // The next one has its own.
  const auto next = StartShell("echo three");
  EndOf(*next).IgnoreError();
  EXPECT_EQ(next->LogTail(1000), "three\n");
}

TEST(ServerProcess, StopIsNoError) {
  const auto process = StartShell("trap '' TERM; while :; do sleep 1; done");
  process->Stop();
  process->Stop();
  EXPECT_THAT(process->ended(), IsOk());
}

}  // namespace
}  // namespace kube::envtest::internal
