// Observe keeps an index of owner references (`dependents_`, by the owner's UID), and queues the
// objects that a write may concern: new dependents, new namespaces, objects that are being deleted,
// and after a deletion the owners, the dependents and the namespace of the deleted object. Settle
// takes them from the queue one by one. Each step reads the object again and decides by its present
// state, so stale or duplicate entries do no harm; its own writes come back through Observe and may
// queue more. The registry retries conflicts; other errors are ignored, and leave the object as it
// is.

#include "apiserver/registry/collector.h"

#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apiserver/object.h"
#include "apiserver/registry/namespace_objects.h"
#include "apiserver/registry/registry.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr absl::string_view kNamespaces = "/namespaces";
constexpr absl::string_view kOrphan = "orphan";
constexpr absl::string_view kForeground = "foregroundDeletion";
constexpr absl::string_view kCollectorAccount = "generic-garbage-collector";
constexpr absl::string_view kNamespaceAccount = "namespace-controller";
// How long a refused deletion is left alone.
constexpr absl::Duration kRetryAfter = absl::Seconds(1);

Target TargetOf(const Resource& resource, const metav1::ObjectMeta& metadata) {
  return {.resource = &resource,
          .namespace_name = metadata.namespace_,
          .name = metadata.name,
          .subresource = ""};
}

const metav1::OwnerReference* FindOwner(const metav1::ObjectMeta& metadata, absl::string_view uid) {
  for (const metav1::OwnerReference& owner : metadata.owner_references) {
    if (owner.uid == uid) return &owner;
  }
  return nullptr;
}

void RemoveOwners(metav1::ObjectMeta& metadata, const std::set<std::string>& uids) {
  List<metav1::OwnerReference> kept;
  for (const metav1::OwnerReference& owner : metadata.owner_references) {
    if (uids.count(owner.uid) == 0) kept.push_back(owner);
  }
  metadata.owner_references = std::move(kept);
}

metav1::DeleteOptions Deletion(absl::string_view uid, absl::string_view policy) {
  metav1::DeleteOptions options;
  options.preconditions.emplace().uid = uid;
  options.propagation_policy = policy;
  return options;
}

}  // namespace

Collector::Collector(Registry& registry, Storage& storage, const ResourceTable& resources)
    : registry_(registry), storage_(storage), resources_(resources) {}

void Collector::Enqueue(Item item) { queue_.push_back(std::move(item)); }

void Collector::EnqueueNamespaceOf(const Resource& resource, const StoredObject* before,
                                   const StoredObject& after, bool deleted) {
  if (root_ca_ == nullptr) return;
  const metav1::ObjectMeta& metadata = after.metadata();
  if (resource.storage == kNamespaces) {
    if (before == nullptr && !deleted) Enqueue({resource.storage, metadata.name});
    return;
  }
  const bool changed = before != nullptr || deleted;
  if (changed && IsNamespaceObject(resource.storage, metadata.name.view())) {
    Enqueue({std::string(kNamespaces), metadata.namespace_});
  }
}

void Collector::Observe(const Resource& resource, const std::string& key,
                        const StoredObject* before, const StoredObject& after, bool deleted) {
  if (!enabled_) return;
  const metav1::ObjectMeta& metadata = after.metadata();
  const std::shared_ptr<const Resources> resources = resources_.Get();
  base::MutexLock lock(mutex_);
  EnqueueNamespaceOf(resource, before, after, deleted);
  for (const metav1::OwnerReference& owner : metadata.owner_references) {
    auto& dependents = dependents_[owner.uid];
    if (!deleted) {
      dependents.emplace(resource.storage, key);
      continue;
    }
    dependents.erase({resource.storage, key});
    // The owner may be waiting for this dependent.
    if (const Resource* of = resources->FindKind(owner.api_version.view(), owner.kind.view())) {
      Enqueue({of->storage, of->KeyOf(metadata.namespace_.view(), owner.name.view())});
    }
  }
  if (deleted) {
    auto it = dependents_.find(metadata.uid);
    if (it != dependents_.end()) {
      for (const Item& dependent : it->second) Enqueue(dependent);
      dependents_.erase(it);
    }
    if (resource.namespaced()) {
      const ObjectPtr space = storage_.Get(kNamespaces, metadata.namespace_.view());
      if (space != nullptr && meta::IsBeingDeleted(space->metadata())) {
        Enqueue({std::string(kNamespaces), metadata.namespace_});
      }
    }
    return;
  }
  const bool owned =
      !metadata.owner_references.empty() &&
      (before == nullptr || !(before->metadata().owner_references == metadata.owner_references));
  if (owned || meta::IsBeingDeleted(metadata)) Enqueue({resource.storage, key});
}

