// custom_metrics [--namespace NS]: counts the config maps of a namespace in metrics of its own,
// beside those of the client, and prints both as Prometheus reads them.
//
//   # HELP example_config_map_keys Number of keys of a config map.
//   # TYPE example_config_map_keys histogram
//   example_config_map_keys_bucket{le="1"} 1
//   example_config_map_keys_bucket{le="4"} 2
//   example_config_map_keys_bucket{le="16"} 2
//   example_config_map_keys_bucket{le="+Inf"} 2
//   example_config_map_keys_sum 4
//   example_config_map_keys_count 2
//   # HELP example_config_maps_total Number of config maps read, by whether they are immutable.
//   # TYPE example_config_maps_total counter
//   example_config_maps_total{immutable="false"} 1
//   example_config_maps_total{immutable="true"} 1
//   rest_client_requests_total{code="200",method="GET",host="127.0.0.1:6443"} 1
#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"

namespace corev1 = kube::api::core::v1;

namespace {

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  const auto metrics = std::make_shared<kube::base::PrometheusRegistry>();
  loaded.config.metrics = metrics;  // the client counts its requests there
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));

  KUBE_ASSIGN_OR_RETURN(
      const kube::base::CounterVec config_maps,
      metrics->MakeCounter({.name = "example_config_maps_total",
                            .help = "Number of config maps read, by whether they are immutable.",
                            .label_names = {"immutable"}}));
  // Looked up once; counting is an atomic addition.
  const kube::base::Counter immutable = config_maps.WithLabelValues({"true"});
  const kube::base::Counter changeable = config_maps.WithLabelValues({"false"});
  KUBE_ASSIGN_OR_RETURN(
      const kube::base::HistogramVec key_counts,
      metrics->MakeHistogram({.name = "example_config_map_keys",
                              .help = "Number of keys of a config map.",
                              .buckets = kube::base::ExponentialBuckets(1, 4, 3)}));
  const kube::base::Histogram keys = key_counts.WithLabelValues({});

  const auto all = client.CoreV1().ConfigMaps(loaded.chosen_namespace.name);
  KUBE_RETURN_IF_ERROR(
      kube::pager::PagerOf(all.typed_client())
          .EachItem(ctx, {}, [&](const corev1::ConfigMap& config_map) {
            (config_map.immutable.value_or(false) ? immutable : changeable).Increment();
            keys.Observe(static_cast<double>(config_map.data.size()));
            return absl::OkStatus();
          }));

  // A program that is scraped answers with all of Render(), for example by health::HealthServer.
  const std::string text = metrics->Render();
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StrContains(line, "example_") ||
        absl::StartsWith(line, "rest_client_requests_total")) {
      std::cout << line << "\n";
    }
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
