#ifndef NET_HTTPCLIENT_TRANSPORT_ERROR_H_
#define NET_HTTPCLIENT_TRANSPORT_ERROR_H_

#include <optional>
#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// Why no response came, or not all of one. Such an error is an absl::Status whose payload says
// which of these it is; context that is added on the way up keeps it. An error that a server sent
// is none: see errors/status_error.h.
namespace kube::httpclient {

enum class TransportErrorKind {
  kResolve,   // the host, or the proxy, has no address                              UNAVAILABLE
  kConnect,   // refused, unreachable; or too slow, the TLS handshake included       UNAVAILABLE
  kProxy,     // the proxy refused, or its URL is none                               UNAVAILABLE
  kTls,       // no handshake: a certificate that is not trusted, a wrong name ...   UNAUTHENTICATED
  kReset,     // it was cut: ECONNRESET, EPIPE, RST_STREAM, a late alert of TLS      UNAVAILABLE
  kEof,       // it was closed before the response, or its body, was complete        UNAVAILABLE
  kLost,      // HTTP/2: GOAWAY, or nothing was heard for too long                   UNAVAILABLE
  kTimeout,   // header_timeout DEADLINE_EXCEEDED
  kProtocol,  // what came is no HTTP, or is too large, or no gzip                   DATA_LOSS
  kClosed,    // the transport was shut down                                         CANCELLED
};

// "reset", "proxy" ...: for logs and metrics.
absl::string_view ToString(TransportErrorKind kind);
std::ostream& operator<<(std::ostream& out, TransportErrorKind kind);

struct TransportError {
  TransportErrorKind kind = TransportErrorKind::kConnect;
  // Whether the server may have seen the request. False: it is safe to send it again, whatever it
  // does.
  bool maybe_sent = true;

  friend bool operator==(const TransportError&, const TransportError&) = default;
};

// The error with the code of its kind. The message names the host at most, never the URL's query,
// a header or the proxy's password.
absl::Status MakeTransportError(const TransportError& error, absl::string_view message);

// Nothing: it is none.
std::optional<TransportError> TransportErrorOf(const absl::Status& status);

// Whether a GET may be sent again: the connection was reset, lost, or closed without a response.
// (net.IsConnectionReset, IsProbableEOF, IsHTTP2ConnectionLost)
bool IsConnectionLost(const absl::Status& status);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TRANSPORT_ERROR_H_
