// A program with one informer of pods, as in a controller: a factory, and a handler that counts.
// pods_run.h describes the command line.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "benchmarks/informer/pods_run.h"
#include "clientset/kubernetes/clientset.h"
#include "informers/any_shared_informer.h"
#include "informers/event_handler.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "informers/shared_informer.h"
#include "informers/wait_for_cache_sync.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = kube::api::core::v1;

class Informer final : public PodsClient {
 public:
  Informer(const kubernetes::Clientset& clientset, const PodsOptions& options)
      : factory_(clientset, {.lister_watcher = {.drop_managed_fields = options.drop_managed_fields},
                             .reflector = {.watch_list = options.watch_list}}) {
    updates_.latencies_ns.reserve(static_cast<size_t>(options.events));
  }

  absl::Status Start(const Context& ctx) {
    KUBE_ASSIGN_OR_RETURN(
        const informers::HandlerRegistration handler,
        pods().AddEventHandler(
            {.on_add = [this](const informers::AddEvent<corev1::Pod>& event) { OnAdd(event); },
             .on_update =
                 [this](const informers::UpdateEvent<corev1::Pod>& event) {
                   OnUpdate(*event.object);
                 }}));
    handler_ = std::make_unique<informers::HandlerRegistration>(handler);
    return factory_.Start(ctx);
  }

  absl::StatusOr<int64_t> Sync(const Context& ctx) override {
    KUBE_RETURN_IF_ERROR(factory_.WaitForCacheSync(ctx, {.fail_fast = true}));
    return static_cast<int64_t>(pods().store()->size());
  }

  absl::Status AwaitHandled(const Context& ctx) override {
    KUBE_RETURN_IF_ERROR(informers::WaitForCacheSync(ctx, {handler_.get()}));
    const auto stored = static_cast<int64_t>(pods().store()->size());
    if (added_ == stored) return absl::OkStatus();
    return absl::InternalError(
        absl::StrFormat("the store has %d pods, the handler was told of %d", stored, added_));
  }

  absl::StatusOr<PodsUpdates> AwaitEnd(const Context& ctx) override {
    KUBE_RETURN_IF_ERROR(ended_.Wait(ctx));
    return updates_;  // no handler runs any longer
  }

 private:
  informers::SharedInformer<corev1::Pod>& pods() { return factory_.Core().V1().Pods().Informer(); }

  void OnAdd(const informers::AddEvent<corev1::Pod>& event) {
    if (event.object->metadata.name == "bench-end") return ended_.Set();
    ++added_;
  }

  void OnUpdate(const corev1::Pod& pod) {
    const String* sent = pod.metadata.annotations.find("bench/sent-ns");
    int64_t sent_ns = 0;
    if (sent != nullptr && absl::SimpleAtoi(sent->view(), &sent_ns)) {
      const absl::Time now = base::Runtime::Real().WallNow();
      updates_.latencies_ns.push_back(absl::ToUnixNanos(now) - sent_ns);
    }
    ++updates_.seen;
  }

  // Used only by the handler's thread until `ended_` is set.
  PodsUpdates updates_;
  std::atomic<int64_t> added_ = 0;
  base::Event ended_;
  std::unique_ptr<informers::HandlerRegistration> handler_;
  // Declared last: its destructor stops the handler, which uses the fields above.
  kubernetes::SharedInformerFactory factory_;
};

absl::StatusOr<std::unique_ptr<PodsClient>> MakeInformer(const Context& ctx,
                                                         const kubernetes::Clientset& clientset,
                                                         const PodsOptions& options) {
  auto informer = std::make_unique<Informer>(clientset, options);
  KUBE_RETURN_IF_ERROR(informer->Start(ctx));
  return informer;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  return kube::benchmarks::RunPods(argc, argv, "client-cpp", kube::benchmarks::MakeInformer);
}
