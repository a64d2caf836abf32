#include "controller/metrics/flags.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "controller/metrics/metrics_server.h"
#include "net/url/url.h"

ABSL_FLAG(std::string, metrics_bind_address, "0",
          "Where metrics are served: \":8443\" for HTTPS, \":8080\" for HTTP (with "
          "--metrics-secure=false), \"0\" for nowhere.");
ABSL_FLAG(bool, metrics_secure, true,
          "Serve metrics over HTTPS, to those whose token allows it. If false, over HTTP to "
          "everybody.");
ABSL_FLAG(std::string, metrics_cert_path, "",
          "Folder with the certificate of the metrics endpoint. If empty, it signs one itself.");
ABSL_FLAG(std::string, metrics_cert_name, "tls.crt",
          "File name of the certificate of the metrics endpoint.");
ABSL_FLAG(std::string, metrics_cert_key, "tls.key",
          "File name of the key of the metrics endpoint.");

namespace kube::metrics {

namespace {

absl::StatusOr<uint16_t> PortOf(absl::string_view address) {
  const size_t colon = address.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(address.substr(colon + 1), &port) ||
      port > UINT16_MAX) {
    return absl::InvalidArgumentError(absl::StrCat("flag --metrics-bind-address: \"", address,
                                                   "\" is no address with a port, as \":8443\""));
  }
  return static_cast<uint16_t>(port);
}

}  // namespace

absl::StatusOr<std::optional<MetricsOptions>> MetricsOptionsFromFlags(MetricsOptions options) {
  const std::string address = absl::GetFlag(FLAGS_metrics_bind_address);
  if (address.empty() || address == "0") return std::optional<MetricsOptions>();
  const absl::StatusOr<uint16_t> port = PortOf(address);
  if (!port.ok()) return port.status();
  options.port = *port;
  const absl::string_view host = url::HostName(address);
  options.address = host.empty() ? "0.0.0.0" : std::string(host);
  options.secure = absl::GetFlag(FLAGS_metrics_secure);
  options.certificate_folder = absl::GetFlag(FLAGS_metrics_cert_path);
  options.certificate_name = absl::GetFlag(FLAGS_metrics_cert_name);
  options.key_name = absl::GetFlag(FLAGS_metrics_cert_key);
  if (!options.secure) {
    options.access = MetricsAccess::kAnybody;
  } else if (options.access == MetricsAccess::kAnybody) {
    options.access = MetricsAccess::kTokenReview;
  }
  return std::optional<MetricsOptions>(std::move(options));
}

}  // namespace kube::metrics
