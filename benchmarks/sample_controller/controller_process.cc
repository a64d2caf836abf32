#include "benchmarks/sample_controller/controller_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"

namespace kube::benchmarks {
namespace {

constexpr absl::Duration kPoll = absl::Milliseconds(5);
constexpr size_t kTailBytes = 1000;

// Returns a value such as "RssAnon:  1234 kB" from /proc/PID/status, in bytes, or -1 if there is
// none.
int64_t StatusBytes(pid_t pid, absl::string_view name) {
  const std::string wanted = absl::StrCat(name, ":");
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  std::string word;
  while (status >> word) {
    int64_t kilobytes = 0;
    if (word == wanted && status >> kilobytes) return kilobytes * 1024;
  }
  return -1;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ControllerProcess>> ControllerProcess::Start(
    std::vector<std::string> command, std::string log_file) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_file.c_str(),
                                   O_CREAT | O_WRONLY | O_TRUNC | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return absl::ErrnoToStatus(error, absl::StrCat("start \"", command[0], "\""));
  return std::make_unique<ControllerProcess>(pid, std::move(log_file));
}

ControllerProcess::~ControllerProcess() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

absl::Status ControllerProcess::AwaitLog(const Context& ctx, absl::string_view text) {
  return base::PollUntil(ctx, kPoll, base::FirstPoll::kAtOnce,
                         [&](const Context&) -> absl::StatusOr<bool> {
                           if (absl::StrContains(Log(), text)) return true;
                           if (HasEnded()) return Ended("it has ended");
                           return false;
                         });
}

absl::StatusOr<ProcessUsage> ControllerProcess::Measure() const {
  clockid_t clock = 0;
  timespec cpu = {};
  const int64_t rss_anon = StatusBytes(pid_, "RssAnon");
  if (pid_ == 0 || rss_anon < 0 || clock_getcpuclockid(pid_, &clock) != 0 ||
      clock_gettime(clock, &cpu) != 0) {
    return Ended("measure it: it has ended");
  }
  return ProcessUsage{.cpu = absl::DurationFromTimespec(cpu),
                      .rss_anon_bytes = rss_anon,
                      .peak_rss_bytes = StatusBytes(pid_, "VmHWM")};
}

absl::Status ControllerProcess::Stop(const Context& ctx) {
  if (pid_ != 0) kill(pid_, SIGTERM);
  KUBE_RETURN_IF_ERROR(
      base::PollUntil(ctx, kPoll, base::FirstPoll::kAtOnce,
                      [this](const Context&) -> absl::StatusOr<bool> { return HasEnded(); }));
  if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return absl::OkStatus();
  return Ended(WIFEXITED(status_) ? absl::StrCat("exit status ", WEXITSTATUS(status_))
                                  : absl::StrCat("signal ", WTERMSIG(status_)));
}

bool ControllerProcess::HasEnded() {
  if (pid_ != 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
  return pid_ == 0;
}

std::string ControllerProcess::Log() const {
  std::ifstream file(log_file_);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

absl::Status ControllerProcess::Ended(absl::string_view how) const {
  const std::string log = Log();
  return absl::UnavailableError(
      absl::StrCat(how, "\n", log.substr(log.size() - std::min(log.size(), kTailBytes))));
}

}  // namespace kube::benchmarks
