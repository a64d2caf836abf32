#ifndef NET_HTTPCLIENT_TRANSPORT_ERROR_H_
#define NET_HTTPCLIENT_TRANSPORT_ERROR_H_

#include <optional>
#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// Errors of a transport: why no response arrived, or not all of it. Each is an absl::Status with a
// payload that has the kind; annotations on the way up keep it. A response with an error code from
// the server is not one of these: see errors/status_error.h.
namespace kube::httpclient {

enum class TransportErrorKind {
  kResolve,   // UNAVAILABLE: the host or the proxy has no address
  kConnect,   // UNAVAILABLE: refused, unreachable or timed out, also in the TLS handshake
  kProxy,     // UNAVAILABLE: the proxy refused, or proxy_url is malformed
  kTls,       // UNAUTHENTICATED: TLS failed: untrusted certificate, wrong name …
  kReset,     // UNAVAILABLE: the connection or stream was reset: ECONNRESET, RST_STREAM …
  kEof,       // UNAVAILABLE: closed before the response or its body was complete
  kLost,      // UNAVAILABLE: HTTP/2 GOAWAY, or the peer was silent for too long
  kTimeout,   // DEADLINE_EXCEEDED: header_timeout was exceeded
  kProtocol,  // DATA_LOSS: the response is not HTTP, too large, or not valid gzip
  kClosed,    // CANCELLED: the transport was shut down
};

// Returns a name for logs and metrics, such as "reset" or "proxy".
absl::string_view ToString(TransportErrorKind kind);
std::ostream& operator<<(std::ostream& out, TransportErrorKind kind);

struct TransportError {
  TransportErrorKind kind = TransportErrorKind::kConnect;
  // Whether the server may have seen the request. If not, any request can be sent again safely.
  bool maybe_sent = true;

  friend bool operator==(const TransportError&, const TransportError&) = default;
};

// Makes an error with the code of its kind. `message` must not contain a URL's query, a header or
// the proxy's password.
absl::Status MakeTransportError(const TransportError& error, absl::string_view message);

// Returns nullopt if `status` is not a transport error.
std::optional<TransportError> TransportErrorOf(const absl::Status& status);

// Returns whether the connection was reset, lost or closed before the response was complete, so
// that a GET may be sent again. (client-go: `net.IsConnectionReset`, `IsProbableEOF`,
// `IsHTTP2ConnectionLost`)
bool IsConnectionLost(const absl::Status& status);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TRANSPORT_ERROR_H_
