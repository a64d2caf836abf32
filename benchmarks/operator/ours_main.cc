// ours --kubeconfig F --objects N --workers W --idle D: an operator on controller/manager that
// watches 60 kinds, for tools/bench operator. One controller puts an annotation on each of the N
// ConfigMaps object-… in the namespace default, which exist when it starts.
//
// Measures the start, which ends with the first reconcile: a controller begins when all its watches
// have synced; then the work, which ends when the cache has all annotations; and then idleness for
// the duration D. go/main.go is its twin.
#include <malloc.h>

#include <cstddef>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apiregistration/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/patch/patch_type.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/informer/process.h"
#include "benchmarks/operator/watched_kinds.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/admissionregistration/v1/client.h"
#include "clientset/kubernetes/apiextensions/v1/client.h"
#include "clientset/kubernetes/apiregistration/v1/client.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/autoscaling/v1/client.h"
#include "clientset/kubernetes/autoscaling/v2/client.h"
#include "clientset/kubernetes/batch/v1/client.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/discovery/v1/client.h"
#include "clientset/kubernetes/events/v1/client.h"
#include "clientset/kubernetes/flowcontrol/v1/client.h"
#include "clientset/kubernetes/networking/v1/client.h"
#include "clientset/kubernetes/node/v1/client.h"
#include "clientset/kubernetes/policy/v1/client.h"
#include "clientset/kubernetes/rbac/v1/client.h"
#include "clientset/kubernetes/resource/v1/client.h"
#include "clientset/kubernetes/scheduling/v1/client.h"
#include "clientset/kubernetes/storage/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/watched.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/request.h"
#include "controller/triggers/trigger.h"

ABSL_FLAG(int, objects, 2000, "number of ConfigMaps");
ABSL_FLAG(int, workers, 16, "number of ConfigMaps that are reconciled at the same time");
ABSL_FLAG(absl::Duration, idle, absl::Seconds(10), "how long idleness is measured");

namespace kube::benchmarks {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr char kAnnotation[] = "bench/done";
constexpr char kPatch[] = R"({"metadata":{"annotations":{"bench/done":"true"}}})";

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// Returns a trigger that reads the object and enqueues nothing.
template <typename K>
controller::Trigger<K> EnqueueNothing() {
  return {.keys_of = [](const K&) { return std::vector<meta::ObjectName>(); }};
}

class Operator {
 public:
  Operator(controller::Manager& manager, int workers, size_t objects)
      : client_(kubernetes::Clientset(manager.client()).CoreV1().ConfigMaps("default")),
        objects_(objects),
        maps_(manager, {.name = "bench", .workers = workers}) {
    maps_.Reconciles(
        [this](controller::Request<corev1::ConfigMap>& request) { return Reconcile(request); });
    Watch(WatchedKinds());
    Keep(maps_.WatchesMetadata<api::apiextensions::v1::CustomResourceDefinition>(
        EnqueueNothing<metav1::PartialObjectMetadata>()));
    Keep(maps_.WatchesMetadata<api::apiregistration::v1::APIService>(
        EnqueueNothing<metav1::PartialObjectMetadata>()));
  }

  absl::Status AwaitSynced(const Context& ctx) const { return synced_.Wait(ctx); }
  // Blocks until the cache has all annotations.
  absl::Status AwaitDone(const Context& ctx) const { return done_.Wait(ctx); }

 private:
  template <typename... K>
  void Watch(KindList<K...>) {
    (Keep(maps_.Watches<K>(EnqueueNothing<K>())), ...);
  }

  // A watch lasts as long as its handle.
  template <typename K>
  void Keep(controller::Watched<K> watched) {
    handles_.push_back(std::make_shared<const controller::Watched<K>>(std::move(watched)));
  }

  absl::Status Reconcile(controller::Request<corev1::ConfigMap>& request) {
    synced_.Set();
    const metav1::ObjectMeta& metadata = request.object()->metadata;
    if (!absl::StartsWith(metadata.name.view(), "object-")) return absl::OkStatus();
    if (metadata.annotations.contains(kAnnotation)) {
      Finish(metadata.name.view());
      return absl::OkStatus();
    }
    KUBE_ASSIGN_OR_RETURN(
        const corev1::ConfigMap patched,
        client_.Patch(request.context(), metadata.name.view(), patch::PatchType::kMerge, kPatch));
    request.NoteWrite(maps_.primary().core(), "default", patched.metadata.resource_version.view());
    return absl::OkStatus();
  }

