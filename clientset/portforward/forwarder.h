#ifndef CLIENTSET_PORTFORWARD_FORWARDER_H_
#define CLIENTSET_PORTFORWARD_FORWARDER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/rest/client.h"
#include "net/io/duplex_stream.h"

namespace kube::portforward {

struct ForwarderOptions {
  // Whether to try a WebSocket first, and SPDY if the server refuses that. False: SPDY only, for
  // servers or proxies that break WebSockets. (kubectl: `KUBECTL_PORT_FORWARD_WEBSOCKETS`)
  bool websocket = true;

  // How often the connection is told that it is in use; zero means never. Default: as client-go.
  absl::Duration ping_interval = absl::Seconds(10);
  // How long the kubelet may take to accept a stream.
  absl::Duration reply_timeout = absl::Seconds(30);
  // How many bytes of one PortStream wait for its reader. If there are more, all connections of the
  // Forwarder wait for this reader, since the protocol has no flow control for each. Read every
  // stream, or close it.
  size_t max_buffered_bytes = size_t{256} << 10;
};

// Connects to a pod: returns the bytes of a SPDY/3.1 connection whose other side is the pod's
// kubelet. (client-go: `httpstream.Dialer`)
using Connector =
    std::function<absl::StatusOr<std::unique_ptr<io::DuplexStream>>(const Context& ctx)>;

// Makes connections to the ports of a pod, through the API server. All of them share one connection
// to the server. (client-go: `portforward.PortForwarder`, without the listeners: listeners.h)
//
//   KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<portforward::Forwarder> forwarder,
//                         portforward::Forwarder::Connect(ctx, client, {"prod", "web-0"}));
//   KUBE_ASSIGN_OR_RETURN(const auto stream, forwarder->Dial(ctx, 80));
//   KUBE_RETURN_IF_ERROR(stream->Write(ctx, "GET / HTTP/1.0\r\n\r\n"));
//
// The user needs the verbs `get` (for the WebSocket) and `create` (for SPDY; new servers ask for it
// in both cases) for the resource pods/portforward.
//
// If the connection to the server is lost, its streams fail, and the next Dial connects again;
// client-go gives up then. An error of one stream leaves the others alone; client-go closes all.
//
// Thread-safe. Two threads of its own serve the connection.
class Forwarder {
 private:
  // Restricts the constructor to Connect.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Connects to a pod, and blocks until that is done. `ctx` matters only until then. Errors are
  // those of rest::Client, with a message that begins with `forward ports of pod "web-0" in
  // "prod"`: NOT_FOUND if there is no such pod, PERMISSION_DENIED if the user may not do it, and an
  // error of the server if the pod does not run. Whether a program listens on a port is not known
  // yet: see PortStream.
  static absl::StatusOr<std::unique_ptr<Forwarder>> Connect(const Context& ctx,
                                                            const rest::Client& client,
                                                            const meta::ObjectName& pod,
                                                            const ForwarderOptions& options = {});
  // Connects by other means than a client, such as those of a test. `connector` is called again
  // after a loss, on the threads that call Dial, one at a time. `pod` is for error messages, and
  // `options.websocket` has no meaning.
  static absl::StatusOr<std::unique_ptr<Forwarder>> Connect(const Context& ctx, Connector connector,
                                                            const meta::ObjectName& pod,
                                                            const ForwarderOptions& options = {});

  struct Impl;
  Forwarder(Key, std::unique_ptr<Impl> impl);
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;
  // Ends the connection and all streams. Must not run while a thread is in Dial.
  ~Forwarder();

  // Makes a connection to a port of the pod. Blocks until the kubelet has accepted it, after which
  // `ctx` no longer matters. Returns INVALID_ARGUMENT for port 0, ABORTED if the kubelet refuses
  // the streams, DEADLINE_EXCEEDED after ForwarderOptions::reply_timeout, the errors of Connect if
  // it has to connect again, FAILED_PRECONDITION after Close, and ctx.status().
  absl::StatusOr<std::unique_ptr<PortStream>> Dial(const Context& ctx, uint16_t port);

  const meta::ObjectName& pod() const;

  // Ends the connection and all streams; Dial then fails. Blocks at most for a moment.
  void Close();

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_FORWARDER_H_
