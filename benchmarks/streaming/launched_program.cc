#include "benchmarks/streaming/launched_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"

namespace kube::benchmarks {
namespace {

// The descriptor to which the launcher writes its report.
constexpr int kReport = 3;

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

absl::StatusOr<Pipe> MakePipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "open pipe");
  return Pipe{.read_end = ends[0], .write_end = ends[1]};
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LaunchedProgram>> LaunchedProgram::Start(
    const LaunchOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const Pipe output, MakePipe());
  KUBE_ASSIGN_OR_RETURN(const Pipe report, MakePipe());
  std::vector<std::string> words = {options.launch, absl::StrCat(kReport)};
  words.insert(words.end(), options.command.begin(), options.command.end());
  std::vector<std::string> environment = options.environment;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, options.input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, report.write_end, kReport);
  // Interrupt works also if we ignore the signal, as programs in the background do.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, options.launch.c_str(), &actions, &attributes,
                                Pointers(words).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(output.write_end);
  close(report.write_end);
  auto program =
      std::make_unique<LaunchedProgram>(error == 0 ? pid : 0, output.read_end, report.read_end);
  if (error != 0) return absl::ErrnoToStatus(error, absl::StrCat("start ", options.launch));
  if (!absl::SimpleAtoi(program->ReadReport(), &program->program_)) {
    return absl::UnavailableError(absl::StrCat("start ", options.command.front(), ": see above"));
  }
  return program;
}

LaunchedProgram::~LaunchedProgram() {
  if (launcher_ != 0) {
    if (program_ != 0) kill(program_, SIGKILL);
    while (waitpid(launcher_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(output_);
  close(report_);
}

void LaunchedProgram::Interrupt() {
  if (launcher_ != 0) kill(program_, SIGINT);
}

absl::StatusOr<ProgramUsage> LaunchedProgram::Wait() {
  // "CPU_SECONDS PEAK_RSS_KIB WAIT_STATUS"
  const std::vector<std::string> figures = absl::StrSplit(ReadReport(), ' ');
  while (waitpid(launcher_, nullptr, 0) < 0 && errno == EINTR) {
  }
  launcher_ = 0;
  double cpu_seconds = 0;
  int64_t peak_kibibytes = 0;
  int status = 0;
  if (figures.size() != 3 || !absl::SimpleAtod(figures[0], &cpu_seconds) ||
      !absl::SimpleAtoi(figures[1], &peak_kibibytes) || !absl::SimpleAtoi(figures[2], &status)) {
    return absl::UnavailableError("the launcher has ended");
  }
  if (WIFSIGNALED(status)) {
    return absl::UnavailableError(absl::StrCat("the program: signal ", WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0) {
    return absl::UnavailableError(absl::StrCat("the program: exit status ", WEXITSTATUS(status)));
  }
  return ProgramUsage{.cpu = absl::Seconds(cpu_seconds), .peak_rss_bytes = peak_kibibytes * 1024};
}

std::string LaunchedProgram::ReadReport() {
  std::string line;
  while (true) {
    char c = 0;
    const ssize_t size = read(report_, &c, 1);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0 || c == '\n') return line;
    line.push_back(c);
  }
}

}  // namespace kube::benchmarks
