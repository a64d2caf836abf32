#ifndef CLIENTSET_REMOTECOMMAND_EXEC_H_
#define CLIENTSET_REMOTECOMMAND_EXEC_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"

// Starts commands in containers, and attaches to those that run. Thread-safe.
namespace kube::remotecommand {

// A pod.
struct PodTarget {
  std::string namespace_name = {};
  std::string name = {};
};

// How the streams of a command are carried to the server.
enum class TransportPreference {
  // By WebSocket, as client-go since Kubernetes 1.31; and by SPDY if the server, or a proxy before
  // it, answers anything but that it switches to WebSocket.
  kAuto,
  // By WebSocket, also in version 4, in which stdin cannot be ended: for servers older than 1.30
  // behind a proxy that does not let SPDY pass.
  kWebSocket,
  // By SPDY, as client-go before Kubernetes 1.31: for proxies that break WebSockets after they have
  // let them pass.
  kSpdy,
};

// What to run. (api: `corev1.PodExecOptions`)
struct ExecOptions {
  // The name of a container. If empty, the pod must have only one; kubectl takes that of the
  // annotation kubectl.kubernetes.io/default-container otherwise.
  std::string container = {};
  // The program and its arguments. No shell expands them: {"sh", "-c", "ls *"} does.
  std::vector<std::string> command = {};
  // Whether Session::WriteStdin may be called.
  bool with_stdin = false;
  // Which output is wanted. With a terminal there is no stderr, whatever `with_stderr` says: what
  // the command writes there comes as stdout.
  bool with_stdout = true;
  bool with_stderr = true;
  // Gives the command a terminal. See RawTerminal (terminal.h) for the user's.
  bool tty = false;
  TransportPreference transport = TransportPreference::kAuto;
};

// What to attach to. (api: `corev1.PodAttachOptions`)
struct AttachOptions {
  // As in ExecOptions.
  std::string container = {};
  // As in ExecOptions, for the container's main process. Its stdin is open only if its `stdin` is
  // set; without `stdin_once` it is not ended by CloseStdin.
  bool with_stdin = false;
  bool with_stdout = true;
  bool with_stderr = true;
  // Must be what the container's `tty` is.
  bool tty = false;
  TransportPreference transport = TransportPreference::kAuto;
};

// Starts a command in a running container. Blocks until the server has agreed to it, or `ctx` is
// done; after that `ctx` no longer matters. (client-go: `remotecommand.NewFallbackExecutor`)
//
//   KUBE_ASSIGN_OR_RETURN(
//       const std::unique_ptr<remotecommand::Session> session,
//       remotecommand::StartExec(ctx, client, {"prod", "web-0"}, {.command = {"ls", "-l"}}));
//
// By WebSocket it needs the right to `get` pods/exec and, since Kubernetes 1.35, to `create` it; by
// SPDY the right to `create`. With kAuto the server's answer to the first request does not matter,
// not even 403: roles may grant only `create`. If both ways are refused, the error is that of the
// second one, and its message ends with the first. An error of `ctx`, of TLS or of the connection
// is returned at once.
//
// A request that may have arrived is not sent again unless it was answered, so that the command is
// not started twice. Only an answer makes a second one: another way to carry it, as above; the time
// that the server asks to wait (429 or 5xx with Retry-After); or new credentials after 401.
//
// Returns the server's error (errors/predicates.h), such as 404 for a pod that does not exist;
// INVALID_ARGUMENT if the options contradict themselves; ctx.status(); transport errors
// (net/httpclient/transport_error.h); FAILED_PRECONDITION if the server speaks no version of the
// protocol that is known here; and with SPDY the errors of Session::Read, and DEADLINE_EXCEEDED if
// the server does not accept the streams within 30 seconds. Whether the command could be run is
// told by the session, which needs the client: it fails with a transport error if the last copy
// closes the transport (rest::Client).
absl::StatusOr<std::unique_ptr<Session>> StartExec(const Context& ctx, const rest::Client& client,
                                                   const PodTarget& pod,
                                                   const ExecOptions& options);

// Attaches to the main process of a running container. What it has written before is not sent: that
// is in its log. Otherwise as StartExec, with the resource pods/attach.
absl::StatusOr<std::unique_ptr<Session>> StartAttach(const Context& ctx, const rest::Client& client,
                                                     const PodTarget& pod,
                                                     const AttachOptions& options = {});

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_EXEC_H_
