#include "tests/controllers/operator.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/index.h"
#include "controller/cache/watched.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/key_controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writer.h"
#include "controller/triggers/enqueue_by_index.h"
#include "controller/triggers/trigger.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/rate_limiter.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {

namespace corev1 = api::core::v1;
using base::MutexLock;
using controller::AnyRequest;
using controller::Request;
using corev1::ConfigMap;
using corev1::Secret;

namespace {

constexpr char kFinalizer[] = "operators.example.com/record";
constexpr int kWorkers = 2;

controller::WatchOptions WithRole(absl::string_view role) {
  return {.label_selector = absl::StrCat(kRole, "=", role)};
}

// The default queue, with a back-off that ends sooner: after the trouble everything has to settle.
workqueue::QueueOptions QuickQueue() {
  workqueue::QueueOptions queue = controller::ControllerQueueOptions();
  queue.rate_limiter =
      workqueue::ExponentialFailureRateLimiter(absl::Milliseconds(5), absl::Seconds(30));
  return queue;
}

std::string DataOf(const ConfigMap& map, absl::string_view key) {
  const String* value = map.data.find(key);
  return value == nullptr ? "" : std::string(value->view());
}

std::string WhyOf(const AnyRequest& request) {
  std::string why =
      absl::StrJoin(request.causes(), ", ", [](std::string* out, const controller::Cause& cause) {
        absl::StrAppend(out, cause.ToString());
      });
  if (request.failures() > 0) absl::StrAppend(&why, " after ", request.failures(), " failures");
  return why;
}

Recorder::Reconcile BeginOf(const Surroundings& surroundings, absl::string_view name,
                            const AnyRequest& request, bool leads = true, bool prepares = false) {
  return surroundings.recorder->Begin({.program = surroundings.program,
                                       .controller = std::string(name),
                                       .key = request.name().ToString(),
                                       .leads = leads,
                                       .prepares = prepares},
                                      WhyOf(request));
}

absl::StatusOr<std::vector<std::string>> SourceOf(const ConfigMap& mirror) {
  return std::vector<std::string>{DataOf(mirror, kSourceName)};
}

}  // namespace

void OtherSystem::Set(absl::string_view uid, absl::string_view address) {
  MutexLock lock(mutex_);
  addresses_[std::string(uid)] = std::string(address);
}

void OtherSystem::Remove(absl::string_view uid) {
  MutexLock lock(mutex_);
  addresses_.erase(std::string(uid));
}

std::map<std::string, std::string> OtherSystem::addresses() const {
  MutexLock lock(mutex_);
  return addresses_;
}

// ---- sets

class Operator::Sets {
 public:
  Sets(controller::Manager& manager, const Surroundings& surroundings)
      : surroundings_(surroundings),
        client_(manager.client()),
        controller_(
            manager,
            {.name = "sets", .workers = kWorkers, .watch = WithRole(kSet), .queue = QuickQueue()}),
        children_(controller_.Owns<Secret>({.watch = WithRole(kChild)})) {
    controller_.Reconciles([this](Request<ConfigMap>& request) { return Reconcile(request); });
  }

 private:
  absl::Status Reconcile(Request<ConfigMap>& request) const {
    const auto running = BeginOf(surroundings_, "sets", request);
    int64_t count = 0;
    if (!absl::SimpleAtoi(DataOf(*request.object(), kCount), &count)) count = 0;
    std::set<int64_t> found;
    for (const std::shared_ptr<const Secret>& child : children_.Children(request)) {
      if (meta::IsBeingDeleted(*child)) continue;
      int64_t slot = -1;
      const String* label = child->metadata.labels.find(kSlot);
      if (label == nullptr || !absl::SimpleAtoi(label->view(), &slot)) slot = -1;
      if (slot < 0 || slot >= count || !found.insert(slot).second) {
        KUBE_RETURN_IF_ERROR(children_.Delete(request, *child));
      }
    }
    for (int64_t slot = 0; slot < count; ++slot) {
      if (found.count(slot) != 0) continue;
      KUBE_ASSIGN_OR_RETURN(const bool exists, Exists(request));
      if (!exists) break;
      KUBE_RETURN_IF_ERROR(Create(request, slot));
    }
    return absl::OkStatus();
  }