void Collector::EnqueueRefused() {
  if (refused_.empty()) return;
  const base::MonotonicTime now = base::Now();
  for (auto each = refused_.begin(); each != refused_.end();) {
    if (each->second > now) {
      ++each;
      continue;
    }
    Enqueue(each->first);
    each = refused_.erase(each);
  }
}

void Collector::Settle() {
  {
    base::MutexLock lock(mutex_);
    if (settling_) return;
    EnqueueRefused();
    if (queue_.empty()) return;
    settling_ = true;
  }
  while (true) {
    Item item;
    {
      base::MutexLock lock(mutex_);
      if (queue_.empty()) {
        settling_ = false;
        return;
      }
      item = queue_.front();
      queue_.pop_front();
    }
    Process(item);
  }
}

void Collector::Process(const Item& item) {
  const auto& [storage, key] = item;
  const std::shared_ptr<const Resources> resources = resources_.Get();
  const Resource* const resource = resources->FindStorage(storage);
  const ObjectPtr object = storage_.Get(storage, key);
  if (resource == nullptr || object == nullptr) return;
  const Found found = {.resources = *resources, .resource = *resource, .object = *object};
  const metav1::ObjectMeta& metadata = object->metadata();
  if (meta::IsBeingDeleted(metadata)) {
    if (object->object().As<corev1::Namespace>() != nullptr) return ProcessNamespace(found);
    if (meta::ContainsFinalizer(metadata, kOrphan)) return ProcessOrphaning(found);
    if (meta::ContainsFinalizer(metadata, kForeground)) return ProcessForeground(found);
    return;
  }
  if (root_ca_ != nullptr && object->object().As<corev1::Namespace>() != nullptr) {
    EnsureNamespaceObjects(registry_, *resources, metadata.name, root_ca_());
  }
  if (!metadata.owner_references.empty()) ProcessOwned(found);
}

// kube-controller-manager: `GarbageCollector.attemptToDeleteItem`.
void Collector::ProcessOwned(const Found& item) {
  const metav1::ObjectMeta& metadata = item.object.metadata();
  bool solid = false;
  bool waited_for = false;
  std::set<std::string> useless;
  for (const metav1::OwnerReference& owner : metadata.owner_references) {
    const Resource* of = item.resources.FindKind(owner.api_version.view(), owner.kind.view());
    if (of == nullptr) {
      // An owner of an unknown kind counts as existing.
      solid = true;
      continue;
    }
    const ObjectPtr found =
        storage_.Get(of->storage, of->KeyOf(metadata.namespace_.view(), owner.name.view()));
    if (found == nullptr || found->metadata().uid != owner.uid) {
      useless.insert(owner.uid);
    } else if (meta::IsBeingDeleted(found->metadata()) &&
               meta::ContainsFinalizer(found->metadata(), kForeground)) {
      waited_for = true;
      useless.insert(owner.uid);
    } else {
      solid = true;
    }
  }
  const Target target = TargetOf(item.resource, metadata);
  if (solid && useless.empty()) return;
  if (solid) {
    registry_
        .Update(target,
                [&](const StoredObject& current) -> absl::StatusOr<Object> {
                  Object changed = current.object().Copy();
                  RemoveOwners(changed.metadata(), useless);
                  return changed;
                })
        .IgnoreError();
    return;
  }
  const bool has_dependents = !DependentsOf(metadata.uid).empty();
  absl::string_view policy = waited_for && has_dependents ? "Foreground" : "Background";
  if (meta::ContainsFinalizer(metadata, kOrphan)) policy = "Orphan";
  if (meta::ContainsFinalizer(metadata, kForeground)) policy = "Foreground";
  if (!Delete(item.resource, metadata, policy, kCollectorAccount)) TryLater(item);
}

bool Collector::Delete(const Resource& resource, const metav1::ObjectMeta& metadata,
                       absl::string_view policy, absl::string_view account) {
  const Target target = TargetOf(resource, metadata);
  const metav1::DeleteOptions options = Deletion(metadata.uid.view(), policy);
  std::unique_ptr<WriteAdmission> admission;
  if (admit_deletion_ != nullptr) {
    admission = admit_deletion_({.resource = &resource,
                                 .namespace_name = target.namespace_name,
                                 .name = target.name,
                                 .account = account,
                                 .options = options});
  }
  const absl::Status deleted =
      registry_.Delete(target, options, {.admission = admission.get()}).status();
  return admission == nullptr || deleted.ok() || errors::IsNotFound(deleted) ||
         errors::IsConflict(deleted);
}

