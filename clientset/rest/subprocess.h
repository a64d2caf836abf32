#ifndef CLIENTSET_REST_SUBPROCESS_H_
#define CLIENTSET_REST_SUBPROCESS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"

namespace kube::rest {

struct SubprocessOptions {
  // The path of the program. PATH is not searched.
  std::string path = {};
  // The arguments, beginning with argv[0].
  std::vector<std::string> args = {};
  // The whole environment, as NAME=VALUE. Nothing is inherited.
  std::vector<std::string> env = {};
  // Whether the program shares our standard input and process group, as a program must that talks
  // to the user. Default: its input is /dev/null, and it has a process group of its own.
  bool interactive = false;
  // The maximum size of standard output, in bytes; more is an error. Standard error is ours.
  size_t max_output_bytes = size_t{1} << 20;
  // A file to which standard output and standard error are appended instead. Default: none.
  std::string output_file = {};
  // The time between SIGTERM and SIGKILL if the program is ended early.
  absl::Duration grace = absl::Seconds(2);
  // For tests. False behaves as on systems without pidfd (Linux before 5.3, strict sandboxes).
  bool use_pidfd = true;
  // For tests. False behaves as if the program may not be signalled, such as a setuid program.
  bool may_signal = true;
};

struct SubprocessResult {
  base::Secret output = {};
  // -1 if a signal ended the program. (Go: `os.ProcessState.ExitCode`)
  int exit_code = 0;
  // The signal that ended the program, or 0.
  int signal = 0;
};

// Runs a program without a shell, and waits until it ends. Processes that it started and left
// running are not waited for. (Go: `exec.Cmd.Run`)
//
// If `ctx` ends, or the output is too large, the program and its process group are sent SIGTERM,
// and SIGKILL after the grace period; then no process and no descriptor of it is left. A program
// that SIGKILL does not end within two more seconds, such as one that may not be signalled, is left
// running, and a later call reaps it. If the calling process is killed, the program goes on.
//
// Returns ctx.status() if `ctx` ends, RESOURCE_EXHAUSTED if there is too much output, and
// UNAVAILABLE if the program cannot be started or waited for. Errors never contain output of the
// program.
//
// Works on the real clock: call it on a thread of Runtime::Real(). Thread-safe.
absl::StatusOr<SubprocessResult> RunSubprocess(const Context& ctx,
                                               const SubprocessOptions& options);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_SUBPROCESS_H_
