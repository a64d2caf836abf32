#ifndef CLIENTSET_REMOTECOMMAND_RUN_H_
#define CLIENTSET_REMOTECOMMAND_RUN_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/rest/client.h"

// Conveniences over Session. Thread-safe.
namespace kube::remotecommand {

// Connects a session with the local ends of its streams until the command has ended, and closes it.
// Blocks until then, or until `ctx` is done; stdin that is still open does not delay it.
// (client-go: `Executor.StreamWithContext`)
//
// Stdin is read and written on one thread, terminal sizes on another, both of which have ended when
// it returns; output is written on the calling thread. If a sink fails, the rest of its output is
// dropped, so that the command is not stopped by it.
//
// Returns what Session::Wait does: OK, an error with an exit code, or another one. If the command
// has succeeded, returns the error of a sink, or else of the source of stdin. Returns
// RESOURCE_EXHAUSTED if there are no threads left.
absl::Status Run(const Context& ctx, Session& session, Streams streams);

// What a command has written, and how it has ended.
struct CommandOutput {
  std::string stdout_text = {};
  std::string stderr_text = {};
  // As Session::Wait returns it.
  absl::Status outcome = {};
};

// Runs a command without stdin, and returns what it writes, at most `max_bytes` for stdout and
// stderr together. Blocks until it has ended. (os/exec: `Cmd.Output`)
//
//   KUBE_ASSIGN_OR_RETURN(
//       const remotecommand::CommandOutput output,
//       remotecommand::CollectOutput(ctx, client, {"prod", "web-0"}, {.command = {"hostname"}}));
//   KUBE_RETURN_IF_ERROR(output.outcome);
//   return output.stdout_text;
//
// A command that fails is not an error of this function: see CommandOutput::outcome. Returns the
// errors of StartExec, those of Session::Read if the outcome is not known, and RESOURCE_EXHAUSTED
// if the command writes more; the session is then closed, and the command may go on.
absl::StatusOr<CommandOutput> CollectOutput(const Context& ctx, const rest::Client& client,
                                            const PodTarget& pod, ExecOptions options,
                                            size_t max_bytes = size_t{1} << 20);

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_RUN_H_
