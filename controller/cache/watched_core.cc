#include "controller/cache/watched_core.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/meta/object_name.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/internal/informer_pool.h"
#include "informers/any_shared_informer.h"
#include "informers/wait_for_cache_sync.h"

namespace kube::controller {

using internal::FieldQuery;
using internal::InformerPool;

namespace {

std::string NameOf(const internal::WatchedParts& parts) {
  std::vector<std::string> settings;
  if (!parts.label_selector.empty()) settings.push_back(parts.label_selector);
  if (!parts.field_selector.empty()) settings.push_back(parts.field_selector);
  if (!parts.namespaces.covers_all()) settings.push_back(parts.namespaces.ToString());
  std::string name = parts.resource.group_resource().ToString();
  if (!settings.empty()) absl::StrAppend(&name, " (", absl::StrJoin(settings, ", "), ")");
  return name;
}

}  // namespace

WatchedCore::WatchedCore(internal::WatchedParts parts)
    : parts_(std::move(parts)), name_(NameOf(parts_)) {}

WatchedCore::~WatchedCore() {
  Remove(handlers());
  RemoveIndexers();
  for (const InformerPool::Pooled& pooled : parts_.informers) parts_.pool->Release(pooled);
}

void WatchedCore::Start() {
  for (const InformerPool::Pooled& pooled : parts_.informers) {
    const bool failed_before = !parts_.pool->StartError(pooled).ok();
    const absl::Status status = parts_.pool->Start(pooled);
    if (status.ok() || failed_before) continue;
    log::Error(status, "unable to start watch", {{"watch", name()}});
  }
}

absl::Status WatchedCore::start_error() const {
  for (const InformerPool::Pooled& pooled : parts_.informers) {
    KUBE_RETURN_IF_ERROR(parts_.pool->StartError(pooled));
  }
  return absl::OkStatus();
}

// ---- synchronisation

std::vector<WatchedCore::Handler> WatchedCore::handlers() const {
  base::MutexLock lock(mutex_);
  return handlers_;
}

bool WatchedCore::HasSynced() const {
  for (size_t i = 0; i < informer_count(); ++i) {
    if (!informer(i).HasSynced()) return false;
  }
  for (const Handler& handler : handlers()) {
    if (!handler.registration.HasSynced()) return false;
  }
  return true;
}

absl::Status WatchedCore::WhyNotSynced() const {
  KUBE_RETURN_IF_ERROR(start_error(), "watch ", name());
  for (size_t i = 0; i < informer_count(); ++i) {
    KUBE_RETURN_IF_ERROR(informer(i).WhyNotSynced(), "watch ", name());
  }
  for (const Handler& handler : handlers()) {
    KUBE_RETURN_IF_ERROR(handler.registration.WhyNotSynced(), "watch ", name());
  }
  return absl::OkStatus();
}

absl::Status WatchedCore::WaitForSync(const Context& ctx,
                                      const informers::WaitForCacheSyncOptions& options) const {
  if (options.fail_fast) KUBE_RETURN_IF_ERROR(start_error(), "watch ", name());
  std::vector<const informers::Syncable*> all;
  for (size_t i = 0; i < informer_count(); ++i) all.push_back(&informer(i));
  const std::vector<Handler> added = handlers();
  for (const Handler& handler : added) all.push_back(&handler.registration);
  // An informer that was not started before the end of the cache does not say that it has stopped.
  CancelScope waiting = WithCancel(ctx);
  const DoneCallback shut_down = parts_.pool->open().OnDone([&waiting] { waiting.Cancel(); });
  absl::Status synced = informers::WaitForCacheSync(waiting.context(), all, options);
  if (absl::IsCancelled(synced) && !ctx.done()) {
    synced =
        absl::FailedPreconditionError(absl::StrCat(synced.message(), "; the cache was shut down"));
  }
  return base::Annotate(synced, absl::StrCat("watch ", name()));
}

bool WatchedCore::Covers(absl::string_view namespace_name) const {
  return parts_.namespaces.Covers(namespace_name);
}

int64_t WatchedCore::lists() const {
  int64_t lists = 0;
  for (size_t i = 0; i < informer_count(); ++i) {
    lists += informer(i).status().reflector.counters.syncs;
  }
  return lists;
}

bool WatchedCore::HasResourceVersion(absl::string_view namespace_name,
                                     absl::string_view version) const {
  const std::optional<size_t> i = parts_.namespaces.Find(namespace_name);
  return !i.has_value() || informer(*i).HasResourceVersion(version);
}

AdvancedRegistration WatchedCore::OnAdvanced(std::function<void()> callback) {
  AdvancedRegistration all;
  for (size_t i = 0; i < informer_count(); ++i) {
    all.registrations_.push_back(informer(i).OnStoreAdvanced(callback));
  }
  return all;
}

std::vector<WatchSummary> WatchedCore::Summaries() const {
  std::vector<WatchSummary> summaries;
  for (const InformerPool::Pooled& pooled : parts_.informers) {
    summaries.push_back(internal::SummaryOf(*pooled, parts_.pool->UsersOf(pooled),
                                            parts_.pool->StartError(pooled)));
  }
  return summaries;
}

// ---- handlers and indexes

absl::Status WatchedCore::AddHandlers(AddHandler add) {
  if (parts_.pool->open().done()) {
    return absl::FailedPreconditionError(
        absl::StrCat("watch ", name(), ": add event handler: the cache was shut down"));
  }
  std::vector<Handler> added;
  for (size_t i = 0; i < informer_count(); ++i) {
    absl::StatusOr<informers::HandlerRegistration> registration = add(informer(i));
    if (!registration.ok()) {
      Remove(added);
      return base::Annotate(registration.status(), absl::StrCat("watch ", name()));
    }
    added.push_back({.informer = i, .registration = *std::move(registration)});
  }
  base::MutexLock lock(mutex_);
  handlers_.insert(handlers_.end(), added.begin(), added.end());
  return absl::OkStatus();
}

void WatchedCore::Remove(const std::vector<Handler>& removed) {
  for (const Handler& handler : removed) {
    informer(handler.informer).RemoveEventHandler(handler.registration);
  }
}

std::string WatchedCore::AddIndexers(absl::string_view field, AddIndexer add) {
  std::string index = absl::StrCat(field, "#", parts_.pool->NextIndex());
  for (size_t i = 0; i < informer_count(); ++i) {
    const absl::Status status = add(informer(i), index);
    if (!status.ok()) {
      log::Error(status, "unable to add index", {{"watch", name()}, {"index", field}});
    }
  }
  base::MutexLock lock(mutex_);
  indexes_.insert_or_assign(std::string(field), index);
  index_names_.push_back(index);
  return index;
}

void WatchedCore::RemoveIndexers() {
  std::vector<std::string> names;
  {
    base::MutexLock lock(mutex_);
    names.swap(index_names_);
  }
  for (const std::string& index : names) {
    for (size_t i = 0; i < informer_count(); ++i) parts_.remove_indexer(informer(i), index);
  }
}

// ---- reading

absl::StatusOr<size_t> WatchedCore::InformerOf(const meta::ObjectName& name_of_object) const {
  if (!parts_.namespaced) return size_t{0};
  const std::optional<size_t> i = parts_.namespaces.Find(name_of_object.namespace_name);
  const absl::string_view plural = parts_.resource.resource;
  if (name_of_object.namespace_name.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("get ", plural, " \"", name_of_object.name,
                                                   "\": an empty namespace may not be set"));
  }
  if (!i.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("get ", plural, " \"", name_of_object.name, "\" in \"",
                     name_of_object.namespace_name, "\": only ", parts_.namespaces.ToString(),
                     parts_.namespaces.names().size() == 1 ? " is" : " are", " watched"));
  }
  return *i;
}

