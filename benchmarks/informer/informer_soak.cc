// An hour's worth of events at full speed: an API server in this process sends updates of pods
// through its sockets to an informer with handlers of all kinds. Now and then the server ends all
// watches, or reports an expired version, so that the informer has to start again. Nothing may
// accumulate: the program prints memory, descriptors and threads while it runs, and the slope of
// the memory at the end.
//
//   informer_soak [--updates 7200000] [--objects 1000]
//
// Fails if there are more descriptors or threads at the end than after the first fifth, or if
// memory has grown since then by more than a tenth and is still growing in the last part.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apiserver/api_server.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "benchmarks/informer/process.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/wait_for_cache_sync.h"

ABSL_FLAG(int64_t, updates, 7'200'000, "an hour's worth");
ABSL_FLAG(int64_t, objects, 1000, "pods that are updated");

namespace kube::benchmarks {
namespace {

namespace corev1 = kube::api::core::v1;

constexpr int64_t kBatch = 1000;         // updates until the informer must have all of them
constexpr int64_t kCloseEvery = 20'000;  // updates between closed watches
// An informer backs off before it lists again, for up to a minute if that happens often.
constexpr int64_t kExpireEvery = 720'000;
constexpr int kSamples = 50;

// Resources that must not grow.
struct Sample {
  double updates = 0;
  double rss_kb = 0;
  int64_t threads = 0;
  int64_t descriptors = 0;
};

Sample Measure(int64_t updates) {
  return {
      .updates = static_cast<double>(updates),
      .rss_kb = static_cast<double>(ProcessStatus("VmRSS")),
      .threads = ProcessStatus("Threads"),
      .descriptors = std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}) - 1};
}

