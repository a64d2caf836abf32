#include "envtest/server/internal/collector.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "envtest/server/internal/registry.h"
#include "envtest/server/object.h"
#include "envtest/server/resources.h"
#include "envtest/server/storage.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr absl::string_view kOrphan = "orphan";
constexpr absl::string_view kForeground = "foregroundDeletion";

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

Collector::Collector(Registry& registry, Storage& storage, const Resources& resources)
    : registry_(registry), storage_(storage), resources_(resources) {}

void Collector::Enqueue(const Item& item) { queue_.push_back(item); }

void Collector::Observe(const Resource& resource, const std::string& key,
                        const StoredObject* before, const StoredObject& after, bool deleted) {
  if (!enabled_) return;
  const metav1::ObjectMeta& metadata = after.metadata();
  base::MutexLock lock(mutex_);
  for (const metav1::OwnerReference& owner : metadata.owner_references) {
    auto& dependents = dependents_[owner.uid];
    if (!deleted) {
      dependents.emplace(resource.storage, key, &resource);
      continue;
    }
    dependents.erase({resource.storage, key, &resource});
    // It may wait for this one.
    if (const Resource* of = resources_.FindKind(owner.api_version.view(), owner.kind.view())) {
      Enqueue({of, of->KeyOf(metadata.namespace_.view(), owner.name.view())});
    }
  }
  if (deleted) {
    auto it = dependents_.find(metadata.uid);
    if (it != dependents_.end()) {
      for (const auto& [storage, dependent, of] : it->second) Enqueue({of, dependent});
      dependents_.erase(it);
    }
    if (resource.namespaced()) {
      const ObjectPtr space = storage_.Get("/namespaces", metadata.namespace_.view());
      if (space != nullptr && meta::IsBeingDeleted(space->metadata())) {
        Enqueue({resources_.Find("", "v1", "namespaces"), metadata.namespace_});
      }
    }
    return;
  }
  const bool owned =
      !metadata.owner_references.empty() &&
      (before == nullptr || !(before->metadata().owner_references == metadata.owner_references));
  if (owned || meta::IsBeingDeleted(metadata)) Enqueue({&resource, key});
}

void Collector::Settle() {
  {
    base::MutexLock lock(mutex_);
    if (settling_ || queue_.empty()) return;
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
  const auto& [resource, key] = item;
  const ObjectPtr object = storage_.Get(resource->storage, key);
  if (object == nullptr) return;
  const metav1::ObjectMeta& metadata = object->metadata();
  if (meta::IsBeingDeleted(metadata)) {
    if (object->object().As<corev1::Namespace>() != nullptr) return ProcessNamespace(*object);
    if (meta::ContainsFinalizer(metadata, kOrphan)) return ProcessOrphaning(item, *object);
    if (meta::ContainsFinalizer(metadata, kForeground)) return ProcessForeground(item, *object);
    return;
  }
  if (!metadata.owner_references.empty()) ProcessOwned(item, *object);
}

// (GarbageCollector.attemptToDeleteItem)
void Collector::ProcessOwned(const Item& item, const StoredObject& object) {
  const metav1::ObjectMeta& metadata = object.metadata();
  bool solid = false;
  bool waited_for = false;
  std::set<std::string> useless;
  for (const metav1::OwnerReference& owner : metadata.owner_references) {
    const Resource* of = resources_.FindKind(owner.api_version.view(), owner.kind.view());
    if (of == nullptr) {
      // Of an owner whose kind is unknown nothing is known.
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
  const Target target = TargetOf(*std::get<0>(item), metadata);
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
  registry_.Delete(target, Deletion(metadata.uid.view(), policy)).IgnoreError();
}

void Collector::ProcessOrphaning(const Item& item, const StoredObject& object) {
  const std::string uid = object.metadata().uid;
  for (const auto& [resource, key] : DependentsOf(uid)) {
    const ObjectPtr dependent = storage_.Get(resource->storage, key);
    if (dependent == nullptr) continue;
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

// Dependents go first; the owner stays as long as one is there that blocks it.
// (GarbageCollector.processDeletingDependentsItem)
void Collector::ProcessForeground(const Item& item, const StoredObject& object) {
  bool blocked = false;
  for (const auto& [resource, key] : DependentsOf(object.metadata().uid)) {
    const ObjectPtr dependent = storage_.Get(resource->storage, key);
    if (dependent == nullptr) continue;
    const metav1::OwnerReference* owner =
        FindOwner(dependent->metadata(), object.metadata().uid.view());
    if (owner == nullptr || !owner->block_owner_deletion.value_or(false)) continue;
    blocked = true;
    if (!meta::IsBeingDeleted(dependent->metadata())) {
      base::MutexLock lock(mutex_);
      Enqueue({resource, key});
    }
  }
  if (!blocked) RemoveFinalizer(item, kForeground);
}

void Collector::ProcessNamespace(const StoredObject& object) {
  const std::string name = object.metadata().name;
  bool empty = true;
  for (const Resource* resource : resources_.Stored()) {
    if (!resource->namespaced()) continue;
    const absl::StatusOr<ListResult> list =
        storage_.List(resource->storage, {.prefix = resource->PrefixOf(name)});
    if (!list.ok()) continue;
    for (const ListItem& each : list->items) {
      const metav1::ObjectMeta& metadata = each.object->metadata();
      if (!meta::IsBeingDeleted(metadata)) {
        registry_.Delete(TargetOf(*resource, metadata), Deletion(metadata.uid.view(), "Background"))
            .IgnoreError();
      }
      empty &= storage_.Get(resource->storage, each.key) == nullptr;
    }
  }
  if (!empty) return;
  Target target = TargetOf(*resources_.Find("", "v1", "namespaces"), object.metadata());
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

void Collector::RemoveFinalizer(const Item& item, absl::string_view finalizer) {
  const auto& [resource, key] = item;
  const ObjectPtr object = storage_.Get(resource->storage, key);
  if (object == nullptr) return;
  registry_
      .Update(TargetOf(*resource, object->metadata()),
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
    for (const auto& [storage, key, resource] : it->second) candidates.emplace_back(resource, key);
  }
  std::vector<Item> found;
  for (const Item& item : candidates) {
    const ObjectPtr object = storage_.Get(std::get<0>(item)->storage, std::get<1>(item));
    if (object != nullptr && FindOwner(object->metadata(), uid) != nullptr) found.push_back(item);
  }
  return found;
}

}  // namespace kube::envtest::internal
