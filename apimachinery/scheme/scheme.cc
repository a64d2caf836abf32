#include "apimachinery/scheme/scheme.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::scheme {

namespace {

using schema::GroupVersion;
using schema::GroupVersionKind;
using text::Quoted;

GroupVersionKind NameOf(const KindInfo& kind) {
  return {.group = std::string(kind.group),
          .version = std::string(kind.version),
          .kind = std::string(kind.kind)};
}

template <typename T>
bool Contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

absl::StatusOr<FieldLabel> DefaultMetaV1FieldSelectorConversion(absl::string_view label,
                                                                absl::string_view value) {
  if (label != "metadata.name" && label != "metadata.namespace") {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(label), " is not a known field selector: only \"metadata.name\", ",
                     "\"metadata.namespace\""));
  }
  return FieldLabel{.label = std::string(label), .value = std::string(value)};
}

absl::Status Scheme::CheckNew(const GroupVersionKind& name, const KindInfo& kind) const {
  const absl::string_view type = kind.message->type_name();
  if (name.version.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("version is required on all types: ", name.ToString(), " ", type));
  }
  const auto it = kinds_.find(name);
  if (it == kinds_.end() || it->second.info().message == kind.message) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat("Double registration of different types for ",
                                               name.ToString(),
                                               ": old=", it->second.info().message->type_name(),
                                               ", new=", type, " in scheme ", Quoted(name_)));
}

void Scheme::Add(const GroupVersionKind& name, const KindInfo& kind) {
  Observe(name.group_version());
  const auto [it, is_new] = kinds_.try_emplace(name);
  if (!is_new) return;
  if (NameOf(kind) == name) {
    it->second.given = &kind;
  } else {
    it->second.renamed = kind;
    it->second.renamed.group = it->first.group;
    it->second.renamed.version = it->first.version;
    it->second.renamed.kind = it->first.kind;
  }
  kinds_of_type_[kind.message].push_back(name);
}

absl::Status Scheme::AddKinds(absl::Span<const KindInfo> kinds) {
  for (const KindInfo& kind : kinds) KUBE_RETURN_IF_ERROR(CheckNew(NameOf(kind), kind));
  for (const KindInfo& kind : kinds) Add(NameOf(kind), kind);
  return absl::OkStatus();
}

absl::Status Scheme::AddKnownTypeWithName(const GroupVersionKind& name, const KindInfo& kind) {
  KUBE_RETURN_IF_ERROR(CheckNew(name, kind));
  Add(name, kind);
  return absl::OkStatus();
}

