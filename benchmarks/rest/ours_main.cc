// The REST client of tools/bench rest: typed clients, as in generated code. go/main.go does the
// same in Go.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "benchmarks/contract/contract.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "net/httpclient/http_message.h"

namespace corev1 = kube::api::core::v1;

namespace kube::benchmarks {
namespace {

constexpr int64_t kWarmUp = 500;
constexpr absl::Duration kAtLeast = absl::Seconds(5);

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

absl::Duration Cpu() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return absl::DurationFromTimeval(used.ru_utime) + absl::DurationFromTimeval(used.ru_stime);
}

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;
using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

// Reads one object until `enough` returns true, and returns the sorted latencies in nanoseconds.
absl::StatusOr<std::vector<int64_t>> Gets(const ConfigMaps& client, int threads,
                                          absl::FunctionRef<bool(int64_t done)> enough) {
  std::atomic<int64_t> done = 0;
  std::vector<std::vector<int64_t>> latencies(threads);
  base::ThreadGroup group{Context()};
  for (std::vector<int64_t>& mine : latencies) {
    group.Go("get", [&client, &done, &mine, enough](const Context& ctx) -> absl::Status {
      while (!enough(++done)) {
        const base::MonotonicTime start = Now();
        KUBE_RETURN_IF_ERROR(client.Get(ctx, "web").status());
        mine.push_back(absl::ToInt64Nanoseconds(Now() - start));
      }
      return absl::OkStatus();
    });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& mine : latencies)
    all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  return all;
}

absl::Status Get(const rest::Client& client, int threads, Report& report) {
  const ConfigMaps config_maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  KUBE_RETURN_IF_ERROR(
      Gets(config_maps, threads, [](int64_t done) { return done > kWarmUp; }).status());
  const base::MonotonicTime start = Now();
  const absl::Duration cpu = Cpu();
  KUBE_ASSIGN_OR_RETURN(
      const std::vector<int64_t> latencies,
      Gets(config_maps, threads, [start](int64_t) { return Now() - start > kAtLeast; }));
  const absl::Duration elapsed = Now() - start;
  const absl::Duration used = Cpu() - cpu;
  const double n = static_cast<double>(latencies.size());
  report.Add("rate", "1/s", n / absl::ToDoubleSeconds(elapsed));
  report.Add("cpu_per_request", "us", absl::ToDoubleMicroseconds(used) / n);
  report.Add("p50", "us", static_cast<double>(latencies[latencies.size() / 2]) / 1e3);
  report.Add("p99", "us", static_cast<double>(latencies[latencies.size() * 99 / 100]) / 1e3);
  return absl::OkStatus();
}

// Connects, so that the handshake is not measured.
absl::Status Connect(const rest::Client& client) {
  return ConfigMaps(client, kConfigMaps).Namespace("default").Get(Context(), "web").status();
}

absl::Status List(const rest::Client& client, Report& report) {
  KUBE_RETURN_IF_ERROR(Connect(client));
  const base::MonotonicTime start = Now();
  const absl::Duration cpu = Cpu();
  codec::SharingStore store;
  KUBE_ASSIGN_OR_RETURN(const auto page,
                        Pods(client, kPods).ListPage(Context(), {}, {.store = &store}));
  report.Add("time", "ms", absl::ToDoubleMilliseconds(Now() - start));
  report.Add("cpu_time", "ms", absl::ToDoubleMilliseconds(Cpu() - cpu));
  report.Add("pods", "", static_cast<double>(page.items.size()));
  return absl::OkStatus();
}

absl::Status Watch(const rest::Client& client, Report& report) {
  KUBE_RETURN_IF_ERROR(Connect(client));
  const base::MonotonicTime start = Now();
  const absl::Duration cpu = Cpu();
  KUBE_ASSIGN_OR_RETURN(const auto watcher, Pods(client, kPods).Watch(Context()));
  int64_t events = 0;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(Context()));
    if (!event.has_value()) break;
    if (event->type == watch::EventType::kError) return event->error;
    ++events;
  }
  const absl::Duration elapsed = Now() - start;
  report.Add("rate", "1/s", static_cast<double>(events) / absl::ToDoubleSeconds(elapsed));
  report.Add(
      "cpu_per_event", "us",
      absl::ToDoubleMicroseconds(Cpu() - cpu) / static_cast<double>(std::max<int64_t>(events, 1)));
  report.Add("events", "", static_cast<double>(events));
  return absl::OkStatus();
}

absl::Status Run(httpclient::HttpVersion http_version, const std::string& url,
                 const std::string& ca_file, absl::string_view what, absl::string_view argument,
                 Report& report) {
  rest::Config config = {.host = url,
                         .bearer_token = base::Secret("token"),
                         .tls = {.ca_file = ca_file},
                         .http_version = http_version};
  if (argument == "json") config.content_type = "application/json";
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  int threads = 0;
  if (what == "get" && absl::SimpleAtoi(argument, &threads) && threads > 0) {
    return Get(client, threads, report);
  }
  if (what == "list") return List(client, report);
  if (what == "watch") return Watch(client, report);
  return absl::InvalidArgumentError("no such case");
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  kube::httpclient::HttpVersion http_version = kube::httpclient::HttpVersion::kAny;
  if (argc == 6 && absl::string_view(argv[1]) == "http1") {
    http_version = kube::httpclient::HttpVersion::kHttp1;
    ++argv;
    --argc;
  }
  if (argc != 5) {
    std::cerr << "usage: ours [http1] URL CA_FILE get CONCURRENCY | list FORMAT | watch FORMAT\n";
    return 2;
  }
  kube::benchmarks::Report report;
  const absl::Status status =
      kube::benchmarks::Run(http_version, argv[1], argv[2], argv[3], argv[4], report);
  if (!status.ok()) {
    std::cerr << "rest: " << status << "\n";
    return 1;
  }
  std::cout << report.ToJson() << std::endl;
  return 0;
}
