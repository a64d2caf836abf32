#ifndef NET_HTTPCLIENT_INTERNAL_CURL_ERROR_H_
#define NET_HTTPCLIENT_INTERNAL_CURL_ERROR_H_

#include <curl/curl.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/transport_error.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// How the opening of a connection ended, as curl sees it.
struct CurlOutcome {
  CURLcode code = CURLE_OK;
  // CURLINFO_OS_ERRNO, CURLOPT_ERRORBUFFER
  int os_error = 0;
  absl::string_view text = {};
  // CURLINFO_HTTP_CONNECTCODE: what the proxy said to CONNECT. Zero: nothing.
  long proxy_status = 0;  // NOLINT: curl's type
  // "10.0.0.1:6443"; "proxy:3128", or empty without one; "kubernetes.default", as the certificate
  // has to name it.
  absl::string_view authority = {};
  absl::string_view proxy = {};
  absl::string_view tls_name = {};
};

// The transport error for it; see transport_error.h. Nothing was sent. Never called with CURLE_OK.
absl::Status ErrorOf(const CurlOutcome& outcome);

// What an error of an open connection is for requests.
TransportErrorKind KindOf(io::SecureSocket::ErrorKind kind);

// The error of a request that the end of the transport has cut off, or kept from beginning.
absl::Status ClosedError(bool maybe_sent);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CURL_ERROR_H_
