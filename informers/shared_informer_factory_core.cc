#include "informers/shared_informer_factory_core.h"

#include <algorithm>
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
#include "apimachinery/base/random.h"
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

// Makes `selector` select only what `other` selects, too. Both are texts of selectors, in which a
// comma means "and".
void Narrow(std::string& selector, const std::string& other) {
  if (other.empty()) return;
  absl::StrAppend(&selector, selector.empty() ? "" : ",", other);
}

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
  for (const Entries* entries : {&entries_, &retired_}) {
    for (const std::shared_ptr<Entry>& entry : *entries) {
      std::string caller = entry->informer->core().Caller();
      if (!caller.empty()) return caller;
    }
  }
  return "";
}

std::shared_ptr<ListerWatcher> SharedInformerFactoryCore::SourceOf(typed::TypedCore client,
                                                                   const Message& object,
                                                                   const Message& list,
                                                                   bool namespaced) const {
  if (namespaced) client = client.InNamespace(options_.namespace_name);
  ListerWatcherOptions decoding = options_.lister_watcher;
  for (const InformerSetting& setting : options_.projections) {
    if (setting.type == &object) decoding.projection = setting.projection;
  }
  absl::StatusOr<std::shared_ptr<ListerWatcher>> source =
      internal::MakeListerWatcher(client, object, list, decoding);
  if (!source.ok()) {
    return MakeFailedListerWatcher(source.status(), client.resource().resource);
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
  for (const InformerSetting& setting : options_.selectors) {
    if (setting.type != &type) continue;
    Narrow(options.reflector.label_selector, setting.label_selector);
    Narrow(options.reflector.field_selector, setting.field_selector);
  }
  if (options_.resync_jitter > 0) {
    options.resync_period = base::Jitter(options.resync_period, options_.resync_jitter);
  }
  return options;
}

AnySharedInformer& SharedInformerFactoryCore::FindOrMake(
    const Message& type, const schema::GroupVersionResource& resource, MakeInformer make) {
  base::MutexLock lock(mutex_);
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (entry->type == &type && entry->resource == resource) return *entry->informer;
  }
  auto entry = std::make_shared<Entry>();
  entry->type = &type;
  entry->resource = resource;
  entry->informer = make(OptionsFor(type, resource));
  return *entries_.emplace_back(std::move(entry))->informer;
}

absl::Status SharedInformerFactoryCore::Start(const Context& ctx) {
  DestroyEnded();
  absl::Status status;
  base::MutexLock lock(mutex_);
  if (shutting_down_) {
    return absl::FailedPreconditionError("start informers: the factory was shut down");
  }
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (entry->thread != nullptr) continue;
    auto thread = std::make_unique<base::Thread>();
    // The entry is destroyed only when its thread is joined.
    const absl::Status started =
        thread->Start(ctx, "informer", [started_entry = entry.get()](const Context& thread_ctx) {
          started_entry->informer->Run(thread_ctx).IgnoreError();
          started_entry->ended.Set();
        });
    status.Update(started);
    if (started.ok()) entry->thread = std::move(thread);
  }
  return status;
}

std::vector<std::shared_ptr<const AnySharedInformer>> SharedInformerFactoryCore::Started() const {
  base::MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const AnySharedInformer>> started;
  for (const std::shared_ptr<Entry>& entry : entries_) {
    if (entry->thread != nullptr) started.push_back(entry->informer);
  }
  return started;
}

absl::Status SharedInformerFactoryCore::WaitForCacheSync(
    const Context& ctx, const WaitForCacheSyncOptions& options) const {
  while (true) {
    const std::vector<std::shared_ptr<const AnySharedInformer>> started = Started();
    std::vector<const Syncable*> waits_for;
    for (const auto& informer : started) waits_for.push_back(informer.get());
    absl::Status status = informers::WaitForCacheSync(ctx, waits_for, options);
    if (status.ok()) return status;
    // The error may be that of an informer that was removed meanwhile.
    const std::vector<std::shared_ptr<const AnySharedInformer>> present = Started();
    const bool has_all = std::all_of(started.begin(), started.end(), [&](const auto& informer) {
      return std::find(present.begin(), present.end(), informer) != present.end();
    });
    if (has_all) return status;
  }
}

