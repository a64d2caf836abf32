#ifndef WEBHOOK_INTERNAL_SERVER_CERTIFICATES_H_
#define WEBHOOK_INTERNAL_SERVER_CERTIFICATES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "net/httpserver/server.h"
#include "webhook/server_options.h"

// What the options of a webhook server mean for its HTTP server. Thread-safe.
namespace kube::webhook::internal {

// Returns INVALID_ARGUMENT if the options do not fit together.
absl::Status CheckOptions(const ServerOptions& options);

// Returns the path of the file with the certificate.
std::string CertificateFileOf(const ServerOptions& options);

// Blocks until the files of the certificate can be used, and returns settings with a source that
// goes on reading them as long as it lives. Returns the status of `ctx`, with the last cause, if it
// is done before.
absl::StatusOr<httpserver::TlsOptions> TlsOfFiles(const Context& ctx, const ServerOptions& options);

// Returns the options of the HTTP server. Unless the server `converts`, no body may be longer than
// an admission review. The limits of memory let every connection hold one of the longest requests.
httpserver::ServerOptions HttpOptionsOf(const ServerOptions& options, httpserver::TlsOptions tls,
                                        bool converts);

}  // namespace kube::webhook::internal

#endif  // WEBHOOK_INTERNAL_SERVER_CERTIFICATES_H_
