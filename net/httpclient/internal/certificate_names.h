#ifndef NET_HTTPCLIENT_INTERNAL_CERTIFICATE_NAMES_H_
#define NET_HTTPCLIENT_INTERNAL_CERTIFICATE_NAMES_H_

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <string>

#include "absl/strings/string_view.h"

// Checks the names in a certificate as Go's crypto/x509 does: only its subject alternative names
// count, never the subject's common name. The functions are thread-safe.
namespace kube::httpclient::internal {

// Makes the verification fail unless the certificate is for `host`, which is a name or an address
// without brackets. Returns false if out of memory.
bool RequireName(X509_VERIFY_PARAM* parameters, absl::string_view host);

// Returns whether an X509_V_ERR_... code says that RequireName was not satisfied.
bool IsNameMistake(int verify_error);

// Returns Go's text, such as "certificate is valid for kubernetes, not localhost".
// (Go: `x509.HostnameError`)
std::string DescribeNameMistake(X509* certificate, absl::string_view host);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CERTIFICATE_NAMES_H_