absl::Status SharedInformerFactoryCore::CheckSynced() const {
  std::vector<std::string> reasons;
  {
    // With the lock, so that an informer that is removed meanwhile is not reported as stopped.
    base::MutexLock lock(mutex_);
    for (const std::shared_ptr<Entry>& entry : entries_) {
      const absl::Status why = entry->informer->WhyNotSynced();
      if (!why.ok()) reasons.emplace_back(why.message());
    }
  }
  if (reasons.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("check cache sync: ", absl::StrJoin(reasons, "; ")));
}

// ---- the end

void SharedInformerFactoryCore::Entry::RequestStop() {
  if (thread != nullptr) thread->RequestStop();
}

void SharedInformerFactoryCore::Entry::Join() {
  if (thread == nullptr) return;
  ended.Wait(Context()).IgnoreError();
  base::MutexLock lock(join_mutex);
  thread->Join();
}

void SharedInformerFactoryCore::DestroyEnded() {
  Entries ended;  // destroyed without the lock
  base::MutexLock lock(mutex_);
  const auto first_ended = std::stable_partition(
      retired_.begin(), retired_.end(), [](const std::shared_ptr<Entry>& entry) {
        return entry->thread != nullptr && !entry->ended.IsSet();
      });
  ended.assign(first_ended, retired_.end());
  retired_.erase(first_ended, retired_.end());
}

std::shared_ptr<SharedInformerFactoryCore::Entry> SharedInformerFactoryCore::Retire(
    const AnySharedInformer& informer) {
  const auto is_it = [&](const std::shared_ptr<Entry>& entry) {
    return entry->informer.get() == &informer;
  };
  const auto it = std::find_if(entries_.begin(), entries_.end(), is_it);
  if (it == entries_.end()) {
    const auto retired = std::find_if(retired_.begin(), retired_.end(), is_it);
    return retired == retired_.end() ? nullptr : *retired;
  }
  std::shared_ptr<Entry> entry = *it;
  entries_.erase(it);
  retired_.push_back(entry);
  return entry;
}

// The entry stays in retired_ until the informer has ended, so that Caller recognises its handlers
// and Shutdown waits for it. The informer is destroyed with the last reference to its entry.
void SharedInformerFactoryCore::Remove(AnySharedInformer& informer) {
  DestroyEnded();
  const bool waits = Caller().empty();
  std::shared_ptr<Entry> entry;
  {
    base::MutexLock lock(mutex_);
    entry = Retire(informer);
  }
  if (entry == nullptr) return;
  entry->RequestStop();
  entry->informer->core().CloseHandlers();
  if (!waits) return;
  entry->Join();
  base::MutexLock lock(mutex_);
  std::erase(retired_, entry);
}

void SharedInformerFactoryCore::Shutdown() {
  const bool waits = Caller().empty();
  Entries entries;
  {
    base::MutexLock lock(mutex_);
    shutting_down_ = true;
    entries = entries_;
    entries.insert(entries.end(), retired_.begin(), retired_.end());
  }
  for (const std::shared_ptr<Entry>& entry : entries) entry->RequestStop();
  if (!waits) return;
  for (const std::shared_ptr<Entry>& entry : entries) entry->Join();
}

std::vector<std::shared_ptr<const AnySharedInformer>> SharedInformerFactoryCore::Informers() const {
  base::MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const AnySharedInformer>> informers;
  for (const std::shared_ptr<Entry>& entry : entries_) informers.push_back(entry->informer);
  return informers;
}

}  // namespace kube::informers
