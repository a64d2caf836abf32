#ifndef NET_HTTPCLIENT_HTTP_MESSAGE_H_
#define NET_HTTPCLIENT_HTTP_MESSAGE_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/http/headers.h"
#include "net/httpclient/connection_dialer.h"
#include "net/io/duplex_stream.h"

namespace kube::httpclient {

// The protocols that a client may speak.
enum class HttpVersion {
  kAny,        // with TLS HTTP/2 or 1.1 by ALPN, without TLS 1.1
  kHttp1,      // only HTTP/1.1
  kHttp2Only,  // only HTTP/2; without TLS by prior knowledge
};

// How to reach a server. Requests share connections only if these options are equal.
// (client-go: `transport.TLSConfig`, `transport.DialHolder`, and the proxy of `transport.Config`)
//
// A value that holds all data itself, with no references to files. If certificates come from files,
// make a new value when the files change; requests with the old value keep their connections until
// they end.
struct ConnectionOptions {
  // PEM. Authorities trusted to sign the server's certificate. Empty: the system's.
  std::string ca_certificates = {};
  // PEM. The client's certificate, followed by intermediate ones, and its key. Sent if the server
  // asks for it. Empty: none.
  std::string client_certificate = {};
  base::Secret client_key = {};
  // The name that the server's certificate must have, also sent as SNI. Empty: the URL's host.
  std::string tls_server_name = {};
  // Accepts any certificate. Anybody on the path can then read and change everything.
  bool insecure_skip_tls_verify = false;

  // The proxy: "http://proxy:3128", "https://…" or "socks5://…" (the proxy resolves names), with
  // user and password if it requires them. Empty: no proxy; the environment is not consulted, see
  // ProxyFromEnvironment. With a malformed URL all requests fail with kProxy. Never printed, since
  // it may contain a password.
  std::string proxy_url = {};

  // Opens the connections, also those of upgrades; `proxy_url` is then not used. Null: the
  // transport connects to the server or the proxy itself. Compared by address: requests share
  // connections only if they have the same dialer.
  std::shared_ptr<ConnectionDialer> dialer = {};

  HttpVersion http_version = HttpVersion::kAny;

  // `connect_timeout` is the time to resolve the name and to connect to the server or the proxy, or
  // the time for `dialer`; `tls_handshake_timeout` is the time from then until the connection is
  // usable. If either is exceeded, the request fails with kConnect. Both are accurate to a tenth of
  // a second.
  absl::Duration connect_timeout = absl::Seconds(30);
  absl::Duration tls_handshake_timeout = absl::Seconds(10);

  friend bool operator==(const ConnectionOptions&, const ConnectionOptions&) = default;
};

// A request, complete with credentials. (Go: `http.Request`)
struct HttpRequest {
  std::string method = "GET";
  // Absolute and escaped: "https://10.0.0.1:6443/api/v1/pods?limit=500".
  std::string url = {};
  http::Headers headers = {};
  // Null if the request has no body. Shared, so that a request can be sent again without copying
  // it.
  std::shared_ptr<const std::string> body = {};

  // Null means the defaults. Requests with equal options share connections; the comparison is
  // fastest if they point to the same object.
  std::shared_ptr<const ConnectionOptions> connection = {};

  // Requests gzip and decompresses the body.
  bool accept_gzip = true;
  // The time from placing the request on a connection to the header of the response. Default: no
  // limit but the context's.
  absl::Duration header_timeout = absl::InfiniteDuration();
  // Whether the request runs until somebody ends it, such as a watch. These share connections only
  // among themselves, so that they and short requests do not delay each other.
  bool long_running = false;

  // Whether the request asks for another protocol than HTTP, such as WebSocket; its headers say
  // which ("connection: Upgrade", "upgrade: websocket"). It then has an HTTP/1.1 connection of its
  // own, whatever `connection` says, which is not reused, and the server may answer 101: see
  // HttpResponse::connection. Otherwise 101 is an error. An HTTP proxy must allow CONNECT, also for
  // a URL without TLS. `accept_gzip` and `long_running` have no effect.
  bool upgrade = false;
};

// A response: its header, and the body, which is read while it arrives. A response with an error
// code is one, too: see CheckResponse. (Go: `http.Response`)
struct HttpResponse {
  int status = 0;
  http::Headers headers = {};
  // Never null. Destroying it gives up the request, even if it is incomplete. Its errors are
  // transport errors (transport_error.h); a body that ends too early is one.
  std::unique_ptr<watch::ByteStream> body = {};
  // The connection on which the new protocol is spoken, after the header of the response. Set if
  // and only if `status` is 101, which only a request with `upgrade` gets; the body is then empty.
  // Its Read and Write return transport errors (transport_error.h). After the server has closed the
  // connection, Read returns the end and Write returns kEof; CloseWrite is not implemented. It
  // outlives the transport only to return kClosed. (Go: `http.Response.Body`, as an
  // `io.ReadWriteCloser`)
  std::unique_ptr<io::DuplexStream> connection = {};
  // 1 or 2.
  int http_version = 1;
};

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_HTTP_MESSAGE_H_
