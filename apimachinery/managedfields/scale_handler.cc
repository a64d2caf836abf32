#include "apimachinery/managedfields/scale_handler.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"

// The identity of an updater contains the version of the object to which it wrote, and keeps it
// here when its fields are translated, as upstream. Therefore an updater of the object is another
// manager than the same updater of the Scale, and loses the replicas to it.
namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;

constexpr absl::string_view kScaleVersion = "autoscaling/v1";

Path PathInScale() { return {PathElement::Field("spec"), PathElement::Field("replicas")}; }

// Returns the path of the replicas in a version, which is empty if the version has no replicas, or
// null if there is no such version.
const Path* FindPath(const ReplicasPaths& paths, absl::string_view api_version) {
  const auto found = paths.find(api_version);
  return found == paths.end() ? nullptr : &found->second;
}

// Returns the set of one path; without members if the path is empty.
FieldSet SetOf(const Path& path) {
  FieldSet set;
  if (!path.empty()) set.Insert(path);
  return set;
}

OwnedFields Owner(const Path& path, absl::string_view api_version) {
  return {.fields = SetOf(path), .api_version = std::string(api_version)};
}

// Adds a manager to `to`, with the time that `from` has for it.
void Add(Managed& to, const ManagerId& manager, OwnedFields owned, const Managed& from) {
  to.managers.insert_or_assign(manager, std::move(owned));
  if (const auto time = from.times.find(manager); time != from.times.end()) {
    to.times.insert_or_assign(manager, time->second);
  }
}

}  // namespace

ScaleHandler::ScaleHandler(List<ManagedFieldsEntry> entries, std::string api_version,
                           ReplicasPaths paths, FieldsV1Cache* cache)
    : entries_(std::move(entries)),
      api_version_(std::move(api_version)),
      paths_(std::move(paths)),
      cache_(cache) {}

absl::StatusOr<List<ManagedFieldsEntry>> ScaleHandler::ToSubresource() const {
  KUBE_ASSIGN_OR_RETURN(const Managed parent, DecodeManagedFields(entries_, cache_));
  Managed scale;
  for (const auto& [manager, owned] : parent.managers) {
    const Path* path = FindPath(paths_, owned.api_version);
    if (path == nullptr || path->empty() || !owned.fields.Has(*path)) continue;
    Add(scale, manager, Owner(PathInScale(), kScaleVersion), parent);
  }
  return EncodeManagedFields(scale, cache_);
}

absl::StatusOr<List<ManagedFieldsEntry>> ScaleHandler::ToParent(
    const List<ManagedFieldsEntry>& scale_entries) const {
  KUBE_ASSIGN_OR_RETURN(const Managed parent, DecodeManagedFields(entries_, cache_));
  KUBE_ASSIGN_OR_RETURN(Managed scale, DecodeManagedFields(scale_entries, cache_));
  Managed result = {.managers = {}, .times = {}, .texts = parent.texts};
  for (const auto& [manager, owned] : parent.managers) {
    const Path* path = FindPath(paths_, owned.api_version);
    if (path == nullptr) continue;
    // Without the replicas before the write, or still with them.
    if (path->empty() || !owned.fields.Has(*path) || scale.managers.erase(manager) != 0) {
      Add(result, manager, owned, parent);
      continue;
    }
    FieldSet left = owned.fields.Difference(SetOf(*path));
    if (left.empty()) continue;
    Add(result, manager, {.fields = std::move(left), .api_version = owned.api_version}, parent);
  }
  const Path* own_path = FindPath(paths_, api_version_);
  for (const auto& [manager, owned] : scale.managers) {
    if (!owned.fields.Has(PathInScale())) continue;
    Add(result, manager, Owner(own_path == nullptr ? Path() : *own_path, api_version_), parent);
  }
  return EncodeManagedFields(result, cache_);
}

}  // namespace kube::managedfields
