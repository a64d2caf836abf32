#include "controller/manager/flags.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/flags.h"  // IWYU pragma: keep, has the flags that follow
#include "controller/manager/manager_options.h"
#include "controller/metrics/flags.h"
#include "controller/metrics/metrics_server.h"
#include "net/url/url.h"

ABSL_FLAG(std::string, health_probe_bind_address, "",
          "The address the probe endpoint binds to, such as :8081, or 0 to disable it. If empty, "
          "the program decides.");
ABSL_FLAG(bool, enable_http2, false,
          "If set, HTTP/2 will be enabled for the metrics, health and webhook endpoints.");
ABSL_FLAG(std::string, webhook_cert_path, "",
          "The directory that contains the webhook certificate. If empty, the program decides.");
ABSL_FLAG(std::string, webhook_cert_name, "tls.crt", "The name of the webhook certificate file.");
ABSL_FLAG(std::string, webhook_cert_key, "tls.key", "The name of the webhook key file.");
ABSL_FLAG(std::string, zap_log_level, "",
          "Zap Level to configure the verbosity of logging. Can be one of 'debug', 'info', "
          "'error', 'panic' or any integer value > 0 which corresponds to custom debug levels of "
          "increasing verbosity. If empty, -v decides.");

ABSL_DECLARE_FLAG(bool, leader_elect);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_lease_duration);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_renew_deadline);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_retry_period);
ABSL_DECLARE_FLAG(std::string, leader_elect_resource_name);
ABSL_DECLARE_FLAG(std::string, leader_elect_resource_namespace);

namespace kube::controller {
namespace {

struct BindAddress {
  std::string host = {};
  uint16_t port = 0;
};

// Returns the parts of ":8080", "127.0.0.1:8080" or "[::1]:8080"; no host means all addresses.
absl::StatusOr<BindAddress> ParseBindAddress(absl::string_view flag, absl::string_view text) {
  const size_t colon = text.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(text.substr(colon + 1), &port) ||
      port > std::numeric_limits<uint16_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("flag --", flag, ": \"", text,
                     "\" is no address with a port, as \":8081\", and not \"0\""));
  }
  const absl::string_view host = url::HostName(text);
  return BindAddress{.host = host.empty() ? "0.0.0.0" : std::string(host),
                     .port = static_cast<uint16_t>(port)};
}

absl::Status ApplyMetricsFlags(ManagerOptions& options) {
  KUBE_ASSIGN_OR_RETURN(options.metrics,
                        kube::metrics::MetricsOptionsFromFlags(
                            options.metrics.value_or(kube::metrics::MetricsOptions())));
  if (options.metrics.has_value()) options.metrics->http2 = absl::GetFlag(FLAGS_enable_http2);
  return absl::OkStatus();
}

absl::Status ApplyHealthFlags(ManagerOptions& options) {
  const std::string text = absl::GetFlag(FLAGS_health_probe_bind_address);
  if (text == "0") {
    options.health.reset();
  } else if (!text.empty()) {
    KUBE_ASSIGN_OR_RETURN(const BindAddress address,
                          ParseBindAddress("health-probe-bind-address", text));
    kube::health::HealthServerOptions served =
        options.health.value_or(kube::health::HealthServerOptions());
    served.address = address.host;
    served.port = address.port;
    options.health = std::move(served);
  }
  if (options.health.has_value()) options.health->http2 = absl::GetFlag(FLAGS_enable_http2);
  return absl::OkStatus();
}

void ApplyWebhookFlags(ManagerOptions& options) {
  options.webhooks.http2 = absl::GetFlag(FLAGS_enable_http2);
  std::string folder = absl::GetFlag(FLAGS_webhook_cert_path);
  if (folder.empty()) return;
  options.webhooks.certificate_folder = std::move(folder);
  options.webhooks.certificate_name = absl::GetFlag(FLAGS_webhook_cert_name);
  options.webhooks.key_name = absl::GetFlag(FLAGS_webhook_cert_key);
  options.webhooks.self_signed.reset();
  options.webhooks.certificate_source = nullptr;
}

void ApplyLeaseFlags(ManagerOptions& options) {
  if (!absl::GetFlag(FLAGS_leader_elect)) {
    options.leader_election.reset();
    return;
  }
  LeaseOptions lease = options.leader_election.value_or(LeaseOptions());
  if (std::string name = absl::GetFlag(FLAGS_leader_elect_resource_name); !name.empty()) {
    lease.lease.name = std::move(name);
  }
  if (std::string name = absl::GetFlag(FLAGS_leader_elect_resource_namespace); !name.empty()) {
    lease.lease.namespace_name = std::move(name);
  }
  lease.election.lease_duration = absl::GetFlag(FLAGS_leader_elect_lease_duration);
  lease.election.renew_deadline = absl::GetFlag(FLAGS_leader_elect_renew_deadline);
  lease.election.retry_period = absl::GetFlag(FLAGS_leader_elect_retry_period);
  options.leader_election = std::move(lease);
}

absl::Status ApplyLogLevel() {
  const std::string text = absl::GetFlag(FLAGS_zap_log_level);
  if (text.empty()) return absl::OkStatus();
  int level = 0;
  if (text == "debug") {
    level = 1;
  } else if (text == "error" || text == "panic") {
    level = -1;
  } else if (text != "info" && (!absl::SimpleAtoi(text, &level) || level <= 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid value \"", text,
                     "\" for flag --zap-log-level: want \"debug\", "
                     "\"info\", \"error\", \"panic\" or a number above 0"));
  }
  log::SetVerbosity(level);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ManagerOptions> OptionsFromFlags(ManagerOptions options) {
  KUBE_RETURN_IF_ERROR(ApplyLogLevel());
  KUBE_RETURN_IF_ERROR(ApplyMetricsFlags(options));
  KUBE_RETURN_IF_ERROR(ApplyHealthFlags(options));
  ApplyWebhookFlags(options);
  ApplyLeaseFlags(options);
  return options;
}

}  // namespace kube::controller
