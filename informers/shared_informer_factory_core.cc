#include "informers/shared_informer_factory_core.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/table/message.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_core.h"
#include "informers/any_shared_informer.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer_options.h"
#include "informers/wait_for_cache_sync.h"

namespace kube::informers {

namespace metav1 = api::meta::v1;
using kube::table::Message;

namespace {

using TweakListOptions = std::function<void(metav1::ListOptions&)>;

// Changes the options of each request.
class TweakedListerWatcher final : public ListerWatcher {
 public:
  TweakedListerWatcher(std::shared_ptr<ListerWatcher> source, TweakListOptions tweak)
      : source_(std::move(source)), tweak_(std::move(tweak)) {}

  absl::StatusOr<ListHeader> List(const Context& ctx, const metav1::ListOptions& options,
                                  OnObject on_object) override {
    return source_->List(ctx, Tweaked(options), on_object);
  }
  absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> Watch(
      const Context& ctx, const metav1::ListOptions& options) override {
    return source_->Watch(ctx, Tweaked(options));
  }
  std::string description() const override { return source_->description(); }
  void SetMetrics(const SourceMetrics& metrics) override { source_->SetMetrics(metrics); }

 private:
  metav1::ListOptions Tweaked(metav1::ListOptions options) const {
    tweak_(options);
    return options;
  }

  const std::shared_ptr<ListerWatcher> source_;
  const TweakListOptions tweak_;
};

// Reports invalid options: an informer can report errors only through its lists and watches.
class FailedListerWatcher final : public ListerWatcher {
 public:
  FailedListerWatcher(absl::Status error, std::string description)
      : error_(std::move(error)), description_(std::move(description)) {}

  absl::StatusOr<ListHeader> List(const Context&, const metav1::ListOptions&, OnObject) override {
    return error_;
  }
  absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> Watch(const Context&,
                                                              const metav1::ListOptions&) override {
    return error_;
  }
  std::string description() const override { return description_; }

 private:
  const absl::Status error_;
  const std::string description_;
};

}  // namespace

SharedInformerFactoryCore::SharedInformerFactoryCore(rest::Client client,
                                                     SharedInformerFactoryOptions options)
    : client_(std::move(client)), options_(std::move(options)) {}

SharedInformerFactoryCore::~SharedInformerFactoryCore() {
  const std::string caller = Caller();
  KUBE_CHECK(caller.empty()) << "informer factory destroyed by " << caller
                             << ", which it must wait for; call Shutdown there and destroy the "
                                "factory on another thread";
  Shutdown();
}

std::string SharedInformerFactoryCore::Caller() const {
  base::MutexLock lock(mutex_);
  for (const std::unique_ptr<Entry>& entry : entries_) {
    std::string caller = entry->informer->core().Caller();
    if (!caller.empty()) return caller;
  }
  return "";
}

std::shared_ptr<ListerWatcher> SharedInformerFactoryCore::SourceOf(typed::TypedCore client,
                                                                   const Message& object,
                                                                   const Message& list,
                                                                   bool namespaced) const {
  if (namespaced) client = client.InNamespace(options_.namespace_name);
  absl::StatusOr<std::shared_ptr<ListerWatcher>> source =
      internal::MakeListerWatcher(client, object, list, options_.lister_watcher);
  if (!source.ok()) {
    return std::make_shared<FailedListerWatcher>(source.status(), client.resource().resource);
  }
  if (options_.tweak_list_options == nullptr) return *std::move(source);
  return std::make_shared<TweakedListerWatcher>(*std::move(source), options_.tweak_list_options);
}

SharedInformerOptions SharedInformerFactoryCore::OptionsFor(
    const Message& type, const schema::GroupVersionResource& resource) const {
  SharedInformerOptions options = {.resync_period = options_.default_resync,
                                   .resource = resource,
                                   .metrics = options_.metrics,
                                   .metrics_name = options_.metrics_name,
                                   .reflector = options_.reflector};
  options.reflector.label_selector = options_.label_selector;
  options.reflector.field_selector = options_.field_selector;
  for (const InformerSetting& setting : options_.custom_resync) {
    if (setting.type == &type) options.resync_period = setting.resync_period;
  }
  for (const InformerSetting& setting : options_.transforms) {
    if (setting.type == &type) options.transform = setting.transform;
  }
  return options;
}

AnySharedInformer& SharedInformerFactoryCore::FindOrMake(
    const Message& type, const schema::GroupVersionResource& resource, MakeInformer make) {
  base::MutexLock lock(mutex_);
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->type == &type && entry->resource == resource) return *entry->informer;
  }
  auto entry = std::make_unique<Entry>();
  entry->type = &type;
  entry->resource = resource;
  entry->informer = make(OptionsFor(type, resource));
  return *entries_.emplace_back(std::move(entry))->informer;
}

absl::Status SharedInformerFactoryCore::Start(const Context& ctx) {
  absl::Status status;
  base::MutexLock lock(mutex_);
  if (shutting_down_) {
    return absl::FailedPreconditionError("start informers: the factory was shut down");
  }
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->thread != nullptr) continue;
    auto thread = std::make_unique<base::Thread>();
    const absl::Status started = thread->Start(
        ctx, "informer", [informer = entry->informer.get()](const Context& thread_ctx) {
          informer->Run(thread_ctx).IgnoreError();
        });
    status.Update(started);
    if (started.ok()) entry->thread = std::move(thread);
  }
  return status;
}

absl::Status SharedInformerFactoryCore::WaitForCacheSync(
    const Context& ctx, const WaitForCacheSyncOptions& options) const {
  std::vector<const Syncable*> started;
  {
    base::MutexLock lock(mutex_);
    for (const std::unique_ptr<Entry>& entry : entries_) {
      if (entry->thread != nullptr) started.push_back(entry->informer.get());
    }
  }
  return informers::WaitForCacheSync(ctx, started, options);
}

absl::Status SharedInformerFactoryCore::CheckSynced() const {
  std::vector<std::string> reasons;
  for (const AnySharedInformer* informer : Informers()) {
    const absl::Status why = informer->WhyNotSynced();
    if (!why.ok()) reasons.emplace_back(why.message());
  }
  if (reasons.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("check cache sync: ", absl::StrJoin(reasons, "; ")));
}

void SharedInformerFactoryCore::Shutdown() {
  const bool waits = Caller().empty();
  std::vector<base::Thread*> threads;
  bool joins = false;
  {
    base::MutexLock lock(mutex_);
    shutting_down_ = true;
    joins = waits && !std::exchange(joining_, true);
    for (const std::unique_ptr<Entry>& entry : entries_) {
      if (entry->thread != nullptr) threads.push_back(entry->thread.get());
    }
  }
  for (base::Thread* thread : threads) thread->RequestStop();
  if (!waits) return;
  if (joins) {
    for (base::Thread* thread : threads) thread->Join();
    ended_.Set();
  }
  ended_.Wait(Context()).IgnoreError();
}

std::vector<const AnySharedInformer*> SharedInformerFactoryCore::Informers() const {
  base::MutexLock lock(mutex_);
  std::vector<const AnySharedInformer*> informers;
  for (const std::unique_ptr<Entry>& entry : entries_) informers.push_back(entry->informer.get());
  return informers;
}

}  // namespace kube::informers
