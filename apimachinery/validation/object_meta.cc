#include "apimachinery/validation/object_meta.h"

#include <set>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/time.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/value.h"

namespace kube::validation {

namespace metav1 = api::meta::v1;
using field::Append;
using field::BadValue;
using field::ErrorList;
using field::JsonOf;
using field::JsonText;
using field::JsonValue;
using field::Path;

namespace {

// Replaces the last two characters by one, as upstream does (client-go: `maskTrailingDash`).
std::string MaskTrailingDash(absl::string_view name, bool prefix) {
  if (!prefix || name.size() < 2 || name.back() != '-') return std::string(name);
  return absl::StrCat(name.substr(0, name.size() - 2), "a");
}

void AppendInvalid(ErrorList& errors, const Path& path, absl::string_view value,
                   const Messages& messages) {
  for (const std::string& message : messages) {
    errors.push_back(field::Invalid(path, std::string(value), message));
  }
}

// Does what strings.ToLower does, as far as it matters for qualified names: two letters beyond
// ASCII have a lower case within ASCII, and an invalid byte becomes three bytes.
std::string ToLower(absl::string_view text) {
  std::string lower = absl::AsciiStrToLower(text);
  if (absl::c_all_of(lower, [](char c) { return absl::ascii_isascii(c); })) return lower;
  return absl::StrReplaceAll(text::ReplaceInvalidUtf8(lower), {{"\u0130", "i"}, {"\u212a", "k"}});
}

JsonValue JsonOfAll(const List<metav1::OwnerReference>& references) {
  return {absl::StrCat("[",
                       absl::StrJoin(references, ",",
                                     [](std::string* out, const metav1::OwnerReference& ref) {
                                       absl::StrAppend(out, JsonOf(ref).json);
                                     }),
                       "]")};
}

void CheckOwnerReference(const metav1::OwnerReference& ref, const Path& path, ErrorList& errors) {
  const schema::GroupVersionKind kind = schema::FromApiVersionAndKind(ref.api_version, ref.kind);
  if (kind.version.empty()) {
    errors.push_back(field::Invalid(path.Child("apiVersion"), std::string(ref.api_version),
                                    "version must not be empty"));
  }
  const auto require = [&](bool there, absl::string_view name, BadValue value) {
    if (there) return;
    errors.push_back(field::Invalid(path.Child(name), std::move(value), "must not be empty"));
  };
  require(!kind.kind.empty(), "kind", std::string(ref.kind));
  require(!ref.name.empty(), "name", std::string(ref.name));
  require(!ref.uid.empty(), "uid", JsonText(ref.uid));
  if (kind == schema::GroupVersionKind{.version = "v1", .kind = "Event"}) {
    errors.push_back(field::Invalid(
        path, JsonOf(ref), absl::StrCat(kind.ToString(), " is disallowed from being an owner")));
  }
}

void CheckNamespace(const metav1::ObjectMeta& metadata, bool required, const Path& path,
                    ErrorList& errors) {
  const String& name = metadata.namespace_;
  if (!required) {
    if (!name.empty()) errors.push_back(field::Forbidden(path, "not allowed on this type"));
  } else if (name.empty()) {
    errors.push_back(field::Required(path, ""));
  } else {
    AppendInvalid(errors, path, name, NameIsDnsLabel(name, false));
  }
}

// The checks that creation and update share.
void CheckMaps(const metav1::ObjectMeta& metadata, const Path& path, ErrorList& errors) {
  Append(errors, ValidateLabels(metadata.labels, path.Child("labels")));
  Append(errors, ValidateAnnotations(metadata.annotations, path.Child("annotations")));
  Append(errors, ValidateOwnerReferences(metadata.owner_references, path.Child("ownerReferences")));
}

template <typename T>
BadValue JsonOfOpt(const Opt<T>& value) {
  return value.has_value() ? JsonOf(*value) : JsonValue{"null"};
}

// Checks the members that an update must not change.
void CheckImmutable(const metav1::ObjectMeta& now, const metav1::ObjectMeta& old, const Path& path,
                    ErrorList& errors) {
  const auto check = [&](bool same, absl::string_view name, auto value) {
    if (same) return;
    errors.push_back(field::Invalid(path.Child(name), value(), "field is immutable"));
  };
  check(now.name == old.name, "name", [&] { return BadValue(std::string(now.name)); });
  check(now.namespace_ == old.namespace_, "namespace",
        [&] { return BadValue(std::string(now.namespace_)); });
  check(now.uid == old.uid, "uid", [&] { return BadValue(JsonText(now.uid)); });
  check(now.creation_timestamp == old.creation_timestamp, "creationTimestamp",
        [&] { return BadValue(JsonOf(now.creation_timestamp)); });
  check(now.deletion_timestamp == old.deletion_timestamp, "deletionTimestamp",
        [&] { return JsonOfOpt(now.deletion_timestamp); });
  check(now.deletion_grace_period_seconds == old.deletion_grace_period_seconds,
        "deletionGracePeriodSeconds", [&] { return JsonOfOpt(now.deletion_grace_period_seconds); });
}

}  // namespace

Messages NameIsDnsSubdomain(absl::string_view name, bool prefix) {
  return IsDns1123Subdomain(MaskTrailingDash(name, prefix));
}

Messages NameIsDnsLabel(absl::string_view name, bool prefix) {
  return IsDns1123Label(MaskTrailingDash(name, prefix));
}

Messages NameIsDns1035Label(absl::string_view name, bool prefix) {
  return IsDns1035Label(MaskTrailingDash(name, prefix));
}

Messages NameIsPathSegment(absl::string_view name, bool prefix) {
  return prefix ? IsValidPathSegmentPrefix(name) : IsValidPathSegmentName(name);
}

ErrorList ValidateObjectMeta(const metav1::ObjectMeta& metadata, bool requires_namespace,
                             ValidateNameFunc name_rule, const Path& path) {
  ErrorList errors;
  if (!metadata.generate_name.empty()) {
    AppendInvalid(errors, path.Child("generateName"), metadata.generate_name,
                  name_rule(metadata.generate_name, true));
  }
  if (metadata.name.empty()) {
    errors.push_back(field::Required(path.Child("name"), "name or generateName is required"));
  } else {
    AppendInvalid(errors, path.Child("name"), metadata.name, name_rule(metadata.name, false));
  }
  CheckNamespace(metadata, requires_namespace, path.Child("namespace"), errors);
  Append(errors, ValidateNonnegativeField(metadata.generation, path.Child("generation")));
  CheckMaps(metadata, path, errors);
  Append(errors, ValidateFinalizers(metadata.finalizers, path.Child("finalizers")));
  Append(errors, ValidateManagedFields(metadata.managed_fields, path.Child("managedFields")));
  return errors;
}

ErrorList ValidateObjectMetaUpdate(const metav1::ObjectMeta& metadata,
                                   const metav1::ObjectMeta& old_metadata, const Path& path) {
  ErrorList errors;
  if (old_metadata.deletion_timestamp.has_value()) {
    errors = ValidateNoNewFinalizers(metadata.finalizers, old_metadata.finalizers,
                                     path.Child("finalizers"));
  }
  if (metadata.resource_version.empty()) {
    errors.push_back(field::Invalid(path.Child("resourceVersion"), std::string(),
                                    "must be specified for an update"));
  }
  if (metadata.generation < old_metadata.generation) {
    errors.push_back(
        field::Invalid(path.Child("generation"), metadata.generation, "must not be decremented"));
  }
  CheckImmutable(metadata, old_metadata, path, errors);
  CheckMaps(metadata, path, errors);
  Append(errors, ValidateManagedFields(metadata.managed_fields, path.Child("managedFields")));
  return errors;
}

ErrorList ValidateAnnotations(const Map<String>& annotations, const Path& path) {
  ErrorList errors;
  size_t total = 0;
  for (const auto& [key, value] : annotations) {
    const bool lower = absl::c_none_of(
        key.view(), [](char c) { return absl::ascii_isupper(c) || !absl::ascii_isascii(c); });
    AppendInvalid(errors, path, key, IsQualifiedName(lower ? key : String(ToLower(key))));
    total += key.size() + value.size();
  }
  errors = field::WithOrigin(std::move(errors), "format=k8s-label-key");
  if (total > kTotalAnnotationSizeLimitBytes) {
    errors.push_back(field::TooLong(path, static_cast<int>(kTotalAnnotationSizeLimitBytes)));
  }
  return errors;
}

ErrorList ValidateOwnerReferences(const List<metav1::OwnerReference>& references,
                                  const Path& path) {
  ErrorList errors;
  std::string controller;
  for (const metav1::OwnerReference& ref : references) {
    CheckOwnerReference(ref, path, errors);
    if (!*ref.controller) continue;
    std::string name = ref.kind + "/" + ref.name;
    if (controller.empty()) {
      controller = std::move(name);
      continue;
    }
    errors.push_back(field::Invalid(
        path, JsonOfAll(references),
        absl::StrCat("Only one reference can have Controller set to true. Found \"true\" in "
                     "references for ",
                     controller, " and ", name)));
  }
  return errors;
}

ErrorList ValidateFinalizers(const List<String>& finalizers, const Path& path) {
  ErrorList errors;
  for (const String& finalizer : finalizers) {
    Append(errors, ValidateFinalizerName(finalizer, path));
  }
  if (absl::c_linear_search(finalizers, metav1::kFinalizerDeleteDependents) &&
      absl::c_linear_search(finalizers, metav1::kFinalizerOrphanDependents)) {
    errors.push_back(
        field::Invalid(path, JsonOf(finalizers),
                       absl::StrCat("finalizer ", metav1::kFinalizerOrphanDependents, " and ",
                                    metav1::kFinalizerDeleteDependents, " cannot be both set")));
  }
  return errors;
}

ErrorList ValidateFinalizerName(absl::string_view name, const Path& path) {
  ErrorList errors;
  AppendInvalid(errors, path, name, IsQualifiedName(name));
  return errors;
}

ErrorList ValidateNoNewFinalizers(const List<String>& finalizers,
                                  const List<String>& old_finalizers, const Path& path) {
  std::set<absl::string_view> old;
  for (const String& finalizer : old_finalizers) old.insert(finalizer.view());
  std::set<absl::string_view> added;
  for (const String& finalizer : finalizers) {
    if (!old.contains(finalizer.view())) added.insert(finalizer.view());
  }
  if (added.empty()) return {};
  const std::string names = absl::StrJoin(
      added, ", ",
      [](std::string* out, absl::string_view name) { text::AppendQuoted(*out, name); });
  return {
      field::Forbidden(path, absl::StrCat("no new finalizers can be added if the object is being "
                                          "deleted, found new finalizers []string{",
                                          names, "}"))};
}

ErrorList ValidateNonnegativeField(int64_t value, const Path& path) {
  if (value >= 0) return {};
  return field::WithOrigin({field::Invalid(path, value, "must be greater than or equal to 0")},
                           "minimum");
}

}  // namespace kube::validation
