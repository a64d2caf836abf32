#include "tests/oracle/oracle.h"

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"

namespace kube::oracle {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// With MODULE.bazel, a repository's folder has a longer name, which Bazel lists as
// "from,name,folder".
std::string FolderOf(const fs::path& runfiles, absl::string_view repository) {
  const std::string mapping = ReadFile(runfiles / "_repo_mapping");
  for (absl::string_view line : absl::StrSplit(mapping, '\n')) {
    const std::vector<std::string> parts = absl::StrSplit(line, ',');
    if (parts.size() == 3 && parts[0].empty() && parts[1] == repository) return parts[2];
  }
  return std::string(repository);
}

absl::Status SystemError(absl::string_view what, int error) {
  return absl::InternalError(absl::StrCat(what, ": ", std::generic_category().message(error)));
}

// An owned file descriptor, or -1.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) close(fd_);
  }

  int fd() const { return fd_; }

 private:
  const int fd_;
};

// Opens a file in memory. Unlike a pipe it never blocks its writer, so a running program need not
// be fed and drained.
int MemoryFile(const char* name) { return memfd_create(name, MFD_CLOEXEC); }

absl::Status WriteAll(int fd, absl::string_view data) {
  for (size_t done = 0; done < data.size();) {
    const ssize_t n = pwrite(fd, data.data() + done, data.size() - done, static_cast<off_t>(done));
    if (n < 0) return SystemError("write input", errno);
    done += static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(int fd) {
  std::string data;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = pread(fd, buffer, sizeof(buffer), static_cast<off_t>(data.size()));
    if (n < 0) return SystemError("read output", errno);
    if (n == 0) return data;
    data.append(buffer, static_cast<size_t>(n));
  }
}

absl::StatusOr<pid_t> Spawn(const std::string& program, const RunOptions& options, int in, int out,
                            int err) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& arg : options.args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  char* environment[] = {nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environment);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return SystemError("start", error);
  return pid;
}

// Waits until `pid` ends, and kills it at the deadline. Returns its wait status, or
// DEADLINE_EXCEEDED.
absl::StatusOr<int> Wait(pid_t pid, absl::Duration timeout) {
  // Called by number, because glibc 2.36 declares pidfd_open as a C++ function.
  const File process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  pollfd poll_for = {.fd = process.fd(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = poll(&poll_for, 1, static_cast<int>(absl::ToInt64Milliseconds(timeout)));
  } while (ready < 0 && errno == EINTR);
  if (ready != 1) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return SystemError("wait", errno);
  }
  if (ready != 1)
    return absl::DeadlineExceededError(
        absl::StrCat("killed after ", absl::FormatDuration(timeout)));
  return status;
}

// Returns a status for the end of a program.
absl::Status ExitStatus(int wait_status, absl::string_view error_output) {
  if (WIFSIGNALED(wait_status)) {
    return absl::AbortedError(absl::StrCat("signal ", WTERMSIG(wait_status), ": ", error_output));
  }
  if (const int code = WEXITSTATUS(wait_status); code != 0) {
    return absl::InvalidArgumentError(absl::StrCat("exit code ", code, ": ", error_output));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Run(const std::string& program, const RunOptions& options) {
  const File in(MemoryFile("stdin")), out(MemoryFile("stdout")), err(MemoryFile("stderr"));
  if (in.fd() < 0 || out.fd() < 0 || err.fd() < 0) return SystemError("create memory file", errno);
  if (absl::Status written = WriteAll(in.fd(), options.input); !written.ok()) return written;
  const absl::StatusOr<pid_t> pid = Spawn(program, options, in.fd(), out.fd(), err.fd());
  if (!pid.ok()) return pid.status();
  const absl::StatusOr<int> wait_status = Wait(*pid, options.timeout);
  if (!wait_status.ok()) return wait_status.status();
  const absl::StatusOr<std::string> error_output = ReadAll(err.fd());
  if (!error_output.ok()) return error_output.status();
  absl::Status ended = ExitStatus(*wait_status, absl::StripTrailingAsciiWhitespace(*error_output));
  if (!ended.ok()) return ended;
  return ReadAll(out.fd());
}

}  // namespace

absl::StatusOr<std::string> FindData(absl::string_view repository, absl::string_view name) {
  const char* runfiles = std::getenv("TEST_SRCDIR");
  if (runfiles == nullptr)
    return absl::FailedPreconditionError("find test data: TEST_SRCDIR is not set");
  const fs::path path = fs::path(runfiles) / FolderOf(runfiles, repository) / std::string(name);
  if (fs::exists(path)) return path.string();
  const std::string marker = path.string() + ".skipped";
  if (fs::exists(marker)) {
    const std::string reason = ReadFile(marker);
    return absl::UnavailableError(absl::StrCat("@", repository, "//:", name, ": ",
                                               absl::StripTrailingAsciiWhitespace(reason)));
  }
  return absl::NotFoundError(
      absl::StrCat("find @", repository, "//:", name, ": not in the test's data"));
}

bool PrintSkipped(const absl::Status& status) {
  if (!absl::IsUnavailable(status)) return false;
  std::cout << "SKIPPED: " << std::string(status.message()) << std::endl;
  return true;
}

absl::StatusOr<std::string> RunProgram(const std::string& program, const RunOptions& options) {
  absl::StatusOr<std::string> output = Run(program, options);
  if (output.ok()) return output;
  return absl::Status(output.status().code(),
                      absl::StrCat("run ", program, ": ", output.status().message()));
}

}  // namespace kube::oracle
