#include "apimachinery/validation/meta_v1.h"

#include <cstddef>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/validation/internal/scan.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/messages.h"

namespace kube::validation {

namespace metav1 = api::meta::v1;
using field::Append;
using field::ErrorList;
using field::JsonText;
using field::Path;

namespace {

constexpr int kMaxFieldManager = 128;
constexpr int kMaxSubresource = 256;
constexpr int kMaxReason = 1024;
constexpr int kMaxMessage = 32 * 1024;

// The checks that label and field selector requirements share.
template <typename Requirement>
ErrorList CheckOperator(const Requirement& requirement, bool allow_unknown, const Path& path) {
  const String& op = requirement.operator_;
  if (op == metav1::kLabelSelectorOpIn || op == metav1::kLabelSelectorOpNotIn) {
    if (!requirement.values.empty()) return {};
    return {field::Required(path.Child("values"),
                            "must be specified when `operator` is 'In' or 'NotIn'")};
  }
  if (op == metav1::kLabelSelectorOpExists || op == metav1::kLabelSelectorOpDoesNotExist) {
    if (requirement.values.empty()) return {};
    return {field::Forbidden(path.Child("values"),
                             "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")};
  }
  if (allow_unknown) return {};
  return {field::Invalid(path.Child("operator"), JsonText(op), "not a valid selector operator")};
}

// Returns whether `reason` matches "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?".
bool IsReason(absl::string_view reason) {
  using internal::kAlnum;
  using internal::kUnderscore;
  return internal::IsWord(reason, internal::kAlpha, kAlnum | kUnderscore | internal::kReason,
                          kAlnum | kUnderscore);
}

void CheckReason(const String& reason, const Path& path, ErrorList& errors) {
  if (reason.empty()) {
    errors.push_back(field::Required(path, ""));
    return;
  }
  if (!IsReason(reason)) {
    errors.push_back(field::Invalid(
        path, std::string(reason),
        RegexError("a condition reason must start with alphabetic character, optionally followed "
                   "by a string of alphanumeric characters or '_,:', and must end with an "
                   "alphanumeric character or '_'",
                   "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?",
                   {"my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"})));
  }
  if (reason.size() > size_t{kMaxReason}) errors.push_back(field::TooLong(path, kMaxReason));
}

// The checks that the options of create, update and patch share.
template <typename Options>
void CheckWriteOptions(const Options& options, ErrorList& errors) {
  Append(errors, ValidateFieldManager(options.field_manager, Path("fieldManager")));
  Append(errors, ValidateDryRun(options.dry_run, Path("dryRun")));
  Append(errors, ValidateFieldValidation(options.field_validation, Path("fieldValidation")));
}

// With this option a corrupt object is removed at once, so no option may be set that requires
// reading it.
ErrorList CheckIgnoreStoreReadError(const metav1::DeleteOptions& options) {
  ErrorList errors;
  if (!*options.ignore_store_read_error_with_cluster_breaking_potential) return errors;
  const auto check = [&](bool set, absl::string_view name) {
    if (!set) return;
    errors.push_back(field::Invalid(Path("ignoreStoreReadErrorWithClusterBreakingPotential"), true,
                                    absl::StrCat("cannot be set together with .", name)));
  };
  check(!options.dry_run.empty(), "dryRun");
  check(options.propagation_policy.has_value(), "propagationPolicy");
  check(options.orphan_dependents.has_value(), "orphanDependents");
  check(options.grace_period_seconds.has_value(), "gracePeriodSeconds");
  check(options.preconditions.has_value(), "preconditions");
  return errors;
}

bool IsOneOf(absl::string_view text, absl::Span<const absl::string_view> valid) {
  return absl::c_linear_search(valid, text);
}

}  // namespace

ErrorList ValidateLabelSelector(const metav1::LabelSelector& selector, const Path& path,
                                const LabelSelectorValidationOptions& options) {
  ErrorList errors = ValidateLabels(selector.match_labels, path.Child("matchLabels"));
  const Path expressions = path.Child("matchExpressions");
  for (size_t i = 0; i < selector.match_expressions.size(); ++i) {
    Append(errors, ValidateLabelSelectorRequirement(selector.match_expressions[i],
                                                    expressions.Index(i), options));
  }
  return errors;
}

ErrorList ValidateLabelSelectorRequirement(const metav1::LabelSelectorRequirement& requirement,
                                           const Path& path,
                                           const LabelSelectorValidationOptions& options) {
  ErrorList errors = CheckOperator(requirement, options.allow_unknown_operator, path);
  Append(errors, ValidateLabelName(requirement.key, path.Child("key")));
  if (options.allow_invalid_label_value) return errors;
  for (size_t i = 0; i < requirement.values.size(); ++i) {
    const String& value = requirement.values[i];
    for (const std::string& wrong : IsValidLabelValue(value)) {
      errors.push_back(field::Invalid(path.Child("values").Index(i), std::string(value), wrong));
    }
  }
  return errors;
}

bool LabelSelectorHasInvalidLabelValue(const metav1::LabelSelector& selector) {
  return absl::c_any_of(selector.match_expressions, [](const auto& requirement) {
    return absl::c_any_of(requirement.values,
                          [](const String& value) { return !IsValidLabelValue(value).empty(); });
  });
}

ErrorList ValidateFieldSelectorRequirement(const metav1::FieldSelectorRequirement& requirement,
                                           const Path& path,
                                           const FieldSelectorValidationOptions& options) {
  ErrorList errors;
  if (requirement.key.empty()) {
    errors.push_back(field::Required(path.Child("key"), "must be specified"));
  }
  Append(errors, CheckOperator(requirement, options.allow_unknown_operator, path));
  return errors;
}

ErrorList ValidateLabelName(absl::string_view name, const Path& path) {
  ErrorList errors;
  for (const std::string& wrong : IsQualifiedName(name)) {
    errors.push_back(field::Invalid(path, std::string(name), wrong));
  }
  return field::WithOrigin(std::move(errors), "format=k8s-label-key");
}

ErrorList ValidateLabels(const Map<String>& labels, const Path& path) {
  ErrorList errors;
  for (const auto& [key, value] : labels) {
    Append(errors, ValidateLabelName(key, path));
    for (const std::string& wrong : IsValidLabelValue(value)) {
      errors.push_back(field::Invalid(path, std::string(value), wrong));
      errors.back().origin = "format=k8s-label-value";
    }
  }
  return errors;
}

ErrorList ValidateFieldManager(absl::string_view manager, const Path& path) {
  ErrorList errors;
  if (manager.size() > size_t{kMaxFieldManager}) {
    errors.push_back(field::TooLong(path, kMaxFieldManager));
  }
  for (size_t i = 0; i < manager.size();) {
    const text::Rune rune = text::DecodeRune(manager.substr(i));
    if (!text::IsPrint(rune.value)) {
      errors.push_back(field::Invalid(
          path, std::string(manager),
          absl::StrFormat("invalid character U+%04X (at position %d)", uint32_t{rune.value}, i)));
    }
    i += rune.size;
  }
  return errors;
}

ErrorList ValidateManagedFields(const List<metav1::ManagedFieldsEntry>& entries, const Path& path) {
  ErrorList errors;
  for (size_t i = 0; i < entries.size(); ++i) {
    const metav1::ManagedFieldsEntry& entry = entries[i];
    const Path at = path.Index(i);
    if (entry.operation != metav1::kManagedFieldsOperationApply &&
        entry.operation != metav1::kManagedFieldsOperationUpdate) {
      errors.push_back(field::Invalid(at.Child("operation"), JsonText(entry.operation),
                                      "must be `Apply` or `Update`"));
    }
    if (!entry.fields_type.empty() && entry.fields_type != "FieldsV1") {
      errors.push_back(field::Invalid(at.Child("fieldsType"), std::string(entry.fields_type),
                                      "must be `FieldsV1`"));
    }
    Append(errors, ValidateFieldManager(entry.manager, at.Child("manager")));
    if (entry.subresource.size() > size_t{kMaxSubresource}) {
      errors.push_back(field::TooLong(at.Child("subresource"), kMaxSubresource));
    }
  }
  return errors;
}

ErrorList ValidateConditions(const List<metav1::Condition>& conditions, const Path& path) {
  ErrorList errors;
  absl::flat_hash_set<absl::string_view> types;
  for (size_t i = 0; i < conditions.size(); ++i) {
    const String& type = conditions[i].type;
    if (!types.insert(type.view()).second) {
      errors.push_back(field::Duplicate(path.Index(i).Child("type"), std::string(type)));
    }
    Append(errors, ValidateCondition(conditions[i], path.Index(i)));
  }
  return errors;
}

ErrorList ValidateCondition(const metav1::Condition& condition, const Path& path) {
  constexpr absl::string_view kStatuses[] = {metav1::kConditionFalse, metav1::kConditionTrue,
                                             metav1::kConditionUnknown};
  ErrorList errors = ValidateLabelName(condition.type, path.Child("type"));
  if (!IsOneOf(condition.status, kStatuses)) {
    errors.push_back(
        field::NotSupported(path.Child("status"), JsonText(condition.status), kStatuses));
  }
  if (condition.observed_generation < 0) {
    errors.push_back(field::Invalid(path.Child("observedGeneration"), condition.observed_generation,
                                    "must be greater than or equal to zero"));
  }
  if (condition.last_transition_time.IsZero()) {
    errors.push_back(field::Required(path.Child("lastTransitionTime"), ""));
  }
  CheckReason(condition.reason, path.Child("reason"), errors);
  if (condition.message.size() > size_t{kMaxMessage}) {
    errors.push_back(field::TooLong(path.Child("message"), kMaxMessage));
  }
  return errors;
}

ErrorList ValidateDryRun(const List<String>& dry_run, const Path& path) {
  constexpr absl::string_view kValid[] = {metav1::kDryRunAll};
  if (absl::c_all_of(dry_run, [&](const String& value) { return IsOneOf(value, kValid); })) {
    return {};
  }
  return {field::NotSupported(path, field::JsonOf(dry_run), kValid)};
}

ErrorList ValidateFieldValidation(absl::string_view directive, const Path& path) {
  constexpr absl::string_view kValid[] = {"", metav1::kFieldValidationIgnore,
                                          metav1::kFieldValidationStrict,
                                          metav1::kFieldValidationWarn};
  if (IsOneOf(directive, kValid)) return {};
  return {field::NotSupported(path, std::string(directive), kValid)};
}

ErrorList ValidateCreateOptions(const metav1::CreateOptions& options) {
  ErrorList errors;
  CheckWriteOptions(options, errors);
  return errors;
}

ErrorList ValidateUpdateOptions(const metav1::UpdateOptions& options) {
  ErrorList errors;
  CheckWriteOptions(options, errors);
  return errors;
}

ErrorList ValidateDeleteOptions(const metav1::DeleteOptions& options) {
  constexpr absl::string_view kPolicies[] = {metav1::kDeletePropagationForeground,
                                             metav1::kDeletePropagationBackground,
                                             metav1::kDeletePropagationOrphan, "nil"};
  ErrorList errors;
  if (options.propagation_policy.has_value()) {
    const Path path("propagationPolicy");
    const absl::string_view policy = options.propagation_policy->view();
    if (options.orphan_dependents.has_value()) {
      errors.push_back(field::Invalid(
          path, JsonText(policy), "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (!IsOneOf(policy, absl::MakeConstSpan(kPolicies).first(3))) {
      errors.push_back(field::NotSupported(path, JsonText(policy), kPolicies));
    }
  }
  Append(errors, ValidateDryRun(options.dry_run, Path("dryRun")));
  Append(errors, CheckIgnoreStoreReadError(options));
  return errors;
}

ErrorList ValidateTableOptions(const metav1::TableOptions& options) {
  if (IsOneOf(options.include_object,
              {"", metav1::kIncludeMetadata, metav1::kIncludeNone, metav1::kIncludeObject})) {
    return {};
  }
  return {field::Invalid(Path("includeObject"), JsonText(options.include_object),
                         "must be 'Metadata', 'Object', 'None', or empty")};
}

ErrorList ValidatePatchOptions(const metav1::PatchOptions& options, bool apply) {
  ErrorList errors;
  if (apply && options.field_manager.empty()) {
    errors.push_back(field::Required(Path("fieldManager"), "is required for apply patch"));
  } else if (!apply && options.force.has_value()) {
    errors.push_back(field::Forbidden(Path("force"), "may not be specified for non-apply patch"));
  }
  CheckWriteOptions(options, errors);
  return errors;
}

}  // namespace kube::validation
