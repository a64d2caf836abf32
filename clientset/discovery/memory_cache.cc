#include "clientset/discovery/memory_cache.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/internal/fetch_group_versions.h"
#include "clientset/discovery/server_resources.h"
#include "net/httpclient/transport_error.h"

// How the cache works. Everything known is in one immutable Snapshot behind a pointer: the groups,
// and an entry per group-version with its resources or the error. Readers take the pointer with the
// lock held and read without it. Fetching happens without the lock, by one thread at a time
// (`fetching_`); the others wait on `fetched_` and then look again, since that thread may have
// failed or have fetched something else. A thread whose context ends while it fetches discards its
// result, because errors that its context caused must not be cached.
//
// Invalidate increments `generation_`. A fetch stores its snapshot only if the generation is the
// one under which it began; so nothing that was requested before an Invalidate is kept after it.
namespace kube::discovery {

namespace metav1 = api::meta::v1;

namespace {

// client-go counts only refused and reset connections as transient errors of the connection, and
// remembers a timeout forever. (client-go: `memory.isTransientError`)
bool IsTransient(const absl::Status& status) {
  if (httpclient::TransportErrorOf(status).has_value() || errors::IsTooManyRequests(status))
    return true;
  if (absl::IsDeadlineExceeded(status) || absl::IsCancelled(status)) return true;
  const std::optional<metav1::Status> answer = errors::StatusOf(status);
  return answer.has_value() && answer->code >= 500;
}

void Log(const Context& ctx, const std::string& group_version, const absl::Status& status) {
  if (status.ok()) return;
  if (IsEmptyResponse(status)) {  // common for metrics
    KUBE_VLOG_CTX(ctx, 3, "received empty response for group version",
                  {"groupVersion", group_version});
  } else {
    log::Error(ctx, status, "couldn't get resource list", {{"groupVersion", group_version}});
  }
}

}  // namespace

bool MemoryCache::IsOld(base::MonotonicTime at) const {
  return options_.negative_ttl != absl::InfiniteDuration() &&
         base::Now() - at >= options_.negative_ttl;
}

bool MemoryCache::Knows(const Snapshot& snapshot, const std::string& group_version) const {
  const auto entry = snapshot.entries.find(group_version);
  if (entry == snapshot.entries.end()) return !IsOld(snapshot.at);
  if (entry->second.resources.ok()) return true;
  return !IsTransient(entry->second.resources.status()) && !IsOld(entry->second.at);
}

absl::StatusOr<MemoryCache::SnapshotPtr> MemoryCache::GetOrFetch(
    const Context& ctx, absl::FunctionRef<bool(const Snapshot&)> is_good,
    absl::FunctionRef<absl::StatusOr<SnapshotPtr>(const SnapshotPtr&)> fetch) const {
  SnapshotPtr known;
  uint64_t generation = 0;
  {
    base::MutexLock lock(mutex_);
    // After waiting, look again: the other thread may have failed, or fetched something else.
    while (true) {
      if (snapshot_ != nullptr && is_good(*snapshot_)) return snapshot_;
      if (!fetching_) break;
      KUBE_RETURN_IF_ERROR(ctx.status());
      fetched_.WaitOnce(ctx, mutex_, base::MonotonicTime::Infinite());
    }
    fetching_ = true;
    known = snapshot_;
    generation = generation_;
  }
  absl::StatusOr<SnapshotPtr> made = fetch(known);
  // Errors that were caused by this caller's context must not reach other callers.
  const bool cut_short = ctx.done();
  base::MutexLock lock(mutex_);
  fetching_ = false;
  fetched_.NotifyAll();
  if (cut_short) return ctx.status();
  if (made.ok() && (*made)->complete && generation == generation_) snapshot_ = *made;
  return made;
}

absl::StatusOr<MemoryCache::SnapshotPtr> MemoryCache::Get(const Context& ctx) const {
  return GetOrFetch(
      ctx, [](const Snapshot&) { return true; }, [&](const SnapshotPtr&) { return FetchAll(ctx); });
}

absl::StatusOr<ResourceList> MemoryCache::Fetch(const Context& ctx,
                                                const std::string& group_version) const {
  absl::StatusOr<ResourceList> list = delegate_->ServerResourcesForGroupVersion(ctx, group_version);
  if (list.ok() && (*list)->resources.empty()) list = EmptyResponseError(group_version);
  return list;
}

absl::StatusOr<MemoryCache::SnapshotPtr> MemoryCache::FetchAll(const Context& ctx) const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->at = base::Now();
  KUBE_ASSIGN_OR_RETURN(GroupsAndMaybeResources all, delegate_->MaybeResources(ctx));
  snapshot->groups = std::move(all.groups);
  const auto add = [&snapshot](const std::string& name, absl::StatusOr<ResourceList> resources) {
    snapshot->entries.insert_or_assign(
        name, Entry{.resources = std::move(resources), .at = snapshot->at});
  };
  if (all.resources.has_value()) {
    snapshot->aggregated = true;
    for (auto& [name, list] : *all.resources) add(name.ToString(), std::move(list));
    for (auto& [name, status] : all.failed) add(name.ToString(), status);
    return snapshot;
  }
  snapshot->complete = !snapshot->groups->groups.empty();
  std::vector<std::string> names;
  for (const metav1::APIGroup& group : snapshot->groups->groups) {
    for (const metav1::GroupVersionForDiscovery& version : group.versions) {
      names.push_back(version.group_version);
    }
  }
  std::vector<absl::StatusOr<ResourceList>> lists = internal::FetchGroupVersions(
      ctx, names,
      [this](const Context& fetch_ctx, const std::string& name) { return Fetch(fetch_ctx, name); });
  for (size_t i = 0; i < names.size(); ++i) {
    Log(ctx, names[i], lists[i].status());
    add(names[i], std::move(lists[i]));
  }
  return snapshot;
}

