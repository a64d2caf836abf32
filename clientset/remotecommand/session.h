#ifndef CLIENTSET_REMOTECOMMAND_SESSION_H_
#define CLIENTSET_REMOTECOMMAND_SESSION_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/remotecommand/protocol.h"

namespace kube::remotecommand {

// A piece of what a command has written.
struct Output {
  // kStdout or kStderr. With a terminal everything is on kStdout.
  Channel channel = Channel::kStdout;
  // Never empty. Its boundaries mean nothing.
  std::string data = {};
};

// A command that runs in a container, or to which the caller is attached. StartExec and StartAttach
// (exec.h) start one; Run (run.h) connects one with functions or file descriptors. (client-go:
// `remotecommand.Executor`, whose `StreamWithContext` is Run)
//
//   KUBE_RETURN_IF_ERROR(session.WriteStdin(ctx, "hello\n"));
//   KUBE_RETURN_IF_ERROR(session.CloseStdin(ctx));
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(const std::optional<Output> output, session.Read(ctx));
//     if (!output.has_value()) break;
//     absl::StrAppend(&text, output->data);
//   }
//   return session.Wait(ctx);
//
// The session begins before the command: where an API server of Kubernetes 1.30 or later is asked
// by WebSocket, it answers before it has reached the node, and what goes wrong there is told by
// Wait.
//
// It has no thread of its own. One thread at a time may read, that is, be in Read or Wait; other
// threads may write at the same time, and call Close at any time. Nothing happens without a reader:
// then the server waits until it can send its output.
//
// While a thread reads, the server is sent a ping every 5 seconds. If it sends nothing at all while
// threads have read for 61 seconds, the session is lost. Time in which nobody reads does not count,
// so a slow consumer never ends a session; in client-go it does after 61 seconds. Nor is the
// session lost as long as the server may be busy with stdin that the command does not read, because
// a server answers no ping then; a server that dies meanwhile is noticed by the operating system.
//
// Errors begin with what the session is, such as `exec in pod "web-0" of "prod", container "app"`.
// Works under SimRuntime. The destructor does what Close does; no other thread may be in a call.
class Session {
 public:
  virtual ~Session() = default;

  // Returns the next output, in the order of arrival, or nullopt when the command has ended and all
  // of its output was returned; Wait then tells the outcome. Blocks until there is output.
  //
  // Returns the status of `ctx` if that is done first; no output is lost, and the session goes on.
  // Any other error is final, and says that the outcome of the command is not known: UNAVAILABLE if
  // the connection was lost, DATA_LOSS if the server breaks the protocol, ABORTED if it gave up,
  // CANCELLED after Close, and transport errors (net/httpclient/transport_error.h). The command may
  // go on without a client.
  virtual absl::StatusOr<std::optional<Output>> Read(const Context& ctx) = 0;

  // Sends stdin to the command, in messages of at most 32 KiB. OK means that the bytes will be sent
  // soon, not that the command has read them. Blocks while the server takes no more, which is the
  // case if the command reads too slowly.
  //
  // Returns the status of `ctx` if that is done first, and UNAVAILABLE and transport errors if the
  // connection was lost; a part of `data` may have been sent then. Returns FAILED_PRECONDITION if
  // stdin was not asked for, after CloseStdin, and if the command has ended, which is no reason for
  // concern: commands need not read all of their input.
  virtual absl::Status WriteStdin(const Context& ctx, absl::string_view data) = 0;

  // Ends the stdin of the command. Does nothing if it was called before. Returns the errors of
  // WriteStdin; if that is the status of `ctx`, the end is sent with what is sent next. Also
  // returns FAILED_PRECONDITION if the protocol cannot end stdin, which is the case for version 1
  // and for version 4 over a WebSocket; the command then sees the end when the session does.
  virtual absl::Status CloseStdin(const Context& ctx) = 0;

  // Tells the command the size of its terminal. Returns the errors of WriteStdin, and
  // FAILED_PRECONDITION if no terminal was asked for or the protocol is older than version 3.
  virtual absl::Status Resize(const Context& ctx, TerminalSize size) = 0;

  // Reads and drops the output that is left, and returns the outcome: OK; an error whose ExitCodeOf
  // (apimachinery/remotecommand/protocol.h) is the exit code, if it is not zero; or the server's
  // error (errors/predicates.h) if the command could not be run. Returns the errors of Read if the
  // outcome is not known. May be called again. Blocks until the command has ended.
  virtual absl::Status Wait(const Context& ctx) = 0;

  // Ends the session: other calls, on any thread, return CANCELLED soon, unless the outcome is
  // known. Tells the server if that is possible within 20 milliseconds. The command may go on
  // without a client. Thread-safe.
  virtual void Close() = 0;

  // Returns the version of the protocol that is spoken, such as kProtocolV5.
  virtual absl::string_view protocol() const = 0;
};

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_SESSION_H_