  // Asks the server. Where a watch stalls, the cache has a set that is gone; the children that it
  // gets then are deleted at once by the garbage collector, and would be created for ever.
  absl::StatusOr<bool> Exists(const Request<ConfigMap>& request) const {
    const absl::StatusOr<ConfigMap> set = client_.CoreV1()
                                              .ConfigMaps(request.name().namespace_name)
                                              .Get(request.context(), request.name().name);
    KUBE_RETURN_IF_ERROR(errors::IgnoreNotFound(set.status()));
    return set.ok() && set->metadata.uid == request.object()->metadata.uid;
  }

  absl::Status Create(Request<ConfigMap>& request, int64_t slot) const {
    const std::string child =
        absl::StrCat(request.name().ToString(), " of UID ", request.uid(), ", slot ", slot);
    if (surroundings_.creates_once) CheckNew(request, child);
    Secret made;
    made.metadata.generate_name = absl::StrCat(request.name().name, "-");
    made.metadata.labels[kRole] = kChild;
    made.metadata.labels[kSlot] = absl::StrCat(slot);
    KUBE_ASSIGN_OR_RETURN(const Secret created, children_.Create(request, std::move(made)));
    surroundings_.recorder->NoteCreated(child, std::string(created.metadata.name.view()));
    return absl::OkStatus();
  }

  // Finds the second creation of a child that is there.
  void CheckNew(const Request<ConfigMap>& request, const std::string& child) const {
    const std::string last = surroundings_.recorder->LastCreated(child);
    if (last.empty()) return;
    const auto secrets = surroundings_.admin->CoreV1().Secrets(request.name().namespace_name);
    if (!secrets.Get(Context(), last).ok()) return;
    surroundings_.recorder->Violate(absl::StrCat(surroundings_.program, " creates ", child,
                                                 " again, although ", last,
                                                 " exists: its cache is behind its own writes"));
  }

  const Surroundings surroundings_;
  const kubernetes::Clientset client_;
  controller::Controller<ConfigMap> controller_;
  const controller::Owned<Secret> children_;
};

// ---- mirrors

class Operator::Mirrors {
 public:
  Mirrors(controller::Manager& manager, const Surroundings& surroundings)
      : surroundings_(surroundings),
        controller_(manager, {.name = "mirrors",
                              .workers = kWorkers,
                              .watch = WithRole(kMirror),
                              .queue = QuickQueue()}),
        by_source_(controller_.primary().AddIndex("source", &SourceOf)),
        sources_(controller_.Watches<Secret>(controller::EnqueueByIndex<Secret>(by_source_),
                                             WithRole(kSource))),
        maps_(controller_.Writes<ConfigMap>()) {
    controller_.Reconciles([this](Request<ConfigMap>& request) { return Reconcile(request); });
  }

 private:
  absl::Status Reconcile(Request<ConfigMap>& request) const {
    const auto running = BeginOf(surroundings_, "mirrors", request);
    const absl::StatusOr<std::shared_ptr<const Secret>> source =
        sources_.Get(request, DataOf(*request.object(), kSourceName));
    KUBE_RETURN_IF_ERROR(errors::IgnoreNotFound(source.status()));
    std::string value = kNoSource;
    if (source.ok()) {
      const String* stored = (*source)->metadata.annotations.find(kValue);
      value = stored == nullptr ? "" : std::string(stored->view());
    }
    if (DataOf(*request.object(), kCopy) == value) return absl::OkStatus();
    const auto change = [&value](ConfigMap& map) {
      map.data[kCopy] = value;
      return absl::OkStatus();
    };
    KUBE_ASSIGN_OR_RETURN(const ConfigMap edited, maps_.Edit(request, request.name().name, change));
    request.NoteWrite(controller_.primary().core(), request.name().namespace_name,
                      edited.metadata.resource_version.view());
    return absl::OkStatus();
  }

