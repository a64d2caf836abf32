// A program with one informer of pods, to be measured from outside: how long it takes to have all
// of them, what memory and CPU, and how fast events go through it. benchmarks/README.md says who
// runs it. Prints one line of JSON.
//
//   pods_informer --kubeconfig F --mode watchlist|list --encoding protobuf|json --events K --rate R
//                 --timeout S [--transform none|drop-managed-fields]

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "informers/apply_deltas.h"
#include "informers/delta.h"
#include "informers/delta_queue.h"
#include "informers/lister_watcher.h"
#include "informers/reflector.h"
#include "listers/indexer.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = kube::api::core::v1;
using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

// The options by their names, with their defaults.
using Flags = std::map<std::string, std::string>;

absl::StatusOr<Flags> ParseFlags(int argc, char** argv) {
  Flags flags = {{"kubeconfig", ""},   {"mode", "watchlist"}, {"encoding", "protobuf"},
                 {"events", "0"},      {"rate", "0"},         {"timeout", "300"},
                 {"transform", "none"}};
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
    std::string value;
    if (const size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (++i < argc) {
      value = argv[i];
    }
    const auto flag = flags.find(name);
    if (flag == flags.end()) return absl::InvalidArgumentError(absl::StrCat("no option ", name));
    flag->second = value;
  }
  return flags;
}

double Number(const std::string& text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) ? number : 0;
}

double Cpu() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return absl::ToDoubleSeconds(absl::DurationFromTimeval(used.ru_utime) +
                               absl::DurationFromTimeval(used.ru_stime));
}

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }
double SecondsSince(base::MonotonicTime start) { return absl::ToDoubleSeconds(Now() - start); }

// "VmRSS", "VmHWM", in kB.
int64_t Memory(absl::string_view name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    int64_t kilobytes = 0;
    if (word == absl::StrCat(name, ":") && status >> kilobytes) return kilobytes;
  }
  return 0;
}

double Heap() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

// What there is to print, in this order.
class Result {
 public:
  void Add(absl::string_view name, absl::string_view text) {
    absl::StrAppend(&json_, json_.empty() ? "{" : ",", "\"", name, "\":\"", text, "\"");
  }
  void Add(absl::string_view name, double number) {
    absl::StrAppend(&json_, ",\"", name, "\":", absl::StrFormat("%.9g", number));
  }
  void Print() const { std::cout << json_ << "}" << std::endl; }

 private:
  std::string json_;
};

// The informer: a reflector, a queue, a store, and a handler that counts.
class Informer {
 public:
  Informer(informers::TypedListerWatcher<corev1::Pod> source, bool watch_list)
      : reflector_(std::move(source), informers::IntoQueue(queue_), {.watch_list = watch_list}) {}

  void Start(base::ThreadGroup& threads) {
    threads.Go("reflector", [this](const Context& ctx) { return reflector_.Run(ctx); });
    threads.Go("informer", [this](const Context& ctx) { return Process(ctx); });
  }

  const base::Event& synced() const { return queue_.synced(); }
  absl::Status error() const { return reflector_.status().error; }
  const base::Event& ended() const { return ended_; }
  size_t size() const { return store_.size(); }
  int64_t added() const { return added_; }
  int64_t updated() const { return updated_; }
  // Once it has ended; nanoseconds, sorted.
  std::vector<int64_t> Latencies() {
    std::sort(latencies_.begin(), latencies_.end());
    return latencies_;
  }

 private:
  absl::Status Process(const Context& ctx) {
    while (true) {
      KUBE_RETURN_IF_ERROR(
          queue_.Pop(ctx, [this](std::vector<informers::Delta<corev1::Pod>> deltas, bool) {
            return informers::ApplyDeltas<corev1::Pod>(
                std::move(deltas), store_, [this](informers::Notification<corev1::Pod> change) {
                  Handle(*change.object, change.type);
                });
          }));
    }
  }

  void Handle(const corev1::Pod& pod, informers::DeltaType type) {
    if (type == informers::DeltaType::kUpdated) {
      const String* sent = pod.metadata.annotations.find("bench/sent-ns");
      int64_t sent_ns = 0;
      if (sent != nullptr && absl::SimpleAtoi(sent->view(), &sent_ns)) {
        latencies_.push_back(absl::ToUnixNanos(base::Runtime::Real().WallNow()) - sent_ns);
      }
      ++updated_;
    } else if (pod.metadata.name == "bench-end") {
      ended_.Set();
    } else {
      ++added_;
    }
  }