absl::Status Scheme::AddUnversionedKinds(absl::Span<const KindInfo> kinds) {
  for (const KindInfo& kind : kinds) {
    const auto it = unversioned_kinds_.find(std::string(kind.kind));
    if (it == unversioned_kinds_.end() || it->second->message == kind.message) continue;
    return absl::AlreadyExistsError(absl::StrCat(
        it->second->message->type_name(), " has already been registered as unversioned kind ",
        Quoted(kind.kind), " - kind name must be unique in scheme ", Quoted(name_)));
  }
  KUBE_RETURN_IF_ERROR(AddKinds(kinds));
  for (const KindInfo& kind : kinds) {
    unversioned_types_[kind.message] = NameOf(kind);
    unversioned_kinds_.try_emplace(std::string(kind.kind), &kind);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<GroupVersionKind>> Scheme::ObjectKinds(
    const kube::table::Message& message) const {
  const auto it = kinds_of_type_.find(&message);
  if (it == kinds_of_type_.end()) return NotRegisteredErrorForType(name_, message.type_name());
  return it->second;
}

absl::StatusOr<std::vector<GroupVersionKind>> Scheme::ObjectKinds(
    const unstructured::Unstructured& object) const {
  const GroupVersionKind kind = object.gvk();
  if (kind.kind.empty()) return MissingKindError("unstructured object has no kind");
  if (kind.version.empty()) return MissingVersionError("unstructured object has no version");
  return {{kind}};
}

const KindInfo* Scheme::Find(const GroupVersionKind& kind) const {
  if (const auto it = kinds_.find(kind); it != kinds_.end()) return &it->second.info();
  const auto it = unversioned_kinds_.find(kind.kind);
  return it == unversioned_kinds_.end() ? nullptr : it->second;
}

absl::StatusOr<codec::AnyObject> Scheme::New(const GroupVersionKind& kind) const {
  const KindInfo* const info = Find(kind);
  if (info == nullptr) return NotRegisteredErrorForKind(name_, kind);
  return codec::AnyObject(*info);
}

std::map<std::string, const KindInfo*> Scheme::KnownTypes(const GroupVersion& version) const {
  std::map<std::string, const KindInfo*> known;
  for (const auto& [name, registered] : kinds_) {
    if (name.group_version() == version) known.emplace(name.kind, &registered.info());
  }
  return known;
}

std::map<GroupVersionKind, const KindInfo*> Scheme::AllKnownTypes() const {
  std::map<GroupVersionKind, const KindInfo*> known;
  for (const auto& [name, registered] : kinds_) known.emplace(name, &registered.info());
  return known;
}

absl::Status Scheme::SetVersionPriority(const std::vector<GroupVersion>& versions) {
  std::set<std::string> groups;
  std::vector<std::string> order;
  for (const GroupVersion& version : versions) {
    if (version.version.empty() || version.version == kInternalVersion) {
      return absl::InvalidArgumentError(
          absl::StrCat("internal versions cannot be prioritized: ", version.ToString()));
    }
    groups.insert(version.group);
    order.push_back(version.version);
  }
  if (groups.size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat("must register versions for exactly one group: ",
                                                   absl::StrJoin(groups, ", ")));
  }
  version_priority_[*groups.begin()] = std::move(order);
  return absl::OkStatus();
}

std::vector<GroupVersion> Scheme::PrioritizedVersionsForGroup(absl::string_view group) const {
  std::vector<GroupVersion> versions;
  if (const auto it = version_priority_.find(std::string(group)); it != version_priority_.end()) {
    for (const std::string& version : it->second) versions.push_back({it->first, version});
  }
  for (const GroupVersion& observed : observed_versions_) {
    if (observed.group == group && !Contains(versions, observed)) versions.push_back(observed);
  }
  return versions;
}

std::vector<GroupVersion> Scheme::PrioritizedVersionsAllGroups() const {
  std::vector<GroupVersion> all;
  for (const auto& [group, versions] : version_priority_) {
    for (const std::string& version : versions) all.push_back({group, version});
  }
  for (const GroupVersion& observed : observed_versions_) {
    if (!Contains(all, observed)) all.push_back(observed);
  }
  return all;
}

std::vector<GroupVersion> Scheme::PreferredVersionAllGroups() const {
  std::vector<GroupVersion> preferred;
  std::set<std::string> groups;
  for (const auto& [group, versions] : version_priority_) {
    preferred.push_back({group, versions[0]});
    groups.insert(group);
  }
  for (const GroupVersion& observed : observed_versions_) {
    if (groups.insert(observed.group).second) preferred.push_back(observed);
  }
  return preferred;
}

std::vector<GroupVersion> Scheme::VersionsForGroupKind(const schema::GroupKind& kind) const {
  std::vector<GroupVersion> versions;
  for (const GroupVersion& version : PrioritizedVersionsForGroup(kind.group)) {
    if (kinds_.contains(kind.WithVersion(version.version))) versions.push_back(version);
  }
  return versions;
}

bool Scheme::IsGroupRegistered(absl::string_view group) const {
  return std::any_of(observed_versions_.begin(), observed_versions_.end(),
                     [group](const GroupVersion& version) { return version.group == group; });
}

bool Scheme::IsVersionRegistered(const GroupVersion& version) const {
  return Contains(observed_versions_, version);
}

void Scheme::Observe(const GroupVersion& version) {
  if (version.version == kInternalVersion || Contains(observed_versions_, version)) return;
  observed_versions_.push_back(version);
}

void Scheme::Default(void* object, const kube::table::Message& message) const {
  const auto it = defaulting_funcs_.find(&message);
  if (it != defaulting_funcs_.end()) it->second(object);
}

absl::StatusOr<FieldLabel> Scheme::ConvertFieldLabel(const GroupVersionKind& kind,
                                                     absl::string_view label,
                                                     absl::string_view value) const {
  const auto it = field_label_funcs_.find(kind);
  if (it == field_label_funcs_.end()) return DefaultMetaV1FieldSelectorConversion(label, value);
  return it->second(label, value);
}

}  // namespace kube::scheme
