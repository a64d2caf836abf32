#include "benchmarks/informer/pods_run.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/informer/process.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"

ABSL_FLAG(std::string, mode, "watchlist", "watchlist, or list for a list followed by a watch");
ABSL_FLAG(std::string, encoding, "protobuf", "protobuf or json");
ABSL_FLAG(int64_t, events, 0, "number of updates in the second phase; 0: no second phase");
ABSL_FLAG(double, rate, 0, "updates per second; 0: unlimited");
ABSL_FLAG(int64_t, timeout, 300, "timeout of the whole run, in seconds");
ABSL_FLAG(std::string, transform, "none", "none or drop-managed-fields");
ABSL_FLAG(bool, contract, false, "print what tools/bench reads");

namespace kube::benchmarks {
namespace {

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }
double SecondsSince(base::MonotonicTime start) { return absl::ToDoubleSeconds(Now() - start); }
double CpuSeconds() { return absl::ToDoubleSeconds(ProcessCpu()); }

// The figures in the order of their addition, in one of the two output formats.
class Figures {
 public:
  void Add(absl::string_view name, absl::string_view unit, double value) {
    absl::StrAppend(&line_, absl::StrFormat(",\"%s\":%.9g", name, value));
    report_.Add(name, unit, value);
  }

  // `head` consists of "name":"text" pairs.
  std::string ToJson(absl::string_view head) const {
    return absl::GetFlag(FLAGS_contract) ? report_.ToJson() : absl::StrCat("{", head, line_, "}");
  }

 private:
  std::string line_;
  Report report_;
};

absl::StatusOr<PodsOptions> OptionsOfFlags() {
  struct Choice {
    absl::string_view name;
    std::string value;
    absl::string_view yes;
    absl::string_view no;
    bool* chosen;
  };
  PodsOptions options = {.events = absl::GetFlag(FLAGS_events)};
  const Choice choices[] = {
      {"mode", absl::GetFlag(FLAGS_mode), "watchlist", "list", &options.watch_list},
      {"encoding", absl::GetFlag(FLAGS_encoding), "protobuf", "json", &options.protobuf},
      {"transform", absl::GetFlag(FLAGS_transform), "drop-managed-fields", "none",
       &options.drop_managed_fields}};
  for (const Choice& choice : choices) {
    *choice.chosen = choice.value == choice.yes;
    if (choice.value == choice.yes || choice.value == choice.no) continue;
    return absl::UnimplementedError(absl::StrCat("no ", choice.name, " \"", choice.value, "\""));
  }
  return options;
}

double Quantile(const std::vector<int64_t>& sorted, double q) {
  if (sorted.empty()) return 0;
  const double at = q * static_cast<double>(sorted.size() - 1);
  return static_cast<double>(sorted[static_cast<size_t>(at)]) / 1e3;
}

// Measures from the start until the client has all pods and is idle.
absl::StatusOr<std::unique_ptr<PodsClient>> FirstPhase(const Context& ctx,
                                                       const kubernetes::Clientset& clientset,
                                                       const PodsOptions& options,
                                                       MakePodsClient make, Figures& figures) {
  const int64_t heap = HeapBytes();
  const base::MonotonicTime start = Now();
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<PodsClient> client, make(ctx, clientset, options));
  KUBE_ASSIGN_OR_RETURN(const int64_t pods, client->Sync(ctx));
  const double synced = SecondsSince(start);
  KUBE_RETURN_IF_ERROR(client->AwaitHandled(ctx));
  figures.Add("n", "1", static_cast<double>(pods));
  figures.Add("sync_s", "s", synced);
  figures.Add("handled_s", "s", SecondsSince(start));
  figures.Add("cpu_sync_s", "s", CpuSeconds());
  figures.Add("rss_kb", "kB", static_cast<double>(ProcessStatus("VmRSS")));
  figures.Add("peak_rss_kb", "kB", static_cast<double>(ProcessStatus("VmHWM")));
  figures.Add(
      "heap_per_obj_b", "B",
      static_cast<double>(HeapBytes() - heap) / static_cast<double>(std::max<int64_t>(pods, 1)));
  malloc_trim(0);
  figures.Add("rss_trim_kb", "kB", static_cast<double>(ProcessStatus("VmRSS")));
  figures.Add("peak_rss_trim_kb", "kB", static_cast<double>(ProcessStatus("VmHWM")));
  return client;
}

