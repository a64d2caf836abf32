#include "apimachinery/managedfields/upgrade.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::kManagedFieldsOperationApply;
using api::meta::v1::kManagedFieldsOperationUpdate;
using api::meta::v1::ManagedFieldsEntry;

// Whose entries are meant.
struct Owner {
  absl::string_view manager;
  absl::string_view operation;
  absl::string_view subresource;

  bool Has(const ManagedFieldsEntry& entry) const {
    return entry.manager == manager && entry.operation == operation &&
           entry.subresource == subresource;
  }
};

ManagedFieldsEntry* FindEntry(List<ManagedFieldsEntry>& entries, const Owner& owner) {
  ManagedFieldsEntry* entry =
      std::find_if(entries.begin(), entries.end(),
                   [&](const ManagedFieldsEntry& candidate) { return owner.Has(candidate); });
  return entry == entries.end() ? nullptr : entry;
}

absl::StatusOr<FieldSet> DecodeFields(const ManagedFieldsEntry& entry) {
  KUBE_ASSIGN_OR_RETURN(FieldSet fields, DecodeFieldsV1(entry.fields_v1->view()),
                        "failed to convert fields to set");
  return fields;
}

// Unites `target` with the first entry of `updater` that is of the same version. Fields of another
// version cannot be united with it: those are lost, as upstream.
absl::Status UniteInto(ManagedFieldsEntry& target, const List<ManagedFieldsEntry>& entries,
                       const Owner& updater) {
  KUBE_ASSIGN_OR_RETURN(FieldSet fields, DecodeFields(target));
  const ManagedFieldsEntry* source =
      std::find_if(entries.begin(), entries.end(), [&](const ManagedFieldsEntry& entry) {
        return updater.Has(entry) && entry.api_version == target.api_version;
      });
  if (source != entries.end()) {
    KUBE_ASSIGN_OR_RETURN(const FieldSet updated, DecodeFields(*source));
    fields = fields.Union(updated);
  }
  target.fields_v1 = FieldsV1(EncodeFieldsV1(fields));
  return absl::OkStatus();
}

absl::Status Upgrade(List<ManagedFieldsEntry>& entries, const Owner& updater,
                     const Owner& applier) {
  ManagedFieldsEntry* target = FindEntry(entries, applier);
  if (target == nullptr) {
    // Upstream believes that the first entry is the most recent one. Servers write the oldest
    // first.
    target = FindEntry(entries, updater);
    if (target == nullptr) return absl::OkStatus();
    target->operation = applier.operation;
    target->manager = applier.manager;
  }
  KUBE_RETURN_IF_ERROR(UniteInto(*target, entries, updater));
  erase_if(entries, [&](const ManagedFieldsEntry& entry) { return updater.Has(entry); });
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<List<ManagedFieldsEntry>> UpgradeManagedFields(
    const List<ManagedFieldsEntry>& entries, const std::set<std::string>& updaters,
    absl::string_view applier, const UpgradeOptions& options) {
  List<ManagedFieldsEntry> upgraded = entries;
  for (const std::string& updater : updaters) {
    KUBE_RETURN_IF_ERROR(Upgrade(upgraded,
                                 {updater, kManagedFieldsOperationUpdate, options.subresource},
                                 {applier, kManagedFieldsOperationApply, options.subresource}));
  }
  return upgraded;
}

absl::StatusOr<std::string> UpgradeManagedFieldsPatch(const api::meta::v1::ObjectMeta& metadata,
                                                      const std::set<std::string>& updaters,
                                                      absl::string_view applier,
                                                      const UpgradeOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const List<ManagedFieldsEntry> upgraded,
                        UpgradeManagedFields(metadata.managed_fields, updaters, applier, options));
  if (upgraded == metadata.managed_fields) return std::string();
  std::string patch = R"([{"op":"replace","path":"/metadata/managedFields","value":[)";
  for (const ManagedFieldsEntry& entry : upgraded) {
    if (&entry != upgraded.begin()) patch += ',';
    KUBE_RETURN_IF_ERROR(codec::AppendJson(patch, entry));
  }
  // A server answers 409 to a resourceVersion that is not the current one. The operation "test"
  // would be answered as an invalid request.
  KUBE_ASSIGN_OR_RETURN(const std::string version,
                        unstructured::EncodeJson(unstructured::Value(metadata.resource_version)));
  absl::StrAppend(&patch, R"(]},{"op":"replace","path":"/metadata/resourceVersion","value":)",
                  version, "}]");
  return patch;
}

std::vector<ManagedFieldsEntry> FindFieldsOwners(const List<ManagedFieldsEntry>& entries,
                                                 Operation operation, const FieldSet& fields) {
  const absl::string_view wanted =
      operation == Operation::kApply ? kManagedFieldsOperationApply : kManagedFieldsOperationUpdate;
  std::vector<ManagedFieldsEntry> owners;
  for (const ManagedFieldsEntry& entry : entries) {
    if (entry.operation != wanted) continue;
    const absl::StatusOr<FieldSet> owned = DecodeFieldsV1(entry.fields_v1->view());
    if (owned.ok() && fields.Difference(*owned).empty()) owners.push_back(entry);
  }
  return owners;
}

}  // namespace kube::managedfields