absl::StatusOr<MemoryCache::SnapshotPtr> MemoryCache::FetchOne(
    const Context& ctx, const SnapshotPtr& known, const std::string& group_version) const {
  // If it is not even listed, the server has changed.
  if (known == nullptr || known->entries.count(group_version) == 0) return FetchAll(ctx);
  auto snapshot = std::make_shared<Snapshot>(*known);
  Entry& entry = snapshot->entries.find(group_version)->second;
  entry.at = base::Now();
  entry.resources = Fetch(ctx, group_version);
  Log(ctx, group_version, entry.resources.status());
  return snapshot;
}

absl::StatusOr<ResourceList> MemoryCache::ServerResourcesForGroupVersion(
    const Context& ctx, absl::string_view group_version) const {
  const std::string name(group_version);
  // Everything is fetched first. A transient failure in that is tried again at once, as in
  // client-go.
  KUBE_ASSIGN_OR_RETURN(SnapshotPtr snapshot, Get(ctx));
  if (!Knows(*snapshot, name)) {
    KUBE_ASSIGN_OR_RETURN(
        snapshot, GetOrFetch(
                      ctx, [&](const Snapshot& present) { return Knows(present, name); },
                      [&](const SnapshotPtr& known) { return FetchOne(ctx, known, name); }));
  }
  const auto entry = snapshot->entries.find(name);
  if (entry == snapshot->entries.end()) return CacheNotFoundError(name);
  return entry->second.resources;
}

absl::StatusOr<GroupsAndMaybeResources> MemoryCache::MaybeResources(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const SnapshotPtr snapshot, Get(ctx));
  GroupsAndMaybeResources result = {.groups = snapshot->groups};
  if (!snapshot->aggregated || snapshot->entries.empty()) return result;
  result.resources.emplace();
  for (const auto& [name, entry] : snapshot->entries) {
    KUBE_ASSIGN_OR_RETURN(schema::GroupVersion group_version, schema::ParseGroupVersion(name));
    if (entry.resources.ok()) {
      result.resources->emplace(std::move(group_version), *entry.resources);
    } else {
      result.failed.emplace(std::move(group_version), entry.resources.status());
    }
  }
  return result;
}

absl::StatusOr<GroupList> MemoryCache::ServerGroups(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const SnapshotPtr snapshot, Get(ctx));
  return snapshot->groups;
}

absl::StatusOr<version::Info> MemoryCache::ServerVersion(const Context& ctx) const {
  return delegate_->ServerVersion(ctx);
}

bool MemoryCache::Fresh() const {
  base::MutexLock lock(mutex_);
  return snapshot_ != nullptr;
}

// Invalidates the delegate first: if another thread fetches from it before it has forgotten, that
// thread has the old generation, and its result is not kept.
void MemoryCache::Invalidate() {
  delegate_->Invalidate();
  base::MutexLock lock(mutex_);
  snapshot_ = nullptr;
  ++generation_;
}

}  // namespace kube::discovery
