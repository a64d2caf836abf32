#ifndef NET_HTTPCLIENT_HTTP_MESSAGE_H_
#define NET_HTTPCLIENT_HTTP_MESSAGE_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/http/headers.h"

namespace kube::httpclient {

// Which protocols may be spoken.
enum class HttpVersion {
  kAny,        // TLS: HTTP/2 where the server agrees (ALPN), else 1.1. Plain: 1.1
  kHttp1,      // 1.1 alone
  kHttp2Only,  // 2 alone; without TLS by prior knowledge
};

// How to reach a server: what two requests have in common that may share a connection.
// (transport.TLSConfig, transport.DialHolder and the proxy of transport.Config)
//
// A value, in one piece and from memory: no files. Whoever reads certificates from files makes a
// new one when they change; requests with the old one keep their connections until they end.
struct ConnectionOptions {
  // PEM. The authorities that may have signed the server's certificate. Empty: the system's.
  std::string ca_certificates = {};
  // PEM. What the client shows if the server asks, with what stands between it and its authority;
  // and its key. Empty: nothing.
  std::string client_certificate = {};
  base::Secret client_key = {};
  // The name that the server's certificate must have, and that SNI says. Empty: the URL's host.
  std::string tls_server_name = {};
  // Takes any certificate. Then anybody in between can read and change everything.
  bool insecure_skip_tls_verify = false;

  // "http://proxy:3128", "https://…", "socks5://…" (the proxy resolves names), with a user if it
  // wants one. Empty: none; the environment does not count here, see ProxyFromEnvironment. A text
  // that is no URL of a proxy makes all requests fail with kProxy. Printed nowhere, as it may have
  // a password.
  std::string proxy_url = {};

  HttpVersion http_version = HttpVersion::kAny;

  // From the first packet to the connection, and from there to the end of the TLS handshake.
  // What takes longer is a transport error of kConnect; both are kept to a tenth of a second.
  absl::Duration connect_timeout = absl::Seconds(30);
  absl::Duration tls_handshake_timeout = absl::Seconds(10);

  friend bool operator==(const ConnectionOptions&, const ConnectionOptions&) = default;
};

// What goes out: complete, with credentials. (http.Request)
struct HttpRequest {
  std::string method = "GET";
  // "https://10.0.0.1:6443/api/v1/pods?limit=500": absolute, escaped.
  std::string url = {};
  http::Headers headers = {};
  // Null: none. Shared, so that a request can be sent again without a copy.
  std::shared_ptr<const std::string> body = {};

  // Null means the defaults. Requests share connections if theirs are equal; comparing is quickest
  // if it is the same object.
  std::shared_ptr<const ConnectionOptions> connection = {};

  // Asks for gzip and unpacks it.
  bool accept_gzip = true;
  // From sending the request to the header of the response. Default: as long as the context allows.
  absl::Duration header_timeout = absl::InfiniteDuration();
  // It goes on until somebody ends it: a watch. These share connections among themselves only, so
  // that requests and watches do not wait for each other's bytes.
  bool long_running = false;
};

// What came back: the header, and the body to read while it arrives. (http.Response)
//
// An error code is a response like others: see CheckResponse.
struct HttpResponse {
  int status = 0;
  http::Headers headers = {};
  // Never null. Destroying it gives the request up, in the middle if need be. Its errors are
  // transport errors, see transport_error.h; a body that ends too early is one.
  std::unique_ptr<watch::ByteStream> body = {};
  // 1 or 2.
  int http_version = 1;
};

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_HTTP_MESSAGE_H_
