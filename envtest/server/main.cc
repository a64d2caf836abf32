// An API server for scripts and terminals: prints a kubeconfig as soon as it answers, and serves
// until SIGTERM or SIGINT comes, or until what a flag says.
//
//   main --kubeconfig=FILE &

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
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
#include "apimachinery/base/wait.h"
#include "envtest/server/api_server.h"
#include "envtest/server/kubeconfig_text.h"
#include "envtest/server/program_flags.h"

namespace kube::envtest {
namespace {

// Has the kernel send SIGTERM when the parent ends. `parent` was the parent when the program began:
// if it is another process now, that one has ended already.
absl::Status EndWithParent(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) {
    return absl::ErrnoToStatus(errno, "end with the parent: prctl");
  }
  if (getppid() != parent) kill(getpid(), SIGTERM);
  return absl::OkStatus();
}

absl::Status WriteAll(int fd, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return absl::ErrnoToStatus(errno, "write the kubeconfig");
    text.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Makes a file of the path that has all of the text from the first moment. Only the user may read
// it: it has the administrator's token.
absl::Status WriteWhole(const std::string& path, absl::string_view text) {
  const std::string part = absl::StrCat(path, ".", getpid());
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("create \"", part, "\""));
  absl::Status status = WriteAll(fd, text);
  if (close(fd) != 0 && status.ok()) status = absl::ErrnoToStatus(errno, "write the kubeconfig");
  if (status.ok() && rename(part.c_str(), path.c_str()) != 0) {
    status = absl::ErrnoToStatus(errno, absl::StrCat("rename \"", part, "\" to \"", path, "\""));
  }
  if (!status.ok()) unlink(part.c_str());
  return status;
}

// Blocks until the context is done or standard input ends.
void WaitForEndOfInput(const Context& ctx) {
  const int done = eventfd(0, EFD_CLOEXEC);
  const DoneCallback callback = ctx.OnDone([done] {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(done, &one, sizeof(one));
  });
  pollfd ends[] = {{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                   {.fd = done, .events = POLLIN, .revents = 0}};
  while (poll(ends, 2, -1) > 0 || errno == EINTR) {
    if (ends[1].revents != 0) return;
    char buffer[256];
    if (ends[0].revents != 0 && read(STDIN_FILENO, buffer, sizeof(buffer)) <= 0) return;
  }
}

absl::Status Serve(ProgramFlags flags, const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<ApiServer> server,
                        ApiServer::Start(std::move(flags.server)));
  const std::string kubeconfig =
      KubeconfigText(server->url(), server->ca_certificate(), server->admin_token(), flags.tokens);
  KUBE_RETURN_IF_ERROR(flags.kubeconfig.empty() ? WriteAll(STDOUT_FILENO, kubeconfig)
                                                : WriteWhole(flags.kubeconfig, kubeconfig));
  const Context lifetime = WithTimeout(ctx, flags.ttl);
  if (flags.end_with_stdin) {
    WaitForEndOfInput(lifetime);
  } else {
    base::WaitUntilDone(lifetime).IgnoreError();
  }
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& arguments) {
  const pid_t parent = getppid();
  absl::StatusOr<ProgramFlags> flags = ParseProgramFlags(arguments);
  if (!flags.ok()) {
    std::cerr << flags.status().message() << "\n";
    return 2;
  }
  if (flags->help) {
    std::cout << ProgramHelp() << std::flush;
    return 0;
  }
  const Context ctx = SignalContext();
  absl::Status status;
  if (flags->end_with_parent) status = EndWithParent(parent);
  if (status.ok()) status = Serve(*std::move(flags), ctx);
  if (status.ok()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}

}  // namespace
}  // namespace kube::envtest

int main(int argc, char** argv) { return kube::envtest::Main({argv + 1, argv + argc}); }
