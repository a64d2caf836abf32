// The embedded API server with containers whose commands are processes of this machine:
//
//   container_server FOLDER
//
// prints a kubeconfig and serves until its standard input ends. All containers of all pods run
// their commands in the folder. Besides programs there are "append-log TEXT", "end-log" and
// "terminal-size". Attached clients get "attached" and then what they send, port 80 sends back what
// it gets, and port 81 fails.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apiserver/api_server.h"
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "net/io/duplex_stream.h"

namespace kube {
namespace {

using apiserver::ContainerProcess;

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  void Reset(int fd) {
    Close();
    fd_ = fd;
  }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

struct Pipe {
  bool Open() {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    from.Reset(ends[0]);
    to.Reset(ends[1]);
    return true;
  }
  Descriptor from;
  Descriptor to;
};

// Passes what a program writes on, until it closes the pipe.
template <typename Write>
void PassOn(int fd, Write write_to_client) {
  std::array<char, 32768> piece;
  while (true) {
    const ssize_t size = read(fd, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    // If the client has gone, the rest is read all the same: the program must not block.
    write_to_client(absl::string_view(piece.data(), static_cast<size_t>(size))).IgnoreError();
  }
}

// Passes stdin on to a program, and ends it.
void Feed(const Context& ctx, ContainerProcess& process, Descriptor& to) {
  while (true) {
    const absl::StatusOr<std::string> bytes = process.ReadStdin(ctx);
    if (!bytes.ok() || bytes->empty()) break;
    absl::string_view rest = *bytes;
    while (!rest.empty()) {
      const ssize_t size = write(to.get(), rest.data(), rest.size());
      if (size < 0 && errno != EINTR) return;  // the program has ended
      if (size > 0) rest.remove_prefix(static_cast<size_t>(size));
    }
  }
  to.Close();
}

absl::StatusOr<pid_t> Spawn(const std::string& folder, const std::vector<std::string>& command,
                            const Pipe& in, const Pipe& out, const Pipe& err) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, in.from.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.to.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.to.get(), STDERR_FILENO);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return pid;
  return absl::NotFoundError(
      absl::StrCat("exec: \"", command[0], "\": executable file not found in $PATH"));
}

// Runs a program of this machine as the process.
absl::StatusOr<int> RunProgram(const std::string& folder, ContainerProcess& process) {
  Pipe in;
  Pipe out;
  Pipe err;
  if (!in.Open() || !out.Open() || !err.Open()) return absl::UnavailableError("open pipe");
  KUBE_ASSIGN_OR_RETURN(const pid_t pid, Spawn(folder, process.command(), in, out, err));
  in.from.Close();
  out.to.Close();
  err.to.Close();
  const Context& ctx = process.context();
  const DoneCallback killer = ctx.OnDone([pid] { kill(pid, SIGKILL); });
  base::Thread feeder;
  base::Thread errors;
  KUBE_RETURN_IF_ERROR(
      feeder.Start(ctx, "stdin", [&](const Context& until) { Feed(until, process, in.to); }));
  KUBE_RETURN_IF_ERROR(errors.Start(ctx, "stderr", [&](const Context&) {
    PassOn(err.from.get(), [&](absl::string_view text) { return process.WriteStderr(ctx, text); });
  }));
  PassOn(out.from.get(), [&](absl::string_view text) { return process.WriteStdout(ctx, text); });
  errors.Join();
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

absl::StatusOr<int> Exec(apiserver::ApiHandler& handler, const std::string& folder,
                         ContainerProcess& process) {
  const std::vector<std::string>& command = process.command();
  const apiserver::ContainerName& name = process.container();
  if (command.empty()) return absl::InvalidArgumentError("no command");
  if (command[0] == "append-log") {
    process.AppendLog(absl::StrCat(command.back(), "\n"));
    return 0;
  }
  if (command[0] == "end-log") {
    handler.EndPodLog(name.namespace_name, name.pod, name.container);
    return 0;
  }
  if (command[0] == "terminal-size") {
    KUBE_ASSIGN_OR_RETURN(const auto size, process.NextTerminalSize(process.context()));
    const std::string text =
        size.has_value() ? absl::StrCat(size->width, "x", size->height, "\r\n") : "no terminal\n";
    KUBE_RETURN_IF_ERROR(process.WriteStdout(process.context(), text));
    return 0;
  }
  return RunProgram(folder, process);
}

absl::Status Attach(ContainerProcess& process) {
  const Context& ctx = process.context();
  KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, "attached\n"));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, process.ReadStdin(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, bytes));
  }
}

absl::Status Echo(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, connection->Read(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(connection->Write(ctx, bytes));
  }
}

absl::Status Fail(const Context&, std::unique_ptr<io::DuplexStream>) {
  return absl::InternalError("the application has crashed");
}

int Main(const std::string& folder) {
  // A program may end before it has read its stdin.
  signal(SIGPIPE, SIG_IGN);
  const absl::StatusOr<std::unique_ptr<apiserver::ApiServer>> server =
      apiserver::ApiServer::Start();
  if (!server.ok()) {
    std::cerr << server.status().message() << "\n";
    return 1;
  }
  apiserver::ApiHandler& handler = (*server)->handler();
  const apiserver::Container container = {
      .exec = [&handler,
               folder](ContainerProcess& process) { return Exec(handler, folder, process); },
      .attach = Attach,
      .ports = {{80, Echo}, {81, Fail}}};
  handler.SetContainers([container](const apiserver::ContainerName&) {
    return std::optional<apiserver::Container>(container);
  });
  std::cout << (*server)->Kubeconfig() << std::flush;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  return 0;
}

}  // namespace
}  // namespace kube

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: container_server FOLDER\n";
    return 2;
  }
  return kube::Main(argv[1]);
}
