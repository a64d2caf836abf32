#include "tests/integration/line_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube::integration {
namespace {

absl::Status SystemError(absl::string_view what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::generic_category().message(error)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<LineProgram>> LineProgram::Start(
    const std::string& program, const std::vector<std::string>& args) {
  std::signal(SIGPIPE, SIG_IGN);  // the program may have ended
  int input[2] = {-1, -1};
  int output[2] = {-1, -1};
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
    return SystemError("open pipe", errno);
  }
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  char* environment[] = {nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environment);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  if (error == 0) return std::make_unique<LineProgram>(pid, input[1], output[0]);
  close(input[1]);
  close(output[0]);
  return SystemError(absl::StrCat("start ", program), error);
}

LineProgram::~LineProgram() {
  close(input_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(output_);
}

absl::StatusOr<std::string> LineProgram::Ask(absl::string_view line, absl::Duration timeout) {
  const std::string question = absl::StrCat(line, "\n");
  if (write(input_, question.data(), question.size()) != static_cast<ssize_t>(question.size())) {
    return SystemError("write to the program", errno);
  }
  base::Runtime& runtime = base::Runtime::Real();
  const base::MonotonicTime deadline = runtime.Now() + timeout;
  while (true) {
    if (const size_t end = read_.find('\n'); end != std::string::npos) {
      std::string answer = read_.substr(0, end);
      read_.erase(0, end + 1);
      return answer;
    }
    const absl::Duration left = deadline - runtime.Now();
    if (left <= absl::ZeroDuration()) return absl::DeadlineExceededError("it does not answer");
    pollfd wait = {.fd = output_, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, static_cast<int>(absl::ToInt64Milliseconds(left)) + 1) <= 0) continue;
    std::array<char, 4096> piece;
    const ssize_t size = read(output_, piece.data(), piece.size());
    if (size == 0) return absl::UnavailableError("the program has ended");
    if (size > 0) read_.append(piece.data(), static_cast<size_t>(size));
  }
}

}  // namespace kube::integration