  void Finish(absl::string_view name) ABSL_LOCKS_EXCLUDED(mutex_) {
    bool is_last = false;
    {
      base::MutexLock lock(mutex_);
      is_last = finished_.emplace(name).second && finished_.size() == objects_;
    }
    if (is_last) done_.Set();
  }

  const corev1::ConfigMapClient client_;
  const size_t objects_;
  base::Event synced_;
  base::Event done_;
  base::Mutex mutex_;
  std::set<std::string> finished_ ABSL_GUARDED_BY(mutex_);
  controller::Controller<corev1::ConfigMap> maps_;
  std::vector<std::shared_ptr<const void>> handles_;
};

// Measures the phases of an operator that is running since `start`.
absl::Status MeasurePhases(const Context& ctx, const Operator& bench, base::MonotonicTime start,
                           Report& report) {
  const int objects = absl::GetFlag(FLAGS_objects);
  KUBE_RETURN_IF_ERROR(bench.AwaitSynced(ctx), "await synced watches");
  const base::MonotonicTime synced = Now();
  const absl::Duration cpu_of_start = ProcessCpu();
  report.Add("sync", "s", absl::ToDoubleSeconds(synced - start));
  report.Add("cpu_sync", "s", absl::ToDoubleSeconds(cpu_of_start));

  KUBE_RETURN_IF_ERROR(bench.AwaitDone(ctx), "await annotated objects");
  const double seconds = absl::ToDoubleSeconds(Now() - synced);
  const absl::Duration cpu_of_work = ProcessCpu() - cpu_of_start;
  report.Add("objects_per_s", "1/s", objects / seconds);
  report.Add("cpu_object", "us", absl::ToDoubleMicroseconds(cpu_of_work) / objects);

  // What the work has left behind has ended by then.
  KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Seconds(2)));
  const absl::Duration idle = absl::GetFlag(FLAGS_idle);
  const absl::Duration cpu_before = ProcessCpu();
  KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, idle));
  const absl::Duration cpu_of_idle = ProcessCpu() - cpu_before;
  report.Add("cpu_idle_second", "us",
             absl::ToDoubleMicroseconds(cpu_of_idle) / absl::ToDoubleSeconds(idle));
  report.Add("threads", "1", static_cast<double>(ProcessStatus("Threads")));
  report.Add("rss_kb", "kB", static_cast<double>(ProcessStatus("VmRSS")));
  malloc_trim(0);
  report.Add("rss_trim_kb", "kB", static_cast<double>(ProcessStatus("VmRSS")));
  report.Add("rss_anon_trim_kb", "kB", static_cast<double>(ProcessStatus("RssAnon")));
  report.Add("peak_rss_kb", "kB", static_cast<double>(ProcessStatus("VmHWM")));
  return absl::OkStatus();
}

absl::Status RunOperator(Report& report) {
  const base::MonotonicTime start = Now();
  if (absl::GetFlag(FLAGS_objects) < 1 || absl::GetFlag(FLAGS_idle) <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("--objects and --idle must be positive");
  }
  KUBE_ASSIGN_OR_RETURN(const rest::Config config,
                        clientcmd::LoadDefaultConfig(clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<controller::Manager> manager,
      controller::Manager::Make(config, {.name = "bench-operator", .health = std::nullopt}));
  Operator bench(*manager, absl::GetFlag(FLAGS_workers),
                 static_cast<size_t>(absl::GetFlag(FLAGS_objects)));
  base::ThreadGroup threads(WithTimeout(Context(), absl::Minutes(5)));
  threads.Go("manager", [&manager](const Context& ctx) { return manager->Run(ctx); });
  const absl::Status measured = MeasurePhases(threads.context(), bench, start, report);
  threads.Cancel();
  const absl::Status ended = threads.Wait();
  // If the manager has failed, nothing else could be measured.
  return ended.ok() ? measured : ended;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  kube::benchmarks::Report report;
  const absl::Status status = kube::benchmarks::RunOperator(report);
  if (!status.ok()) {
    std::cerr << "operator: " << status.message() << "\n";
    return 1;
  }
  std::cout << report.ToJson() << std::endl;
  return 0;
}
