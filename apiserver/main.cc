// An API server for scripts and terminals. Prints a kubeconfig as soon as the server answers, and
// serves until SIGTERM or SIGINT arrives, or until a condition that a flag sets.
//
//   main --kubeconfig=FILE &

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apiserver/api_server.h"
#include "apiserver/kubeconfig_text.h"
#include "apiserver/program/setup.h"
#include "apiserver/program_flags.h"

namespace kube::apiserver {
namespace {

// Opens a descriptor that becomes readable when the parent has ended. Returns -1 if the kernel has
// no such descriptors; it then sends SIGTERM instead. `parent` is the parent at the start of the
// program: if another process is the parent now, that one has already ended.
absl::StatusOr<int> WatchParent(pid_t parent) {
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, parent, 0));
  // The signal is sent when the thread that started this program ends, at the latest with its
  // process.
  if (ended < 0 && prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) {
    return absl::ErrnoToStatus(errno, "set parent death signal: prctl");
  }
  if (getppid() != parent) kill(getpid(), SIGTERM);
  return ended;
}

absl::Status WriteAll(int fd, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return absl::ErrnoToStatus(errno, "write kubeconfig");
    text.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Creates a file that has its whole text from the first moment. Only the user may read it, because
// it contains the administrator's token. Returns the open descriptor.
absl::StatusOr<int> WriteWhole(const std::string& path, absl::string_view text) {
  const std::string part = absl::StrCat(path, ".", getpid());
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("create \"", part, "\""));
  absl::Status status = WriteAll(fd, text);
  if (status.ok() && rename(part.c_str(), path.c_str()) != 0) {
    status = absl::ErrnoToStatus(errno, absl::StrCat("rename \"", part, "\" to \"", path, "\""));
  }
  if (status.ok()) return fd;
  unlink(part.c_str());
  close(fd);
  return status;
}

// Larger files were not written by this program.
constexpr size_t kMaxKubeconfigBytes = size_t{1} << 20;

// Returns OK if the file was written by this program, is empty, or does not exist. Other files,
// such as ~/.kube/config, belong to the user and must not be touched.
absl::Status CheckOld(const std::string& path) {
  const auto refuse = [&](absl::string_view why) {
    return absl::FailedPreconditionError(absl::StrCat("write kubeconfig to \"", path, "\": ", why,
                                                      "; remove it or choose another path"));
  };
  // A pipe without a writer must not block.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) return absl::OkStatus();
  if (fd < 0) return refuse(absl::ErrnoToStatus(errno, "open").message());
  struct stat file = {};
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
    close(fd);
    return refuse("not a regular file");
  }
  std::string text(kMaxKubeconfigBytes + 1, '\0');
  size_t size = 0;
  ssize_t more = 1;
  while (more > 0 && size < text.size()) {
    more = read(fd, text.data() + size, text.size() - size);
    if (more > 0) size += static_cast<size_t>(more);
  }
  close(fd);
  text.resize(size);
  if (more < 0) return refuse(absl::ErrnoToStatus(errno, "read").message());
  if (size == 0 || (size <= kMaxKubeconfigBytes && IsKubeconfigText(text))) return absl::OkStatus();
  return refuse("file exists and was not written by this program");
}

// Removes the file of an earlier run, which could be mistaken for that of this run.
absl::Status RemoveOld(const std::string& path) {
  KUBE_RETURN_IF_ERROR(CheckOld(path));
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat("remove \"", path, "\""));
}

// Removes the file of WriteWhole, unless another file has taken its place. While `fd` is open, no
// other file can have its inode number.
void RemoveOurs(const std::string& path, int fd) {
  struct stat ours = {};
  struct stat there = {};
  if (fstat(fd, &ours) == 0 && lstat(path.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
      ours.st_ino == there.st_ino) {
    unlink(path.c_str());
  }
  close(fd);
}

// Blocks until the context is done, until `input` ends, or until `parent` becomes readable.
// Negative descriptors are ignored.
void WaitForEnd(const Context& ctx, int input, int parent) {
  const int done = eventfd(0, EFD_CLOEXEC);
  const DoneCallback callback = ctx.OnDone([done] {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(done, &one, sizeof(one));
  });
  pollfd ends[] = {{.fd = done, .events = POLLIN, .revents = 0},
                   {.fd = parent, .events = POLLIN, .revents = 0},
                   {.fd = input, .events = POLLIN, .revents = 0}};
  while (true) {
    if (poll(ends, 3, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (ends[0].revents != 0 || ends[1].revents != 0) return;
    char buffer[256];
    if (ends[2].revents != 0 && read(input, buffer, sizeof(buffer)) <= 0) return;
  }
}

// `parent` is a descriptor of WatchParent, or -1.
absl::Status Serve(ProgramFlags flags, const Context& ctx, int parent) {
  if (!flags.kubeconfig.empty()) KUBE_RETURN_IF_ERROR(RemoveOld(flags.kubeconfig));
  KUBE_RETURN_IF_ERROR(apiserver::internal::PrepareServer(flags));
  ApiServerOptions options = flags.server;
  // SetUpCluster adds them, so that they do not spoil its own requests.
  options.handler.faults.clear();
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<ApiServer> server,
                        ApiServer::Start(std::move(options)));
  KUBE_ASSIGN_OR_RETURN(const auto workloads,
                        apiserver::internal::SetUpCluster(ctx, *server, flags));
  const std::string kubeconfig =
      KubeconfigText(server->url(), server->ca_certificate(), server->admin_token(), flags.tokens);
  int file = -1;
  if (flags.kubeconfig.empty()) {
    KUBE_RETURN_IF_ERROR(WriteAll(STDOUT_FILENO, kubeconfig));
  } else {
    // Another file may have been created meanwhile.
    KUBE_RETURN_IF_ERROR(CheckOld(flags.kubeconfig));
    KUBE_ASSIGN_OR_RETURN(file, WriteWhole(flags.kubeconfig, kubeconfig));
  }
  WaitForEnd(WithTimeout(ctx, flags.ttl), flags.end_with_stdin ? STDIN_FILENO : -1, parent);
  if (file >= 0) RemoveOurs(flags.kubeconfig, file);
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& arguments) {
  const pid_t parent = getppid();
  // The server goes on if the reader of its request log has gone.
  signal(SIGPIPE, SIG_IGN);
  absl::StatusOr<ProgramFlags> flags = ParseProgramFlags(arguments);
  if (!flags.ok()) {
    std::cerr << flags.status().message() << "\n";
    return 2;
  }
  if (flags->help) {
    std::cout << ProgramHelp() << std::flush;
    return 0;
  }
  if (flags->version) {
    std::cout << ProgramVersion() << std::flush;
    return 0;
  }
  const Context ctx = SignalContext();
  absl::StatusOr<int> ended = -1;
  if (flags->end_with_parent) ended = WatchParent(parent);
  const absl::Status status = ended.ok() ? Serve(*std::move(flags), ctx, *ended) : ended.status();
  // A signal may come while the cluster is filled.
  if (status.ok() || ctx.done()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}

}  // namespace
}  // namespace kube::apiserver

int main(int argc, char** argv) { return kube::apiserver::Main({argv + 1, argv + argc}); }