absl::Status SecondPhase(const Context& ctx, const kubernetes::Clientset& clientset,
                         const PodsOptions& options, PodsClient& client, Figures& figures) {
  if (options.events == 0) return absl::OkStatus();
  const std::string rate = absl::StrFormat("%g", absl::GetFlag(FLAGS_rate));
  KUBE_RETURN_IF_ERROR(
      clientset.client()
          .Do(ctx, {.absolute_path = "/bench/start",
                    .params = {{"events", {absl::StrCat(options.events)}}, {"rate", {rate}}}})
          .status());
  const base::MonotonicTime start = Now();
  const double cpu = CpuSeconds();
  KUBE_ASSIGN_OR_RETURN(PodsUpdates updates, client.AwaitEnd(ctx), "await events");
  const double used = CpuSeconds() - cpu;
  const auto seen = static_cast<double>(updates.seen);
  figures.Add("events", "1", static_cast<double>(options.events));
  figures.Add("events_seen", "1", seen);
  figures.Add("events_per_s", "1/s", seen / SecondsSince(start));
  figures.Add("cpu_events_s", "s", used);
  figures.Add("cpu_event_us", "us", 1e6 * used / std::max(seen, 1.0));
  std::sort(updates.latencies_ns.begin(), updates.latencies_ns.end());
  figures.Add("lat_p50_us", "us", Quantile(updates.latencies_ns, 0.5));
  figures.Add("lat_p99_us", "us", Quantile(updates.latencies_ns, 0.99));
  if (updates.seen == options.events) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrFormat("%d updates were sent, and %d seen", options.events, updates.seen));
}

absl::StatusOr<std::string> Run(absl::string_view name, MakePodsClient make) {
  KUBE_ASSIGN_OR_RETURN(const PodsOptions options, OptionsOfFlags());
  const Context ctx = WithTimeout(Context(), absl::Seconds(absl::GetFlag(FLAGS_timeout)));
  KUBE_ASSIGN_OR_RETURN(rest::Config config, clientcmd::LoadConfig(clientcmd::FlagOptions()));
  config.content_type =
      options.protobuf ? "application/vnd.kubernetes.protobuf" : "application/json";
  KUBE_ASSIGN_OR_RETURN(const auto clientset, kubernetes::Clientset::Make(config));
  Figures figures;
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<PodsClient> client,
                        FirstPhase(ctx, clientset, options, make, figures));
  KUBE_RETURN_IF_ERROR(SecondPhase(ctx, clientset, options, *client, figures));
  figures.Add("peak_rss_end_kb", "kB", static_cast<double>(ProcessStatus("VmHWM")));
  return figures.ToJson(
      absl::StrFormat(R"("client":"%s","version":"head","mode":"%s","encoding":"%s")", name,
                      absl::GetFlag(FLAGS_mode), absl::GetFlag(FLAGS_encoding)));
}

}  // namespace

int RunPods(int argc, char** argv, absl::string_view name, MakePodsClient make) {
  clientcmd::ParseCommandLine(argc, argv);
  const absl::StatusOr<std::string> line = Run(name, make);
  if (line.ok()) {
    std::cout << *line << std::endl;
    return 0;
  }
  std::cerr << name << ": " << line.status().message() << std::endl;
  return absl::IsUnimplemented(line.status()) ? 3 : 1;
}

}  // namespace kube::benchmarks
