// tools/bench envtest: envtest embedded|real start|list|write|watch|put
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/watch/byte_stream.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/envtest/put.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/control_plane.h"
#include "envtest/environment.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = api::core::v1;

constexpr int kPods = 10'000;
constexpr int kWrites = 4'000;
constexpr int kWatches = 100;
constexpr int kUpdates = 1'000;
constexpr char kClusterRole[] = "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin";

constexpr typed::Resource kConfigMapResource = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
constexpr typed::Resource kPodResource = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;
using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

double MillisecondsSince(base::MonotonicTime start) {
  return absl::ToDoubleMilliseconds(Now() - start);
}

absl::StatusOr<std::unique_ptr<envtest::Environment>> StartServer(bool real) {
  if (!real) return envtest::EmbeddedEnvironment::Start();
  return envtest::ControlPlane::Start(Context());
}

// Runs `work` on `threads` threads, each with its share of the numbers below `count`.
absl::Status InParallel(int threads, int count, const std::function<absl::Status(int)>& work) {
  base::ThreadGroup group{Context()};
  for (int thread = 0; thread < threads; ++thread) {
    group.Go("bench", [&work, thread, threads, count](const Context&) -> absl::Status {
      for (int i = thread; i < count; i += threads) KUBE_RETURN_IF_ERROR(work(i));
      return absl::OkStatus();
    });
  }
  return group.Wait();
}

// Polls until the server is ready.
absl::Status AwaitReady(const rest::Client& client) {
  while (true) {
    const absl::Status status = client.Do(Context(), {.absolute_path = "/readyz"}).status();
    if (!absl::IsUnavailable(status) && !absl::IsInternal(status)) return status;
  }
}

void AddTimes(absl::string_view prefix, std::vector<double> times, Report& report) {
  std::sort(times.begin(), times.end());
  report.Add(absl::StrCat(prefix, "p50"), "ms", times[times.size() / 2]);
  report.Add(absl::StrCat(prefix, "p99"), "ms", times[times.size() * 99 / 100]);
}

// Measures the time from making the server until it is ready, and until an object has been read.
// The object is an initial object of a new cluster, which the embedded server creates on the first
// access to its resource.
absl::Status Start(bool real, Report& report) {
  std::vector<double> ready, object;
  for (int i = 0; i < (real ? 3 : 200); ++i) {
    const base::MonotonicTime begin = Now();
    KUBE_ASSIGN_OR_RETURN(const auto server, StartServer(real));
    KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(server->Config()));
    KUBE_RETURN_IF_ERROR(AwaitReady(client));
    ready.push_back(MillisecondsSince(begin));
    KUBE_RETURN_IF_ERROR(client.Do(Context(), {.absolute_path = kClusterRole}).status());
    object.push_back(MillisecondsSince(begin));
  }
  AddTimes("", std::move(ready), report);
  AddTimes("object_", std::move(object), report);
  return absl::OkStatus();
}

corev1::Pod MakePod(int i) {
  corev1::Container container = {.name = "main", .image = "registry.example.com/team/app:v1.2.3"};
  for (int n = 0; n < 8; ++n) {
    container.env.push_back({.name = absl::StrCat("VARIABLE_", n), .value = "a value"});
  }
  return {.metadata = {.name = absl::StrCat("web-", i),
                       .labels = {{"app", "web"}, {"pod-template-hash", "6d4cf56db6"}}},
          .spec = {.containers = {container}}};
}

absl::Status List(const rest::Client& client, Report& report) {
  const Pods pods = Pods(client, kPodResource).Namespace("default");
  KUBE_RETURN_IF_ERROR(
      InParallel(8, kPods, [&](int i) { return pods.Create(Context(), MakePod(i)).status(); }));
  const std::pair<absl::string_view, std::string> formats[] = {
      {"protobuf", "application/vnd.kubernetes.protobuf"}, {"json", "application/json"}};
  for (const auto& [name, accept] : formats) {
    std::vector<double> times;
    size_t bytes = 0;
    for (int i = 0; i < 11; ++i) {
      const base::MonotonicTime begin = Now();
      KUBE_ASSIGN_OR_RETURN(
          const rest::Result list,
          client.Do(Context(), {.absolute_path = "/api/v1/pods?limit=0", .accept = accept}));
      times.push_back(MillisecondsSince(begin));
      bytes = list.body.size();
    }
    // The first list encodes objects that later lists reuse; both times are of interest.
    report.Add(absl::StrCat(name, "_first"), "ms", times.front());
    report.Add(name, "ms", Median({times.begin() + 1, times.end()}));
    report.Add(absl::StrCat(name, "_size"), "MB", static_cast<double>(bytes) / 1e6);
  }
  return absl::OkStatus();
}

