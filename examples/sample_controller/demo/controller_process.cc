#include "examples/sample_controller/demo/controller_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"

namespace samplecontroller {
namespace {

// Runs in the child: calls only functions that are allowed between fork and exec.
[[noreturn]] void Become(char* const* argv, int log, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // it has ended before that
  setpgid(0, 0);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(127);
}

// Blocks until all writers of the pipe have closed it.
void AwaitEnd(int pipe) {
  char none = 0;
  while (read(pipe, &none, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace

absl::Status ControllerProcess::Start(std::vector<std::string> command, const std::string& log_file,
                                      std::function<void(absl::Status)> on_end) {
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int log = open(log_file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) return absl::ErrnoToStatus(errno, absl::StrCat("open ", log_file));
  int ends[2] = {-1, -1};
  const pid_t parent = getpid();
  pid_ = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
  const int error = errno;
  if (pid_ == 0) Become(argv.data(), log, parent);
  close(log);
  close(ends[1]);
  // Until exec, the child shares all open descriptors, including listening sockets.
  AwaitEnd(ends[0]);
  close(ends[0]);
  if (pid_ < 0) return absl::ErrnoToStatus(error, absl::StrCat("start ", command[0]));
  // The child stays a zombie until End, so that its pid is not reused.
  return waiter_.Start({}, "controller", [this, on_end = std::move(on_end)](const kube::Context&) {
    siginfo_t info = {};
    while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    if (stopping_) return;
    on_end(absl::AbortedError(absl::StrCat("the sample controller exited unexpectedly: ",
                                           info.si_code == CLD_EXITED ? "code " : "signal ",
                                           info.si_status)));
  });
}

void ControllerProcess::End(int signal) {
  if (pid_ <= 0) return;
  stopping_ = true;
  kill(pid_, signal);
  waiter_.Join();
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

}  // namespace samplecontroller
