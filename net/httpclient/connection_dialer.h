#ifndef NET_HTTPCLIENT_CONNECTION_DIALER_H_
#define NET_HTTPCLIENT_CONNECTION_DIALER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {

// The server that a connection is opened to, as the URL of the request names it.
struct DialAddress {
  // A name or an address in lower case; an IPv6 address has no brackets.
  std::string host = {};
  int port = 0;
};

// Opens the connections of a transport in another way than over TCP to the server's address:
// through a Unix domain socket, a tunnel or an agent. (client-go: `rest.Config.Dial`)
//
//   class SidecarDialer final : public ConnectionDialer {
//    public:
//     absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx, const DialAddress& to) override {
//       return ConnectToSidecar(ctx, to.host, to.port);
//     }
//   };
//   ConnectionOptions options;  // or rest::Config
//   options.dialer = std::make_shared<SidecarDialer>();
//
// The transport does everything above the bytes itself, as for its own connections: TLS with all
// its checks, HTTP, pooling, upgrades. No names are resolved, and no proxy is used.
//
// Thread-safe: a transport calls it on several threads at a time.
class ConnectionDialer {
 public:
  virtual ~ConnectionDialer() = default;

  // Returns a connected stream socket: TCP, Unix domain, or one end of a socketpair whose other end
  // is served by a thread of the implementation. The transport owns it from then on, makes it
  // non-blocking and closes it.
  //
  // May block: each call has a thread of its own. `ctx` is done after
  // ConnectionOptions::connect_timeout, and when no request needs the connection any longer; Dial
  // must then return soon, since the destructor of the transport waits for it. An error fails a
  // request with kConnect (transport_error.h), or with its own kind if it is a transport error; its
  // message becomes part of the request's and must not contain secrets.
  virtual absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx,
                                                  const DialAddress& address) = 0;
};

// Returns a dialer that connects to the server which listens on the Unix domain socket `path`,
// whatever the address is. While the server's queue of new connections is full, it waits. The
// errors of Dial are INVALID_ARGUMENT if the path is empty or longer than the system allows (107
// bytes on Linux), and otherwise that of the system, such as NOT_FOUND or UNAVAILABLE.
//
// Plain HTTP with credentials is allowed for loopback hosts only, so use a URL such as
// "http://localhost" for a server that speaks no TLS.
std::shared_ptr<ConnectionDialer> UnixSocketDialer(std::string path);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_CONNECTION_DIALER_H_