std::vector<size_t> WatchedCore::InformersOf(
    const std::optional<std::string>& namespace_name) const {
  std::vector<size_t> positions;
  if (parts_.namespaced && namespace_name.has_value()) {
    const std::optional<size_t> i = parts_.namespaces.Find(*namespace_name);
    if (i.has_value()) positions.push_back(*i);
    return positions;
  }
  for (size_t i = 0; i < informer_count(); ++i) positions.push_back(i);
  return positions;
}

absl::StatusOr<FieldQuery> WatchedCore::Resolve(const ListScope& scope,
                                                absl::string_view field_selector) const {
  const std::string verb = absl::StrCat("list ", parts_.resource.resource);
  FieldQuery query;
  if (parts_.namespaced) query.namespace_name = scope.namespace_name;
  KUBE_ASSIGN_OR_RETURN(const fields::Selector selector, fields::ParseSelector(field_selector),
                        verb);
  for (const fields::Requirement& requirement : selector.requirements()) {
    if (requirement.op != fields::Operator::kEquals) {
      return absl::InvalidArgumentError(
          absl::StrCat(verb, ": field selector \"", field_selector,
                       "\": non-exact field matches are not supported by the cache"));
    }
    KUBE_RETURN_IF_ERROR(Require(requirement.field, requirement.value, query), verb);
  }
  if (query.namespace_name.has_value() && !Covers(*query.namespace_name)) {
    return absl::FailedPreconditionError(absl::StrCat(
        verb, " in \"", *query.namespace_name, "\": only ", parts_.namespaces.ToString(),
        parts_.namespaces.names().size() == 1 ? " is" : " are", " watched"));
  }
  return query;
}

absl::Status WatchedCore::Require(absl::string_view field, absl::string_view value,
                                  FieldQuery& query) const {
  const auto narrow = [&](std::optional<std::string>& to) {
    if (to.has_value() && *to != value) query.nothing = true;
    to = std::string(value);
  };
  if (field == "metadata.name") {
    narrow(query.name);
    return absl::OkStatus();
  }
  if (field == "metadata.namespace" && parts_.namespaced) {
    narrow(query.namespace_name);
    return absl::OkStatus();
  }
  base::MutexLock lock(mutex_);
  const auto index = indexes_.find(field);
  if (index == indexes_.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "field \"", field, "\" has no index; add it with AddIndex, or use a label selector"));
  }
  query.values.emplace_back(index->second, std::string(value));
  return absl::OkStatus();
}

}  // namespace kube::controller

namespace kube::controller::internal {

WatchSummary SummaryOf(const PooledInformer& pooled, int users, const absl::Status& start_error) {
  const informers::InformerStatus status = pooled.informer->status();
  return {.resource = pooled.key.resource,
          .namespace_name = pooled.key.namespace_name,
          .label_selector = pooled.key.label_selector,
          .field_selector = pooled.key.field_selector,
          .objects = status.stored,
          .users = users,
          .started = pooled.informer->HasStarted(),
          .synced = status.synced,
          .why_not_synced = start_error.ok() ? pooled.informer->WhyNotSynced() : start_error,
          .since_last_event = status.since_last_event};
}

}  // namespace kube::controller::internal