// Returns the slope of the regression line through the samples.
double KbPerMillionUpdates(const std::vector<Sample>& samples) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(samples.size());
  for (const Sample& sample : samples) {
    const double millions = sample.updates / 1e6;
    x += millions;
    y += sample.rss_kb;
    xx += millions * millions;
    xy += millions * sample.rss_kb;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

corev1::Pod MakePod(int64_t i) {
  return {.metadata = {.name = absl::StrCat("pod-", i),
                       .labels = {{"app", "web"}, {"pod-template-hash", "5d4f8c7b9"}}},
          .spec = {.containers = {{.name = "web", .image = "registry.example.com/web:1.2.3"}},
                   .node_name = absl::StrCat("node-", i % 50)}};
}

// Returns a handler that counts its calls.
informers::EventHandler<corev1::Pod> Counting(std::atomic<int64_t>& told) {
  return {.on_add = [&told](const informers::AddEvent<corev1::Pod>&) { ++told; },
          .on_update = [&told](const informers::UpdateEvent<corev1::Pod>&) { ++told; }};
}

class Soak {
 public:
  Soak(apiserver::ApiServer& server, corev1::PodClient direct,
       informers::TypedListerWatcher<corev1::Pod> source)
      : server_(server),
        direct_(std::move(direct)),
        informer_(std::move(source), {.resync_period = absl::Seconds(20)}) {}

  absl::Status Run(int64_t updates, int64_t objects);

 private:
  absl::Status AddHandlers();
  absl::Status Create(int64_t objects);
  // Makes kBatch updates and waits until the informer has them.
  absl::Status UpdateBatch(int64_t first);
  void MakeTrouble(int64_t done);
  absl::Status Report(const std::vector<Sample>& samples, double seconds) const;

  apiserver::ApiServer& server_;
  const corev1::PodClient direct_;
  // The pods as the server has them.
  std::vector<corev1::Pod> pods_;
  std::atomic<int64_t> told_ = 0;
  std::atomic<int64_t> told_merged_ = 0;
  std::atomic<int64_t> told_waiting_ = 0;
  informers::SharedInformer<corev1::Pod> informer_;
};

absl::Status Soak::AddHandlers() {
  const informers::HandlerOptions no_resync = {.resync_period = absl::ZeroDuration()};
  KUBE_RETURN_IF_ERROR(informer_.AddEventHandler(Counting(told_), no_resync).status());
  KUBE_RETURN_IF_ERROR(
      informer_.AddEventHandler(Counting(told_merged_), {.max_pending = 100}).status());
  return informer_
      .AddEventHandler(Counting(told_waiting_),
                       {.max_pending = 100, .overflow = informers::OverflowPolicy::kWait})
      .status();
}

absl::Status Soak::Create(int64_t objects) {
  for (int64_t i = 0; i < objects; ++i) {
    KUBE_ASSIGN_OR_RETURN(corev1::Pod created, direct_.Create(Context(), MakePod(i)));
    pods_.push_back(std::move(created));
  }
  return absl::OkStatus();
}

absl::Status Soak::UpdateBatch(int64_t first) {
  std::string version;
  for (int64_t i = first; i < first + kBatch; ++i) {
    corev1::Pod& pod = pods_[static_cast<size_t>(i) % pods_.size()];
    pod.metadata.annotations["example.com/version"] = absl::StrCat(i);
    KUBE_ASSIGN_OR_RETURN(pod, direct_.Update(Context(), pod));
    version = std::string(pod.metadata.resource_version);
  }
  return informer_.WaitForResourceVersion(WithTimeout(Context(), absl::Minutes(2)), version);
}

void Soak::MakeTrouble(int64_t done) {
  apiserver::Faults faults = server_.handler().faults();
  if (done % kCloseEvery == 0) faults.CloseWatches();
  if (done % kExpireEvery != 0) return;
  faults.Clear();
  faults.Add({.verbs = {"watch"}, .times = 1, .fault = apiserver::fault::ExpireWatch{}});
}

absl::Status Soak::Run(int64_t updates, int64_t objects) {
  KUBE_RETURN_IF_ERROR(AddHandlers());
  KUBE_RETURN_IF_ERROR(Create(objects));
  base::ThreadGroup threads{Context()};
  threads.Go("informer", [this](const Context& ctx) { return informer_.Run(ctx); });
  KUBE_RETURN_IF_ERROR(
      informers::WaitForCacheSync(WithTimeout(Context(), absl::Minutes(1)), {&informer_}));
  const base::MonotonicTime start = base::Runtime::Real().Now();
  const auto seconds = [start] {
    return absl::ToDoubleSeconds(base::Runtime::Real().Now() - start);
  };
  std::vector<Sample> samples;
  const int64_t sample_every = std::max(kBatch, updates / kSamples / kBatch * kBatch);
  for (int64_t done = 0; done < updates;) {
    KUBE_RETURN_IF_ERROR(UpdateBatch(done));
    done += kBatch;
    MakeTrouble(done);
    if (done % sample_every != 0) continue;
    samples.push_back(Measure(done));
    const Sample& s = samples.back();
    std::cout << absl::StreamFormat(
                     "%9d updates in %6.1f s: RSS %.0f kB, %d descriptors, %d threads", done,
                     seconds(), s.rss_kb, s.descriptors, s.threads)
              << std::endl;
  }
  const absl::Status result = Report(samples, seconds());
  threads.Cancel();
  threads.Wait().IgnoreError();
  return result;
}

absl::Status Soak::Report(const std::vector<Sample>& samples, double seconds) const {
  const std::vector<Sample> steady(
      samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 5), samples.end());
  const std::vector<Sample> last(steady.begin() + static_cast<std::ptrdiff_t>(steady.size() / 2),
                                 steady.end());
  if (last.size() < 2) return absl::InvalidArgumentError("too few updates");
  const informers::ReflectorCounters counters = informer_.status().reflector.counters;
  const double slope = KbPerMillionUpdates(steady);
  const double last_slope = KbPerMillionUpdates(last);
  const auto [least, most] = std::minmax_element(
      steady.begin(), steady.end(),
      [](const Sample& a, const Sample& b) { return a.descriptors < b.descriptors; });
  const Sample& from = steady.front();
  const Sample& to = steady.back();
  std::cout << absl::StreamFormat("%.0f updates at %.0f/s; handlers were told %d, %d, %d times",
                                  to.updates, to.updates / seconds, told_.load(),
                                  told_merged_.load(), told_waiting_.load())
            << "\n"
            << absl::StreamFormat("watches begun %d, lists %d, expired %d", counters.watches,
                                  counters.lists + counters.watch_lists, counters.expired)
            << "\n"
            << absl::StreamFormat(
                   "RSS %.0f kB to %.0f kB; slope %.1f kB per million updates, %.1f "
                   "in the last part",
                   from.rss_kb, to.rss_kb, slope, last_slope)
            << "\n"
            << absl::StreamFormat("descriptors %d to %d (%d to %d between), threads %d to %d",
                                  from.descriptors, to.descriptors, least->descriptors,
                                  most->descriptors, from.threads, to.threads)
            << std::endl;
  if (to.threads > from.threads) return absl::InternalError("threads have piled up");
  if (to.descriptors > from.descriptors + 2) {
    return absl::InternalError("descriptors have piled up");
  }
  if (to.rss_kb > 1.1 * from.rss_kb && last_slope > 0) {
    return absl::InternalError("memory rises");
  }
  return absl::OkStatus();
}

absl::Status Run(int64_t updates, int64_t objects) {
  if (updates <= 0 || objects <= 0) return absl::InvalidArgumentError("nothing to do");
  apiserver::ApiServerOptions options = {.tls = false};
  options.handler.max_logged_requests = 10;
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<apiserver::ApiServer> server,
                        apiserver::ApiServer::Start(options));
  KUBE_ASSIGN_OR_RETURN(const auto client, kubernetes::Clientset::Make(envtest::ConfigOf(*server)));
  // Writers bypass the network.
  KUBE_ASSIGN_OR_RETURN(const auto direct,
                        kubernetes::Clientset::Make(envtest::InProcessConfig(server->handler())));
  KUBE_ASSIGN_OR_RETURN(const informers::TypedListerWatcher<corev1::Pod> source,
                        informers::MakeListerWatcher(client.CoreV1().Pods("").typed_client()));
  Soak soak(*server, direct.CoreV1().Pods("default"), source);
  return soak.Run(updates, objects);
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status =
      kube::benchmarks::Run(absl::GetFlag(FLAGS_updates), absl::GetFlag(FLAGS_objects));
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "informer_soak: " << status.message() << std::endl;
  return EXIT_FAILURE;
}
