#include "net/httpclient/internal/transport_metrics.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/status.h"

namespace kube::httpclient::internal {

absl::Status TransportMetrics::Register(base::MetricsProvider& provider) {
  KUBE_ASSIGN_OR_RETURN(
      auto connections,
      provider.MakeGauge({.name = "rest_client_connections",
                          .help = "Number of connections that are open or being opened."}));
  KUBE_ASSIGN_OR_RETURN(auto opened,
                        provider.MakeCounter({.name = "rest_client_connections_opened_total",
                                              .help = "Number of connections opened."}));
  KUBE_ASSIGN_OR_RETURN(
      auto failed,
      provider.MakeCounter({.name = "rest_client_connections_failed_total",
                            .help = "Number of connections that could not be opened."}));
  KUBE_ASSIGN_OR_RETURN(
      auto paused,
      provider.MakeCounter(
          {.name = "rest_client_paused_total",
           .help = "Number of times that receiving was paused because the reader was too slow."}));
  KUBE_ASSIGN_OR_RETURN(
      resolve_seconds_,
      provider.MakeHistogram({.name = "rest_client_dns_resolution_duration_seconds",
                              .help = "DNS resolver latency in seconds. Broken down by host.",
                              .label_names = {"host"},
                              .buckets = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30}}));
  KUBE_ASSIGN_OR_RETURN(
      auto open,
      provider.MakeHistogram(
          {.name = "rest_client_connect_duration_seconds",
           .help = "Time in seconds to open a connection, including the TLS handshake."}));
  connections_gauge_ = connections.WithLabelValues({});
  opened_counter_ = opened.WithLabelValues({});
  failed_counter_ = failed.WithLabelValues({});
  paused_counter_ = paused.WithLabelValues({});
  open_seconds_ = open.WithLabelValues({});
  return absl::OkStatus();
}

void TransportMetrics::OnOpening() {
  ++connections_;
  connections_gauge_.Increment();
}

void TransportMetrics::OnOpened(absl::string_view host, absl::Duration resolved,
                                absl::Duration opened) {
  ++opened_;
  opened_counter_.Increment();
  if (!host.empty()) {
    resolve_seconds_.WithLabelValues({host}).Observe(absl::ToDoubleSeconds(resolved));
  }
  open_seconds_.Observe(absl::ToDoubleSeconds(opened));
}

void TransportMetrics::OnFailed() {
  ++failed_;
  failed_counter_.Increment();
}

void TransportMetrics::OnClosed() {
  --connections_;
  connections_gauge_.Decrement();
}

void TransportMetrics::OnPaused() {
  ++paused_;
  paused_counter_.Increment();
}

}  // namespace kube::httpclient::internal
