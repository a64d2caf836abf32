#include "clientset/rest/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "net/io/secret_reader.h"

// How a program is run. posix_spawn starts it with a pipe for its standard output, and the calling
// thread then waits in poll() for three things: an eventfd that the context writes when it ends,
// the pipe, and a pidfd that becomes readable when the program ends. Without pidfd the thread looks
// every 10 ms.
//
// The program's end is detected with waitid(WNOWAIT), which leaves the zombie: so its process id
// stays valid, and signals cannot hit another process, until Reap() takes the zombie away. Each
// round looks for the end before it reads the pipe, so that output written just before the end is
// not lost. If the wait fails (context, output too large), End() sends SIGTERM, waits for the grace
// period, sends SIGKILL to the process group, which also reaches children that the program left
// behind, and waits two more seconds. A program that still runs then is put into Leftovers, and
// reaped by a later call.
namespace kube::rest {

using io::SecretReader;

namespace {

absl::Status SystemError(absl::string_view what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::generic_category().message(error)));
}

// An owned file descriptor; -1 if there is none.
class File {
 public:
  File() = default;
  explicit File(int fd) : fd_(fd) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { Close(); }

  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int Release() { return std::exchange(fd_, -1); }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Uses posix_spawn, because hardly any function may be called between fork and exec in a process
// with threads.
absl::StatusOr<pid_t> Spawn(const SubprocessOptions& options, int stdout_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!options.interactive) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  if (options.output_file.empty()) {
    posix_spawn_file_actions_adddup2(&actions, stdout_fd, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.output_file.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
#if __GLIBC_PREREQ(2, 34)
  // Close all other descriptors, as Go does: libraries may have opened some without O_CLOEXEC.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif

  // Reset the signal mask and SIGPIPE: our threads may block signals, and a network program ignores
  // SIGPIPE. The program should inherit neither, and could not be ended if it blocked SIGTERM.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  // A background process group could not read from its terminal.
  const int group = options.interactive ? 0 : POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(
      &attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));

  pid_t pid = 0;
  const std::vector<char*> args = Pointers(options.args);
  const std::vector<char*> env = Pointers(options.env);
  const int error =
      posix_spawn(&pid, options.path.c_str(), &actions, &attributes, args.data(), env.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return SystemError("start", error);
  return pid;
}

// How long a killed program may take to end: it may be waiting for a disk.
constexpr absl::Duration kKillPatience = absl::Seconds(2);

// Children that SIGKILL did not end in time. Its size is the number of programs that cannot be
// ended. Thread-safe.
class Leftovers {
 public:
  static Leftovers& Get() {
    static Leftovers& leftovers = *std::make_unique<Leftovers>().release();
    return leftovers;
  }

  void Add(pid_t pid) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    pids_.push_back(pid);
  }

  // Reaps those that have ended meanwhile.
  void Reap() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    std::erase_if(pids_, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) != 0; });
  }

 private:
  base::Mutex mutex_;
  std::vector<pid_t> pids_ ABSL_GUARDED_BY(mutex_);
};

// A started program and its output. Call Reap, or add it to Leftovers, before it is destroyed.
class Child {
 public:
  Child(const SubprocessOptions& options, pid_t pid, int output, int wake)
      : pid_(pid),
        group_(options.interactive ? pid : -pid),
        may_signal_(options.may_signal),
        wake_(wake),
        output_(output),
        // Called by number because glibc 2.36 declares pidfd_open as a C++ function. If it fails,
        // Poll looks every 10 ms instead.
        end_(options.use_pidfd ? static_cast<int>(syscall(SYS_pidfd_open, pid, 0)) : -1),
        reader_(options.max_output_bytes) {}

  // Reads the output until the program has ended. Returns an error if `ctx` ends, or reading fails.
  absl::Status Collect(const Context& ctx) {
    while (true) {
      // In this order, so that everything the program wrote before its end is read.
      const bool ended = HasEnded();
      KUBE_RETURN_IF_ERROR(Drain());
      if (ended) return absl::OkStatus();
      if (ctx.done()) return ctx.status();
      Poll(absl::InfiniteDuration());
    }
  }

