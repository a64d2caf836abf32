#ifndef CLIENTSET_REMOTECOMMAND_STREAMS_H_
#define CLIENTSET_REMOTECOMMAND_STREAMS_H_

#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/remotecommand/protocol.h"

// What Run (run.h) connects a session with.
namespace kube::remotecommand {

// Returns the next bytes for the command, or "" at their end. It may block, and must return soon
// after its context is done; what it returns then does not matter. An error ends stdin.
using StdinSource = absl::AnyInvocable<absl::StatusOr<std::string>(const Context&)>;

// Takes bytes that the command has written. It may block, which slows the command down, and must
// return soon after its context is done. After an error it is not called again.
using OutputSink = absl::AnyInvocable<absl::Status(const Context&, absl::string_view)>;

// Returns the first size of the user's terminal at once, then each change of it, and nullopt when
// no change will follow. It may block as StdinSource may. An error ends it, too. (client-go:
// `remotecommand.TerminalSizeQueue`)
using SizeSource = absl::AnyInvocable<absl::StatusOr<std::optional<TerminalSize>>(const Context&)>;

// The local ends of a command's streams. (client-go: `remotecommand.StreamOptions`)
//
//   const absl::Status outcome = Run(ctx, *session,
//                                    {.stdin_source = FromDescriptor(STDIN_FILENO),
//                                     .stdout_sink = ToDescriptor(STDOUT_FILENO),
//                                     .stderr_sink = ToDescriptor(STDERR_FILENO)});
struct Streams {
  // Called on a thread of its own. If null, nothing is written to stdin, and it is not ended.
  StdinSource stdin_source = {};
  // Called on the thread that calls Run. If null, that output is dropped.
  OutputSink stdout_sink = {};
  OutputSink stderr_sink = {};
  // Called on a thread of its own. If null, the command's terminal keeps its first size.
  SizeSource sizes = {};
};

// Returns a source that reads from a file descriptor: a pipe, a socket, a terminal or a file. It
// waits until there is something to read, so that the end of its context ends the wait; no thread
// is left behind in a read. An error of the operating system is UNAVAILABLE.
//
// The descriptor is not closed, must outlive the source, and need not be set to non-blocking mode,
// which programs share that share a terminal. Works on the real clock: use it on threads of
// Runtime::Real().
StdinSource FromDescriptor(int fd);

// Returns a sink that writes to a file descriptor, all of the bytes or until the end of its
// context. Otherwise as FromDescriptor. If nobody reads from a pipe any more, the operating system
// sends the process SIGPIPE, which ends it, as is usual for filters; a program that ignores SIGPIPE
// gets an error.
OutputSink ToDescriptor(int fd);

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_STREAMS_H_
