#ifndef CONTROLLER_METRICS_METRICS_SERVER_H_
#define CONTROLLER_METRICS_METRICS_SERVER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "clientset/rest/client.h"
#include "controller/health/health_server.h"

namespace kube::metrics {

// Who may read the metrics.
enum class MetricsAccess {
  kAnybody,            // everybody who reaches the port
  kClientCertificate,  // with a certificate of the client authority; needs `secure`
  kTokenReview,        // with a bearer token, as TokenReviewAccess decides; needs `secure`
};

// Options of a MetricsServer. (controller-runtime: `metrics/server.Options`)
struct MetricsOptions {
  // The address and port to listen on. Default: ":8080", as controller-runtime's. Zero: any free
  // port. The usual port of a secure endpoint is 8443.
  std::string address = "0.0.0.0";
  uint16_t port = 8080;

  // Whether TLS is spoken. Default: no. (`SecureServing`)
  bool secure = false;
  // The folder with the server's certificate and key, and the names of the files: those of a secret
  // that cert-manager makes. They are read again every ten seconds, and need not be there at the
  // start. Empty, the default: a certificate for localhost and 127.0.0.1 that the server signs
  // itself, which readers can only accept without verifying it. (`CertDir`, `CertName`, `KeyName`)
  std::string certificate_folder = {};
  std::string certificate_name = "tls.crt";
  std::string key_name = "tls.key";
  // The file with the authorities of the clients' certificates, in the same folder, for
  // MetricsAccess::kClientCertificate. It is read again, too.
  std::string client_ca_name = "ca.crt";

  // Default: as controller-runtime. Metrics reveal a lot about a program.
  MetricsAccess access = MetricsAccess::kAnybody;

  // Further paths, which are guarded like the metrics. (`ExtraHandlers`)
  std::vector<health::PathHandler> handlers = {};

  // Whether HTTP/2 is spoken beside HTTP/1.1. Default: yes, as controller-runtime.
  bool http2 = true;
};

// Serves the metrics of a program at /metrics, on a port of their own. (controller-runtime: package
// `metrics/server`)
//
// It is a health::HealthServer whose paths are all guarded, and has its limits; /healthz, /livez
// and /readyz answer "ok". To serve metrics and health on one port use that class, with a
// TokenReviewAccess if need be.
//
//   KUBE_ASSIGN_OR_RETURN(
//       std::unique_ptr<metrics::MetricsServer> server,
//       metrics::MetricsServer::Start(
//           ctx, {.port = port, .secure = true, .access = metrics::MetricsAccess::kTokenReview},
//           registry, &client));
//
// Uses the real clock and real sockets. Thread-safe.
class MetricsServer {
 private:
  class Impl;
  // Makes the constructor usable by Start only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the server. Blocks while the certificate's files are not there or cannot be used, until
  // `ctx` is done; then returns its status with the name of the file and the cause. Returns
  // INVALID_ARGUMENT if `access` needs TLS, a folder or a client that is not there; otherwise the
  // errors of health::HealthServer::Start. `client` is used by MetricsAccess::kTokenReview alone,
  // is copied, and may otherwise be null; it should be one of its own, as strangers can use up its
  // rate limit. The certificate's files are counted in `registry`.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> Start(
      const Context& ctx, const MetricsOptions& options,
      const std::shared_ptr<base::PrometheusRegistry>& registry, const rest::Client* client);

  MetricsServer(Key, std::unique_ptr<Impl> impl);
  // Closes all connections.
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  // Stops accepting requests and blocks until the present ones have ended or `ctx` is done.
  absl::Status Shutdown(const Context& ctx);

  uint16_t port() const;
  // Returns the base URL, such as "https://0.0.0.0:8443".
  std::string url() const;

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::metrics

#endif  // CONTROLLER_METRICS_METRICS_SERVER_H_