  listers::Indexer<corev1::Pod> store_;
  informers::DeltaQueue<corev1::Pod> queue_;
  informers::Reflector<corev1::Pod> reflector_;
  base::Event ended_;
  std::atomic<int64_t> added_ = 0;
  std::atomic<int64_t> updated_ = 0;
  std::vector<int64_t> latencies_;
};

double Quantile(const std::vector<int64_t>& sorted, double q) {
  if (sorted.empty()) return 0;
  const double at = q * static_cast<double>(sorted.size() - 1);
  return static_cast<double>(sorted[static_cast<size_t>(at)] / 1000);
}

absl::Status Events(const Context& ctx, const rest::Client& client, const Flags& flags,
                    Informer& informer, Result& result) {
  KUBE_RETURN_IF_ERROR(
      client
          .Do(ctx, {.absolute_path = "/bench/start",
                    .params = {{"events", {flags.at("events")}}, {"rate", {flags.at("rate")}}}})
          .status());
  const base::MonotonicTime start = Now();
  const double cpu = Cpu();
  KUBE_RETURN_IF_ERROR(informer.ended().Wait(ctx), "events");
  const double seconds = SecondsSince(start);
  result.Add("events", Number(flags.at("events")));
  result.Add("events_seen", static_cast<double>(informer.updated()));
  result.Add("events_per_s", static_cast<double>(informer.updated()) / seconds);
  result.Add("cpu_events_s", Cpu() - cpu);
  const std::vector<int64_t> latencies = informer.Latencies();
  result.Add("lat_p50_us", Quantile(latencies, 0.5));
  result.Add("lat_p99_us", Quantile(latencies, 0.99));
  return absl::OkStatus();
}

absl::Status Run(const Flags& flags) {
  const Context ctx = WithTimeout(Context(), absl::Seconds(Number(flags.at("timeout"))));
  KUBE_ASSIGN_OR_RETURN(rest::Config config,
                        clientcmd::LoadConfig({.kubeconfig = flags.at("kubeconfig")}));
  config.content_type = flags.at("encoding") == "protobuf" ? "application/vnd.kubernetes.protobuf"
                                                           : "application/json";
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  const double heap = Heap();
  const base::MonotonicTime start = Now();
  KUBE_ASSIGN_OR_RETURN(const informers::TypedListerWatcher<corev1::Pod> source,
                        informers::MakeListerWatcher(
                            Pods(client, kPods), {.drop_managed_fields = flags.at("transform") ==
                                                                         "drop-managed-fields"}));
  Informer informer(source, flags.at("mode") == "watchlist");
  // After the informer: it ends first.
  base::ThreadGroup threads(ctx);
  informer.Start(threads);
  KUBE_RETURN_IF_ERROR(informer.synced().Wait(ctx), "sync (", informer.error().message(), ")");
  Result result;
  result.Add("client", "client-cpp");
  result.Add("version", "head");
  result.Add("mode", flags.at("mode"));
  result.Add("encoding", flags.at("encoding"));
  const double objects = static_cast<double>(informer.size());
  result.Add("n", objects);
  result.Add("sync_s", SecondsSince(start));
  result.Add("handled_s", SecondsSince(start));
  result.Add("cpu_sync_s", Cpu());
  if (informer.added() != static_cast<int64_t>(objects)) {
    return absl::InternalError(absl::StrCat("store has ", objects, ", handler ", informer.added()));
  }
  result.Add("rss_kb", static_cast<double>(Memory("VmRSS")));
  result.Add("peak_rss_kb", static_cast<double>(Memory("VmHWM")));
  result.Add("heap_per_obj_b", (Heap() - heap) / objects);
  malloc_trim(0);
  result.Add("rss_trim_kb", static_cast<double>(Memory("VmRSS")));
  result.Add("peak_rss_trim_kb", static_cast<double>(Memory("VmHWM")));
  if (Number(flags.at("events")) > 0) {
    KUBE_RETURN_IF_ERROR(Events(ctx, client, flags, informer, result));
  } else {
    for (const char* name :
         {"events", "events_seen", "events_per_s", "cpu_events_s", "lat_p50_us", "lat_p99_us"}) {
      result.Add(name, 0);
    }
  }
  result.Add("peak_rss_end_kb", static_cast<double>(Memory("VmHWM")));
  result.Print();
  return absl::OkStatus();
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  const absl::StatusOr<kube::benchmarks::Flags> flags = kube::benchmarks::ParseFlags(argc, argv);
  const absl::Status status = flags.ok() ? kube::benchmarks::Run(*flags) : flags.status();
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "pods_informer: " << status.message() << std::endl;
  return EXIT_FAILURE;
}