  const Surroundings surroundings_;
  controller::Controller<ConfigMap> controller_;
  const controller::Index<ConfigMap> by_source_;
  const controller::Watched<Secret> sources_;
  const controller::Writer<ConfigMap> maps_;
};

// ---- records

class Operator::Records {
 public:
  Records(controller::Manager& manager, const Surroundings& surroundings)
      : surroundings_(surroundings),
        client_(manager.client()),
        controller_(manager, {.name = "records",
                              .workers = kWorkers,
                              .watch = WithRole(kRecord),
                              .queue = QuickQueue()}) {
    controller_.Finalizes(kFinalizer,
                          [this](Request<ConfigMap>& request) { return Finalize(request); });
    controller_.Reconciles([this](Request<ConfigMap>& request) { return Reconcile(request); });
  }

 private:
  absl::Status Reconcile(Request<ConfigMap>& request) const {
    const auto running =
        BeginOf(surroundings_, "records", request, /*leads=*/true, /*prepares=*/true);
    // A cache that is behind may still have what has been finalized, and nobody would remove its
    // address a second time. The server knows; and as long as the finalizer is there, only this
    // reconcile of the key can remove it.
    const corev1::ConfigMapClient maps(client_, request.name().namespace_name);
    const absl::StatusOr<ConfigMap> now = maps.Get(request.context(), request.name().name);
    KUBE_RETURN_IF_ERROR(errors::IgnoreNotFound(now.status()));
    if (!now.ok() || now->metadata.uid.view() != request.uid() || meta::IsBeingDeleted(*now) ||
        !meta::ContainsFinalizer(*now, kFinalizer)) {
      return absl::OkStatus();
    }
    surroundings_.other_system->Set(request.uid(), DataOf(*now, kAddress));
    return absl::OkStatus();
  }

  absl::Status Finalize(const Request<ConfigMap>& request) const {
    const auto running = BeginOf(surroundings_, "records", request);
    surroundings_.other_system->Remove(request.uid());
    return absl::OkStatus();
  }

  const Surroundings surroundings_;
  const rest::Client client_;
  controller::Controller<ConfigMap> controller_;
};

// ---- census

class Operator::Census {
 public:
  Census(controller::Manager& manager, const Surroundings& surroundings)
      : surroundings_(surroundings),
        controller_(
            manager,
            {.name = "census", .workers = kWorkers, .queue = QuickQueue(), .always_runs = true}),
        maps_(controller_.Watches<ConfigMap>(
            controller::EnqueueMapped<ConfigMap, std::string>([](const ConfigMap& map) {
              return std::vector<std::string>{std::string(map.metadata.namespace_.view())};
            }))) {
    controller_.Reconciles(
        [this](controller::KeyRequest<std::string>& request) { return Reconcile(request); });
  }

 private:
  absl::Status Reconcile(const controller::KeyRequest<std::string>& request) const {
    const auto running = BeginOf(surroundings_, "census", request, /*leads=*/false);
    Versions seen;
    for (const ConfigMap& map : maps_.List(request, {.namespace_name = request.key()})) {
      seen[std::string(map.metadata.name.view())] =
          std::string(map.metadata.resource_version.view());
    }
    surroundings_.recorder->NoteSeen(surroundings_.program, request.key(), std::move(seen));
    return absl::OkStatus();
  }

  const Surroundings surroundings_;
  controller::KeyController<std::string> controller_;
  const controller::Watched<ConfigMap> maps_;
};

Operator::Operator(controller::Manager& manager, const Surroundings& surroundings)
    : sets_(std::make_unique<Sets>(manager, surroundings)),
      mirrors_(std::make_unique<Mirrors>(manager, surroundings)),
      records_(std::make_unique<Records>(manager, surroundings)),
      census_(std::make_unique<Census>(manager, surroundings)) {}

Operator::~Operator() = default;

}  // namespace kube::controllers