  // Ends the program, and the processes of its group that it left behind. Returns false if it is
  // still running.
  bool End(absl::Duration grace) {
    Signal(SIGTERM);
    output_.Close();  // a program that writes more gets SIGPIPE
    wake_ = -1;
    AwaitEnd(grace);
    // The program is not reaped yet, so its process id is still its own.
    Signal(SIGKILL);
    return AwaitEnd(kKillPatience);
  }

  // Waits for the end and reaps the zombie.
  absl::StatusOr<SubprocessResult> Reap() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0) {
      if (errno != EINTR) return SystemError("wait for process", errno);
    }
    if (WIFSIGNALED(status)) {
      return SubprocessResult{.exit_code = -1, .signal = WTERMSIG(status)};
    }
    return SubprocessResult{.output = reader_.Take(), .exit_code = WEXITSTATUS(status)};
  }

 private:
  void Signal(int number) const {
    if (!may_signal_) return;
    kill(group_, number);
    // The program may have left the process group in which it was started.
    if (group_ < 0 && getpgid(pid_) != pid_) kill(pid_, number);
  }

  // Returns whether the program has ended in time.
  bool AwaitEnd(absl::Duration patience) const {
    const base::MonotonicTime deadline = base::Now() + patience;
    while (!HasEnded()) {
      const absl::Duration left = deadline - base::Now();
      if (left <= absl::ZeroDuration()) return false;
      Poll(left);
    }
    return true;
  }

  // Does not reap the zombie. If this process ignores SIGCHLD there is no zombie; then Reap reports
  // it.
  bool HasEnded() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == pid_;
  }

  // Reads what is available now.
  absl::Status Drain() {
    while (output_.fd() >= 0) {
      switch (reader_.ReadFrom(output_.fd())) {
        case SecretReader::Result::kMore:
          continue;
        case SecretReader::Result::kWouldBlock:
          return absl::OkStatus();
        case SecretReader::Result::kEnd:
          output_.Close();
          return absl::OkStatus();
        case SecretReader::Result::kTooLong:
          return absl::ResourceExhaustedError("too much output");
        case SecretReader::Result::kError:
          return SystemError("read output", errno);
      }
    }
    return absl::OkStatus();
  }

  // Waits until something may have happened. poll ignores descriptors that are -1.
  void Poll(absl::Duration timeout) const {
    constexpr absl::Duration kLookAgain = absl::Milliseconds(10);
    if (end_.fd() < 0) timeout = std::min(timeout, kLookAgain);
    const int milliseconds = timeout == absl::InfiniteDuration()
                                 ? -1
                                 : static_cast<int>(absl::ToInt64Milliseconds(
                                       absl::Ceil(timeout, absl::Milliseconds(1))));
    std::array<pollfd, 3> fds = {{{.fd = wake_, .events = POLLIN, .revents = 0},
                                  {.fd = output_.fd(), .events = POLLIN, .revents = 0},
                                  {.fd = end_.fd(), .events = POLLIN, .revents = 0}}};
    poll(fds.data(), fds.size(), milliseconds);
  }

  const pid_t pid_;
  const pid_t group_;
  const bool may_signal_;
  int wake_;
  File output_;
  const File end_;
  SecretReader reader_;
};

}  // namespace

absl::StatusOr<SubprocessResult> RunSubprocess(const Context& ctx,
                                               const SubprocessOptions& options) {
  if (ctx.done()) return ctx.status();
  Leftovers::Get().Reap();
  const File wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  int ends[2] = {-1, -1};
  if (wake.fd() < 0 || pipe2(ends, O_CLOEXEC) != 0) return SystemError("open pipe", errno);
  File writing(ends[1]);
  File reading(ends[0]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  KUBE_ASSIGN_OR_RETURN(const pid_t pid, Spawn(options, writing.fd()));
  writing.Close();
  Child child(options, pid, reading.Release(), wake.fd());

  absl::Status collected;
  {
    const DoneCallback done = ctx.OnDone([fd = wake.fd()] { eventfd_write(fd, 1); });
    collected = child.Collect(ctx);
  }
  if (!collected.ok() && !child.End(options.grace)) {
    Leftovers::Get().Add(pid);
    return collected;
  }
  absl::StatusOr<SubprocessResult> result = child.Reap();
  if (!collected.ok()) return collected;
  return result;
}

}  // namespace kube::rest
