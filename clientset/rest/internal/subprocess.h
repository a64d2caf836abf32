#ifndef CLIENTSET_REST_INTERNAL_SUBPROCESS_H_
#define CLIENTSET_REST_INTERNAL_SUBPROCESS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"

namespace kube::rest::internal {

struct SubprocessOptions {
  // Of the program: nothing is looked up.
  std::string path = {};
  // From argv[0] on.
  std::vector<std::string> args = {};
  // NAME=VALUE, all of it.
  std::vector<std::string> env = {};
  // It reads what we would read, and belongs to our process group, as a program must that talks
  // with its user. Default: it has no input (/dev/null), and a process group of its own.
  bool interactive = false;
  // Of standard output. More is an error. Standard error is ours.
  size_t max_output_bytes = size_t{1} << 20;
  // A file that both are appended to instead. Empty, the default: none.
  std::string output_file = {};
  // Between SIGTERM and SIGKILL, where it has to end early.
  absl::Duration grace = absl::Seconds(2);
  // False: as where the system has no descriptors of processes (Linux before 5.3, strict
  // sandboxes). For tests.
  bool use_pidfd = true;
  // False: as if the program may not be signalled, such as one that is setuid. For tests.
  bool may_signal = true;
};

struct SubprocessResult {
  base::Secret output = {};
  // -1: a signal ended it. (os.ProcessState.ExitCode)
  int exit_code = 0;
  // Which. 0: none.
  int signal = 0;
};

// Runs a program without a shell and waits for its end; what it has started and leaves running is
// not waited for. (exec.Cmd.Run) When `ctx` is done, or there is too much output, it is ended, and
// all of its process group with it, first kindly: so this returns within the grace, and nothing of
// the program is left, neither a process nor a descriptor. A program that SIGKILL does not end
// within two seconds more, as one that may not be signalled, is left running; later calls take its
// zombie away.
//
// Errors: ctx.status(); RESOURCE_EXHAUSTED for too much output; UNAVAILABLE where it cannot be
// started or waited for. They never have a part of the output. Works on the real clock: call it on
// a thread of Runtime::Real(). Thread-safe. Where the calling process is killed the program goes
// on.
absl::StatusOr<SubprocessResult> RunSubprocess(const Context& ctx,
                                               const SubprocessOptions& options);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_SUBPROCESS_H_
