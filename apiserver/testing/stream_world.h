#ifndef APISERVER_TESTING_STREAM_WORLD_H_
#define APISERVER_TESTING_STREAM_WORLD_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/session.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver {

// A handler with the pod default/web, whose container "app" is on a node, and clients of its
// streaming subresources, without sockets and without pings. The client's token is that of an
// administrator. A client that does not get what it expects is a CHECK.
class StreamWorld {
 public:
  explicit StreamWorld(HandlerOptions options = {});

  ApiHandler& handler() { return *handler_; }
  // Destroys the handler.
  void EndHandler() { handler_.reset(); }

  // Creates a pod in "default"; without a node if `node` is empty.
  void CreatePod(absl::string_view name, const std::vector<std::string>& containers,
                 absl::string_view node = "n1");

  // What comes of a request.
  struct Reply {
    int status = 0;
    http::Headers headers = {};
    std::string body = {};
    // Set if the status is 101.
    std::unique_ptr<io::DuplexStream> connection = {};
  };
  // Sends a request, with the token unless the headers say who it is from, and waits for the reply.
  // `headers` that contain "upgrade" ask for another protocol.
  Reply Send(absl::string_view method, absl::string_view target, http::Headers headers = {});

  // Opens a WebSocket at a subresource of the pod default/web, such as "exec?command=ls&stdout=1",
  // with these subprotocols.
  std::unique_ptr<websocket::MessageStream> WebSocket(absl::string_view subresource,
                                                      const std::vector<std::string>& protocols);
  // Opens a SPDY connection there, with these versions of the protocol.
  std::unique_ptr<spdy::Session> Spdy(absl::string_view subresource,
                                      const std::vector<std::string>& versions);
  // Opens a WebSocket that carries SPDY.
  std::unique_ptr<spdy::Session> Tunnel(absl::string_view subresource);

  // Returns the headers of an upgrade to a WebSocket and to SPDY.
  static http::Headers WebSocketHeaders(const std::vector<std::string>& protocols);
  static http::Headers SpdyHeaders(const std::vector<std::string>& versions);

 private:
  std::unique_ptr<ApiHandler> handler_;
};

// Returns the path of a subresource of a pod in "default".
std::string PodPath(absl::string_view pod, absl::string_view subresource);

// Returns the next message of a WebSocket; "closed" if the server has closed it with the code for
// success, and otherwise the error.
std::string NextMessage(websocket::MessageStream& client);

// Opens a stream with these headers.
std::unique_ptr<spdy::SessionStream> OpenStream(spdy::Session& client,
                                                const http::Headers& headers);

// Reads a stream to its end.
std::string ReadAll(io::DuplexStream& stream);

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_STREAM_WORLD_H_
