#include "webhook/internal/server_certificates.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "net/certificates/certificate_files.h"
#include "net/httpserver/server.h"
#include "webhook/admission_review.h"
#include "webhook/server_options.h"

namespace kube::webhook::internal {
namespace {

// Far more than the replicas of an API server need.
constexpr int kMaxConnections = 500;
// Far more than the headers of an API server take.
constexpr size_t kMaxHeaderBytes = size_t{64} << 10;

std::string FileIn(absl::string_view folder, absl::string_view name) {
  return absl::StrCat(folder, absl::EndsWith(folder, "/") ? "" : "/", name);
}

// Go: `filepath.Join(os.TempDir(), …)`.
std::string FolderOf(const ServerOptions& options) {
  if (!options.certificate_folder.empty()) return options.certificate_folder;
  const char* const parent = std::getenv("TMPDIR");
  return FileIn(parent == nullptr || *parent == '\0' ? "/tmp" : parent,
                "k8s-webhook-server/serving-certs");
}

}  // namespace

absl::Status CheckOptions(const ServerOptions& options) {
  if (options.threads < 1) return absl::InvalidArgumentError("threads must be positive");
  if (options.certificate_interval <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("certificate_interval must be positive");
  }
  if (options.self_signed.has_value() && options.certificate_source != nullptr) {
    return absl::InvalidArgumentError(
        "certificates are self_signed or of a certificate_source, not both");
  }
  const bool files = !options.self_signed.has_value() && options.certificate_source == nullptr;
  if (!options.client_ca_name.empty() && !files) {
    return absl::InvalidArgumentError("client_ca_name needs certificates of files");
  }
  return absl::OkStatus();
}

std::string CertificateFileOf(const ServerOptions& options) {
  return FileIn(FolderOf(options), options.certificate_name);
}

absl::StatusOr<httpserver::TlsOptions> TlsOfFiles(const Context& ctx,
                                                  const ServerOptions& options) {
  const std::string folder = FolderOf(options);
  certificates::CertificateFilesOptions settings;
  settings.certificate_file = CertificateFileOf(options);
  settings.key_file = FileIn(folder, options.key_name);
  settings.interval = options.certificate_interval;
  settings.metrics = options.metrics;
  httpserver::TlsOptions tls;
  if (!options.client_ca_name.empty()) {
    settings.client_ca_file = FileIn(folder, options.client_ca_name);
    tls.client_auth = httpserver::ClientAuth::kRequire;
  }
  auto files = std::make_shared<certificates::CertificateFiles>(std::move(settings));
  KUBE_RETURN_IF_ERROR(files->WaitForFirst(ctx));
  // Its thread ends with the server that has it.
  KUBE_RETURN_IF_ERROR(files->Start(WithoutCancel(ctx)));
  tls.source = std::move(files);
  return tls;
}

httpserver::ServerOptions HttpOptionsOf(const ServerOptions& options, httpserver::TlsOptions tls,
                                        bool converts) {
  httpserver::ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.tls = std::move(tls);
  server.http2 = options.http2;
  server.max_connections = kMaxConnections;
  server.max_header_bytes = kMaxHeaderBytes;
  server.max_body_bytes =
      converts ? options.max_request_bytes : std::min(options.max_request_bytes, kMaxReviewBytes);
  // One of the longest requests, or several of the usual ones. So nobody can use up what others
  // need, as the sum is what all connections may have.
  server.max_connection_request_bytes = server.max_header_bytes + server.max_body_bytes;
  server.max_request_bytes = kMaxConnections * server.max_connection_request_bytes;
  return server;
}

}  // namespace kube::webhook::internal
