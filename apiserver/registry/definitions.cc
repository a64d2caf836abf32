// SettleOnce does one step and is repeated until there is nothing to do. If a definition has
// changed (or a deletion is waiting for objects to go), it reads all definitions. If the status of
// one has to change, it writes that and is done. Otherwise it replaces the served resources, and
// moves the deletion of one definition on. Each write is a change that leads to the next step, so
// that watchers see the conditions one by one, as with upstream's controllers. Kinds are made again
// only if the spec or the accepted names have changed; otherwise requests and watches go on with
// the present ones.

#include "apiserver/registry/definitions.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/definition_status.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::CustomResourceDefinitionCondition;

constexpr absl::string_view kGroup = "apiextensions.k8s.io";
constexpr absl::string_view kStorage = "apiextensions.k8s.io/customresourcedefinitions";

const CustomResourceDefinition& CrdOf(const StoredObject& object) {
  return *object.object().As<CustomResourceDefinition>();
}

CustomResourceDefinitionCondition Terminating(absl::string_view status, absl::string_view reason,
                                              absl::string_view message) {
  CustomResourceDefinitionCondition condition;
  condition.type = "Terminating";
  condition.status = status;
  condition.reason = reason;
  condition.message = message;
  return condition;
}

}  // namespace

bool Definitions::Settle() {
  {
    base::MutexLock lock(mutex_);
    again_ = true;
    if (settling_) return false;
    settling_ = true;
  }
  bool worked = false;
  while (true) {
    {
      base::MutexLock lock(mutex_);
      if (!again_) {
        settling_ = false;
        return worked;
      }
      again_ = false;
    }
    while (SettleOnce()) worked = true;
  }
}

bool Definitions::SettleOnce() {
  const absl::StatusOr<ChangesResult> changes = storage_.ChangesAfter(kStorage, seen_, 1);
  const bool changed = !changes.ok() || !changes->changes.empty();
  if (!changed && !waiting_) return false;
  const absl::StatusOr<ListResult> list = storage_.List(kStorage, {});
  if (!list.ok()) return false;
  seen_ = list->revision;
  for (const ListItem& item : list->items) {
    if (UpdateStatus(*item.object, list->items)) return true;
  }
  if (changed) Serve(list->items);
  waiting_ = false;
  for (const ListItem& item : list->items) {
    if (Finish(*item.object)) return true;
  }
  return changed;
}

bool Definitions::UpdateStatus(const StoredObject& object, const std::vector<ListItem>& all) {
  Crd crd = CrdOf(object);
  std::vector<const Crd*> group;
  for (const ListItem& item : all) {
    if (CrdOf(*item.object).spec.group == crd.spec.group) group.push_back(&CrdOf(*item.object));
  }
  // One condition at a time, as watchers of a real server see it.
  if (!AcceptNames(crd, group, base::WallNow()) && !Establish(crd, base::WallNow())) return false;
  return Write(object, crd);
}

const std::vector<std::shared_ptr<const CustomKind>>& Definitions::KindsOf(const Crd& crd) {
  Known& known = known_[std::string(crd.metadata.uid)];
  // As upstream, only these make it another resource. Otherwise watches continue.
  if (!known.kinds.empty() && known.definition.spec == crd.spec &&
      known.definition.status.accepted_names == crd.status.accepted_names) {
    return known.kinds;
  }
  absl::StatusOr<std::vector<std::shared_ptr<const CustomKind>>> kinds =
      CustomKind::MakeAll(crd, make_converter_ == nullptr ? nullptr : make_converter_(crd));
  known.definition = crd;
  // A definition from which no kinds can be made is not valid, and thus was not stored.
  if (kinds.ok()) known.kinds = *std::move(kinds);
  return known.kinds;
}

void Definitions::Serve(const std::vector<ListItem>& all) {
  std::vector<ServedKind> served;
  std::map<std::string, Known> left = std::move(known_);
  known_.clear();
  for (const ListItem& item : all) {
    const Crd& crd = CrdOf(*item.object);
    if (!IsConditionTrue(crd, "Established")) continue;
    if (auto known = left.extract(std::string(crd.metadata.uid))) known_.insert(std::move(known));
    const bool terminating = IsConditionTrue(crd, "Terminating");
    for (const std::shared_ptr<const CustomKind>& kind : KindsOf(crd)) {
      if (kind->served()) served.push_back({.kind = kind, .terminating = terminating});
    }
  }
  if (served == served_) return;
  served_ = std::move(served);
  resources_.Set(Resources::With(served_));
  if (changed_ != nullptr) changed_();
}

bool Definitions::Finish(const StoredObject& object) {
  Crd crd = CrdOf(object);
  if (!meta::IsBeingDeleted(crd.metadata) ||
      !meta::ContainsFinalizer(crd.metadata, kCleanupFinalizer)) {
    return false;
  }
  if (!IsConditionTrue(crd, "Established")) {
    SetCondition(crd, Terminating("False", "NeverEstablished", "resource was never established"),
                 base::WallNow());
  } else {
    SetCondition(
        crd,
        Terminating("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress"),
        base::WallNow());
    // The condition is written before the deletion begins.
    if (!(crd.status == CrdOf(object).status)) return Write(object, crd);
    if (!DeleteObjects(crd)) {
      waiting_ = true;
      return false;
    }
    SetCondition(crd, Terminating("False", "InstanceDeletionCompleted", "removed all instances"),
                 base::WallNow());
  }
  meta::RemoveFinalizer(crd.metadata, kCleanupFinalizer);
  return Write(object, crd);
}

bool Definitions::DeleteObjects(const Crd& crd) {
  const std::string storage =
      absl::StrCat(crd.spec.group.view(), "/", crd.status.accepted_names.plural.view());
  const std::shared_ptr<const Resources> resources = resources_.Get();
  const Resource* const resource = resources->FindStorage(storage);
  if (resource == nullptr) return true;
  const absl::StatusOr<ListResult> list = storage_.List(storage, {});
  if (!list.ok()) return false;
  for (const ListItem& item : list->items) {
    const api::meta::v1::ObjectMeta& metadata = item.object->metadata();
    if (meta::IsBeingDeleted(metadata)) continue;
    registry_
        .Delete(
            {.resource = resource, .namespace_name = metadata.namespace_, .name = metadata.name},
            {})
        .IgnoreError();
  }
  return storage_.Count(storage, "") == 0;
}

bool Definitions::Write(const StoredObject& object, const Crd& changed) {
  const std::shared_ptr<const Resources> resources = resources_.Get();
  return registry_
      .Update({.resource = resources->Find(kGroup, "v1", "customresourcedefinitions"),
               .name = object.metadata().name,
               .subresource = "status"},
              [&](const StoredObject& current) -> absl::StatusOr<Object> {
                // It was changed meanwhile; the next step looks at that change.
                if (current.revision() != object.revision()) {
                  return absl::CancelledError("definition was modified");
                }
                Object copy = current.object().Copy();
                *copy.As<Crd>() = changed;
                return copy;
              })
      .ok();
}

}  // namespace kube::apiserver::internal