absl::Status Write(const rest::Client& client, Report& report) {
  const ConfigMaps maps = ConfigMaps(client, kConfigMapResource).Namespace("default");
  const auto rate = [&](absl::string_view name, int threads,
                        const std::function<absl::Status(int)>& work) -> absl::Status {
    const base::MonotonicTime begin = Now();
    KUBE_RETURN_IF_ERROR(InParallel(threads, kWrites, work), name);
    report.Add(absl::StrCat(name, "_", threads), "1/s", kWrites / MillisecondsSince(begin) * 1e3);
    return absl::OkStatus();
  };
  for (const int threads : {1, 16}) {
    const auto object = [threads](int i, absl::string_view value) {
      return corev1::ConfigMap{.metadata = {.name = absl::StrCat("map-", threads, "-", i)},
                               .data = {{"key", value}, {"other", "some more text"}}};
    };
    KUBE_RETURN_IF_ERROR(rate(
        "create", threads, [&](int i) { return maps.Create(Context(), object(i, "1")).status(); }));
    KUBE_RETURN_IF_ERROR(rate(
        "update", threads, [&](int i) { return maps.Update(Context(), object(i, "2")).status(); }));
    KUBE_RETURN_IF_ERROR(rate("get", threads, [&](int i) {
      return maps.Get(Context(), absl::StrCat("map-", threads, "-", i)).status();
    }));
  }
  return absl::OkStatus();
}

// Reads a JSON watch until it has delivered `events` events.
absl::Status ReadEvents(watch::ByteStream& body, int events) {
  for (int seen = 0; seen < events;) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, body.Read(Context()));
    if (bytes.empty()) return absl::OutOfRangeError("the watch has ended");
    seen += static_cast<int>(std::count(bytes.begin(), bytes.end(), '\n'));
  }
  return absl::OkStatus();
}

absl::Status Watch(const rest::Client& client, Report& report) {
  const ConfigMaps maps = ConfigMaps(client, kConfigMapResource).Namespace("default");
  const corev1::ConfigMap shared = {.metadata = {.name = "shared"}, .data = {{"key", "value"}}};
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap made, maps.Create(Context(), shared));
  std::vector<std::unique_ptr<watch::ByteStream>> watches;
  for (int i = 0; i < kWatches; ++i) {
    KUBE_ASSIGN_OR_RETURN(
        rest::StreamedResult result,
        client.Stream(Context(),
                      {.absolute_path = absl::StrCat(
                           "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=",
                           made.metadata.resource_version.view()),
                       .accept = "application/json"}));
    watches.push_back(std::move(result.body));
  }
  const base::MonotonicTime begin = Now();
  base::ThreadGroup group{Context()};
  group.Go("update", [&maps, &made](const Context&) -> absl::Status {
    corev1::ConfigMap map = made;
    for (int i = 0; i < kUpdates; ++i) {
      map.data["key"] = absl::StrCat(i);
      KUBE_ASSIGN_OR_RETURN(map, maps.Update(Context(), map));
    }
    return absl::OkStatus();
  });
  for (const auto& each : watches) {
    group.Go("watch", [&each](const Context&) { return ReadEvents(*each, kUpdates); });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  report.Add("events", "1/s", kUpdates * kWatches / MillisecondsSince(begin) * 1e3);
  return absl::OkStatus();
}

absl::Status Run(bool real, absl::string_view what, Report& report) {
  if (what == "start") return Start(real, report);
  if (what == "put") return MeasurePuts(report);
  KUBE_ASSIGN_OR_RETURN(const auto server, StartServer(real));
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(server->Config()));
  if (what == "list") return List(client, report);
  if (what == "write") return Write(client, report);
  if (what == "watch") return Watch(client, report);
  return absl::InvalidArgumentError("no such case");
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 3) {
    std::cerr << "usage: envtest embedded|real start|list|write|watch|put\n";
    return 2;
  }
  kube::benchmarks::Report report;
  const absl::Status status =
      kube::benchmarks::Run(absl::string_view(argv[1]) == "real", argv[2], report);
  if (!status.ok()) {
    std::cerr << "envtest: " << status << "\n";
    return 1;
  }
  std::cout << report.ToJson() << std::endl;
  return 0;
}
