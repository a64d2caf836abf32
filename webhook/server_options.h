#ifndef WEBHOOK_SERVER_OPTIONS_H_
#define WEBHOOK_SERVER_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "net/certificates/certificate_source.h"
#include "webhook/self_signed.h"

namespace kube::webhook {

// Options of a Server. (controller-runtime: `webhook.Options`)
struct ServerOptions {
  // Whether the server listens at all. If not, its webhooks can still be asked in the process: see
  // Server::handler. Default: yes. (`Port: -1`)
  bool listen = true;
  // Address to listen on. Default: all IPv4 addresses; "::" for IPv6.
  std::string address = "0.0.0.0";
  // Port. Default: controller-runtime's. Zero: any free port; see Server::port.
  uint16_t port = 9443;

  // The folder with the server's certificate and key, and the names of the files: those of a secret
  // that cert-manager makes. They are read again and again, and need not be there at the start: the
  // server waits for them. Default: controller-runtime's folder,
  // $TMPDIR/k8s-webhook-server/serving-certs. (`CertDir`, `CertName`, `KeyName`)
  std::string certificate_folder = {};
  std::string certificate_name = "tls.crt";
  std::string key_name = "tls.key";
  // How often the files are read. Default: ten seconds, as controller-runtime.
  absl::Duration certificate_interval = absl::Seconds(10);
  // The file with the authorities of the clients' certificates, in the same folder; it is read
  // again, too. Then only an API server with such a certificate is answered. Default: everybody who
  // reaches the port is. (`ClientCAName`)
  std::string client_ca_name = {};
  // Instead of files: certificates that the process makes for itself. Default: files.
  std::optional<SelfSignedOptions> self_signed = {};
  // Instead of both: where certificates come from. (`TLSOpts` with a `GetCertificate`)
  std::shared_ptr<const certificates::CertificateSource> certificate_source = nullptr;

  // Whether HTTP/2 is spoken beside HTTP/1.1. Default: yes, as controller-runtime. Under
  // RunOperator the flag --enable-http2 decides, whose default is no. TLS is of version 1.2 or 1.3.
  bool http2 = true;
  // How many admissions are answered at the same time, each on a thread of its own, and how many
  // conversions: these have threads of their own, because functions of admission webhooks may wait
  // for them. 1024 more of each wait; what goes beyond that gets 503. Default: 16.
  int threads = 16;
  // The longest body of a request; a longer one gets 413. An admission has a limit of its own of
  // 7 MiB, as in controller-runtime, which is that of all requests unless a conversion is
  // registered before Run; a conversion has all objects of a list, and no limit in
  // controller-runtime. Each of at most 500 connections may hold one of the longest requests.
  // Default: 64 MiB.
  size_t max_request_bytes = size_t{64} << 20;
  // How long requests that are in work at the end of Run may take. Default: controller-runtime's.
  // A Manager allows no more than a quarter of its stop_timeout.
  absl::Duration shutdown_timeout = absl::Minutes(1);

  // Where the metrics are registered. Default: nowhere; in a Manager its registry.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

}  // namespace kube::webhook

#endif  // WEBHOOK_SERVER_OPTIONS_H_