void Collector::TryLater(const Found& item) {
  const metav1::ObjectMeta& metadata = item.object.metadata();
  std::string key = item.resource.KeyOf(metadata.namespace_.view(), metadata.name.view());
  base::MutexLock lock(mutex_);
  refused_.insert_or_assign({item.resource.storage, std::move(key)}, base::Now() + kRetryAfter);
}

void Collector::ProcessOrphaning(const Found& item) {
  const std::string uid = item.object.metadata().uid;
  for (const auto& [storage, key] : DependentsOf(uid)) {
    const Resource* const resource = item.resources.FindStorage(storage);
    const ObjectPtr dependent = storage_.Get(storage, key);
    if (resource == nullptr || dependent == nullptr) continue;
    registry_
        .Update(TargetOf(*resource, dependent->metadata()),
                [&](const StoredObject& current) -> absl::StatusOr<Object> {
                  Object changed = current.object().Copy();
                  RemoveOwners(changed.metadata(), {uid});
                  return changed;
                })
        .IgnoreError();
  }
  RemoveFinalizer(item, kOrphan);
}

// Deletes the dependents first. The owner stays while there are dependents that block its deletion
// (kube-controller-manager: `GarbageCollector.processDeletingDependentsItem`).
void Collector::ProcessForeground(const Found& item) {
  const std::string uid = item.object.metadata().uid;
  bool blocked = false;
  for (const auto& [storage, key] : DependentsOf(uid)) {
    const ObjectPtr dependent = storage_.Get(storage, key);
    if (dependent == nullptr) continue;
    const metav1::OwnerReference* owner = FindOwner(dependent->metadata(), uid);
    if (owner == nullptr || !owner->block_owner_deletion.value_or(false)) continue;
    blocked = true;
    if (!meta::IsBeingDeleted(dependent->metadata())) {
      base::MutexLock lock(mutex_);
      Enqueue({storage, key});
    }
  }
  if (!blocked) RemoveFinalizer(item, kForeground);
}

void Collector::ProcessNamespace(const Found& item) {
  const std::string name = item.object.metadata().name;
  bool empty = true;
  bool refused = false;
  for (const Resource* resource : item.resources.Stored()) {
    if (!resource->namespaced()) continue;
    const absl::StatusOr<ListResult> list =
        storage_.List(resource->storage, {.prefix = resource->PrefixOf(name)});
    if (!list.ok()) continue;
    for (const ListItem& each : list->items) {
      const metav1::ObjectMeta& metadata = each.object->metadata();
      if (!meta::IsBeingDeleted(metadata)) {
        refused |= !Delete(*resource, metadata, "Background", kNamespaceAccount);
      }
      empty &= storage_.Get(resource->storage, each.key) == nullptr;
    }
  }
  if (refused) TryLater(item);
  if (!empty) return;
  Target target = TargetOf(item.resource, item.object.metadata());
  target.subresource = "finalize";
  registry_
      .Update(target,
              [](const StoredObject& current) -> absl::StatusOr<Object> {
                Object changed = current.object().Copy();
                List<String>& finalizers = changed.As<corev1::Namespace>()->spec.finalizers;
                List<String> kept;
                for (const String& each : finalizers) {
                  if (each != "kubernetes") kept.push_back(each);
                }
                finalizers = std::move(kept);
                return changed;
              })
      .IgnoreError();
}

void Collector::RemoveFinalizer(const Found& item, absl::string_view finalizer) {
  registry_
      .Update(TargetOf(item.resource, item.object.metadata()),
              [&](const StoredObject& current) -> absl::StatusOr<Object> {
                Object changed = current.object().Copy();
                meta::RemoveFinalizer(changed.metadata(), finalizer);
                return changed;
              })
      .IgnoreError();
}

std::vector<Collector::Item> Collector::DependentsOf(const std::string& uid) {
  std::vector<Item> candidates;
  {
    base::MutexLock lock(mutex_);
    auto it = dependents_.find(uid);
    if (it == dependents_.end()) return {};
    candidates.assign(it->second.begin(), it->second.end());
  }
  std::vector<Item> found;
  for (const Item& item : candidates) {
    const ObjectPtr object = storage_.Get(std::get<0>(item), std::get<1>(item));
    if (object != nullptr && FindOwner(object->metadata(), uid) != nullptr) found.push_back(item);
  }
  return found;
}

}  // namespace kube::apiserver::internal
