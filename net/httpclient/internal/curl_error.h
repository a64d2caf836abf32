#ifndef NET_HTTPCLIENT_INTERNAL_CURL_ERROR_H_
#define NET_HTTPCLIENT_INTERNAL_CURL_ERROR_H_

#include <curl/curl.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/transport_error.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// The result of opening a connection, as curl reports it.
struct CurlOutcome {
  CURLcode code = CURLE_OK;
  // CURLINFO_OS_ERRNO and CURLOPT_ERRORBUFFER.
  int os_error = 0;
  absl::string_view text = {};
  // CURLINFO_HTTP_CONNECTCODE, the proxy's answer to CONNECT; zero if there was none.
  long proxy_status = 0;  // NOLINT: curl's type
  // For example "10.0.0.1:6443"; "proxy:3128", or empty without a proxy; and "kubernetes.default",
  // the name that the certificate must have.
  absl::string_view authority = {};
  absl::string_view proxy = {};
  absl::string_view tls_name = {};
};

// Returns the transport error (transport_error.h) for `outcome`, whose code must not be CURLE_OK.
// `maybe_sent` is false.
absl::Status ErrorOf(const CurlOutcome& outcome);

// Returns what an error of an open connection means for its requests.
TransportErrorKind KindOf(io::SecureSocket::ErrorKind kind);

// Returns the error of a request that the end of the transport has aborted or refused.
absl::Status ClosedError(bool maybe_sent);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CURL_ERROR_H_
