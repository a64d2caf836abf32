#ifndef CLIENTSET_REST_INTERNAL_CURL_ERROR_H_
#define CLIENTSET_REST_INTERNAL_CURL_ERROR_H_

#include <curl/curl.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::rest::internal {

// How a transfer ended, as curl sees it.
struct CurlOutcome {
  CURLcode code = CURLE_OK;
  // CURLINFO_OS_ERRNO, CURLOPT_ERRORBUFFER
  int os_error = 0;
  absl::string_view text = {};
  // Whether the request was given to an open connection, and its status line has come back.
  bool placed = false;
  bool responded = false;
  int http_version = 1;
  // CURLINFO_HTTP_CONNECTCODE: what the proxy said to CONNECT. Zero: nothing.
  long proxy_status = 0;  // NOLINT: curl's type
  // "10.0.0.1:6443"; "kubernetes.default", as the certificate has to name it.
  absl::string_view authority = {};
  absl::string_view tls_name = {};
};

// The transport error for it; see transport_error.h. Never called with CURLE_OK.
absl::Status ErrorOf(const CurlOutcome& outcome);

// The error of a request that the end of the transport has cut off, or kept from beginning.
absl::Status ClosedError(bool maybe_sent);

// Whether other requests on the same connection will not end well either.
bool BreaksConnection(CURLcode code);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CURL_ERROR_H_
