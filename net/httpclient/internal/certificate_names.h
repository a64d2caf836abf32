#ifndef NET_HTTPCLIENT_INTERNAL_CERTIFICATE_NAMES_H_
#define NET_HTTPCLIENT_INTERNAL_CERTIFICATE_NAMES_H_

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <string>

#include "absl/strings/string_view.h"

// The names that a certificate is for, judged as crypto/x509 of Go does: by its subject alternative
// names alone. The subject's common name never counts. Pure functions.
namespace kube::httpclient::internal {

// Makes the verification fail unless the certificate is for `host`, a name or an address without
// brackets. False: out of memory.
bool RequireName(X509_VERIFY_PARAM* parameters, absl::string_view host);

// Whether an X509_V_ERR_... says that RequireName was not met.
bool IsNameMistake(int verify_error);

// "certificate is valid for kubernetes, not localhost": Go's words. (x509.HostnameError)
std::string DescribeNameMistake(X509* certificate, absl::string_view host);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CERTIFICATE_NAMES_H_
