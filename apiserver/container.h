#ifndef APISERVER_CONTAINER_H_
#define APISERVER_CONTAINER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/remotecommand/protocol.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver {

// Names a container of a pod.
struct ContainerName {
  std::string namespace_name = {};
  std::string pod = {};
  std::string container = {};

  friend bool operator==(const ContainerName&, const ContainerName&) = default;
  friend bool operator<(const ContainerName& a, const ContainerName& b) {
    return std::tie(a.namespace_name, a.pod, a.container) <
           std::tie(b.namespace_name, b.pod, b.container);
  }
};

// What a client runs in a container, or attaches to: the arguments and the streams that a process
// of a real container has. A function of Container gets one.
//
//   absl::StatusOr<int> Cat(apiserver::ContainerProcess& process) {
//     const Context& ctx = process.context();
//     while (true) {
//       KUBE_ASSIGN_OR_RETURN(const std::string bytes, process.ReadStdin(ctx));
//       if (bytes.empty()) return 0;
//       KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, bytes));
//     }
//   }
//
// Thread-safe, except that two threads must not read stdin, or wait for a terminal size, at the
// same time. It ends when the function returns, and must not be used afterwards.
class ContainerProcess {
 public:
  virtual ~ContainerProcess() = default;
  ContainerProcess(const ContainerProcess&) = delete;
  ContainerProcess& operator=(const ContainerProcess&) = delete;

  const ContainerName& container() const { return container_; }
  // Returns the program and its arguments; empty for attach.
  const std::vector<std::string>& command() const { return command_; }
  // Returns whether the client wants a terminal, whose stderr is its stdout.
  bool tty() const { return tty_; }
  // Returns a context that is done when the client has gone, or when the server ends or restarts. A
  // function must return soon after that. (A real kubelet lets the command run on.)
  const Context& context() const { return context_; }

  // Returns the next bytes of stdin, or "" when the client has ended it, and also if the client
  // gives none (`kubectl exec` without -i). Blocks until there are bytes. Returns CANCELLED if the
  // client has gone, and ctx.status() if `ctx` ends first; no bytes are lost then. Bytes that are
  // not read wait in memory up to about 64 KiB (256 KiB over SPDY); then the client is slowed down,
  // including what it sends about its terminal, and its pings are not answered.
  virtual absl::StatusOr<std::string> ReadStdin(const Context& ctx) = 0;

  // Send output. Block while the client is slower. What the client does not want (`kubectl exec -t`
  // has no stderr of its own) is dropped. Return CANCELLED if the client has gone, and ctx.status()
  // if `ctx` ends first.
  virtual absl::Status WriteStdout(const Context& ctx, absl::string_view bytes) = 0;
  virtual absl::Status WriteStderr(const Context& ctx, absl::string_view bytes) = 0;

  // Returns the size of the client's terminal: the one at the beginning, then each change. Blocks
  // until there is one. Returns nullopt if no more follow, and at once if there is no terminal.
  // Errors are those of ReadStdin.
  virtual absl::StatusOr<std::optional<remotecommand::TerminalSize>> NextTerminalSize(
      const Context& ctx) = 0;

  // Appends to the log of the container, as ApiHandler::AppendPodLog.
  virtual void AppendLog(absl::string_view text) = 0;

 protected:
  ContainerProcess(ContainerName container, std::vector<std::string> command, bool tty,
                   Context context)
      : container_(std::move(container)),
        command_(std::move(command)),
        tty_(tty),
        context_(std::move(context)) {}

 private:
  const ContainerName container_;
  const std::vector<std::string> command_;
  const bool tty_;
  const Context context_;
};

// What a test provides in place of a container, for ApiHandler::SetContainer. Functions that are
// not set fail as a container without a shell does.
//
//   server.SetContainer("default", "web", "app", {.exec = Cat});
//
// Each call of a function has a thread of its own, with the Runtime of the thread that has brought
// the request. Functions may call the handler, but not restart or destroy it.
struct Container {
  // Runs a command: `kubectl exec`, `kubectl cp`. Returns its exit code, of which the low eight
  // bits count, as those of exit(3). An error becomes the InternalError of a container runtime that
  // cannot run the command; its message reaches the client.
  std::function<absl::StatusOr<int>(ContainerProcess&)> exec = {};

  // Serves `kubectl attach`, and with it `kubectl run -i` and `kubectl debug`. The exit code of a
  // container is not told to those who are attached. Errors are as of `exec`.
  std::function<absl::Status(ContainerProcess&)> attach = {};

  // Serve one connection to a port, as a server in the container would: `kubectl port-forward`.
  // The connection ends when the function returns, or when it closes or destroys the connection.
  // An error is told to the client, for whom the connection is lost; kubectl then ends. A port
  // without a function refuses connections. All containers of a pod share their ports.
  std::map<uint16_t, std::function<absl::Status(const Context& ctx,
                                                std::unique_ptr<io::DuplexStream> connection)>>
      ports = {};
};

}  // namespace kube::apiserver

#endif  // APISERVER_CONTAINER_H_
