#include "net/httpclient/internal/curl_error.h"

#include <curl/curl.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "net/httpclient/transport_error.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {
namespace {

using Kind = TransportErrorKind;

// Returns the errno value, which curl reports as a number for some calls and in the text for
// others; 0 if there is none.
int SystemError(const CurlOutcome& outcome) {
  for (const int candidate :
       {ECONNRESET, EPIPE, ETIMEDOUT, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ECONNABORTED}) {
    if (outcome.os_error == candidate) return candidate;
    if (absl::StrContains(outcome.text, std::strerror(candidate))) return candidate;
  }
  return 0;
}

bool IsProxyRefusal(const CurlOutcome& outcome) {
  return outcome.code == CURLE_PROXY ||
         (outcome.proxy_status != 0 && outcome.proxy_status / 100 != 2);
}

Kind KindOf(const CurlOutcome& outcome) {
  if (IsProxyRefusal(outcome)) return Kind::kProxy;
  switch (outcome.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Kind::kResolve;
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
      return Kind::kConnect;
    case CURLE_SSL_CONNECT_ERROR:
      // A reset during the handshake is not the certificate's fault.
      return SystemError(outcome) == ECONNRESET ? Kind::kReset : Kind::kTls;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_USE_SSL_FAILED:
      return Kind::kTls;
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
      return internal::KindOf(io::SecureSocket::KindOf(SystemError(outcome)));
    default:
      return Kind::kProtocol;
  }
}

// Returns curl's text. It names at most hosts, addresses and certificates, except that some errors
// quote the URL; those get a general text. URLs given to curl never contain a user, see
// CurlOptions.
std::string Cause(const CurlOutcome& outcome) {
  const int error = SystemError(outcome);
  if (error != 0) return absl::AsciiStrToLower(std::strerror(error));
  const bool quotes = outcome.code == CURLE_URL_MALFORMAT ||
                      outcome.code == CURLE_UNSUPPORTED_PROTOCOL ||
                      outcome.code == CURLE_COULDNT_RESOLVE_PROXY;
  absl::string_view text = outcome.text;
  if (quotes || text.empty()) text = curl_easy_strerror(outcome.code);
  std::string cause(absl::StripSuffix(absl::StripAsciiWhitespace(text), "."));
  if (cause.size() > 1 && absl::ascii_isupper(cause[0]) && absl::ascii_islower(cause[1])) {
    cause[0] = absl::ascii_tolower(cause[0]);
  }
  return cause;
}

}  // namespace

absl::Status ErrorOf(const CurlOutcome& outcome) {
  const Kind kind = KindOf(outcome);
  const std::string cause = Cause(outcome);
  const std::string proxy = outcome.proxy.empty() ? "" : absl::StrCat(" via proxy ", outcome.proxy);
  std::string message;
  switch (kind) {
    case Kind::kResolve:
      message = outcome.code == CURLE_COULDNT_RESOLVE_PROXY
                    ? absl::StrCat("resolve address of proxy ", outcome.proxy, ": ", cause)
                    : absl::StrCat("resolve address of ", outcome.authority, proxy, ": ", cause);
      break;
    case Kind::kTls:
      message = outcome.code == CURLE_PEER_FAILED_VERIFICATION
                    ? absl::StrCat("verify certificate of ", outcome.tls_name, ": ", cause)
                    : absl::StrCat("TLS handshake with ", outcome.authority, ": ", cause);
      break;
    default:
      message = absl::StrCat("connect to ", outcome.authority, proxy, ": ", cause);
  }
  return MakeTransportError({.kind = kind, .maybe_sent = false}, message);
}

TransportErrorKind KindOf(io::SecureSocket::ErrorKind kind) {
  switch (kind) {
    case io::SecureSocket::ErrorKind::kClosed:
      return Kind::kEof;
    case io::SecureSocket::ErrorKind::kReset:
      return Kind::kReset;
    case io::SecureSocket::ErrorKind::kLost:
      return Kind::kLost;
    case io::SecureSocket::ErrorKind::kProtocol:
      return Kind::kProtocol;
    case io::SecureSocket::ErrorKind::kCertificateRefused:
      return Kind::kTls;
  }
  return Kind::kEof;
}

absl::Status ClosedError(bool maybe_sent) {
  return MakeTransportError({.kind = Kind::kClosed, .maybe_sent = maybe_sent},
                            "send request: the transport was shut down");
}

}  // namespace kube::httpclient::internal
