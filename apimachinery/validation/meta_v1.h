#ifndef APIMACHINERY_VALIDATION_META_V1_H_
#define APIMACHINERY_VALIDATION_META_V1_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// The checks that an API server applies to the types of meta/v1: label selectors, labels, managed
// fields, conditions, and the options of requests (client-go: `pkg/apis/meta/v1/validation`).
//
// Each function returns the errors of the value, or an empty list. Errors come in the order of the
// members, and for maps in the order of the keys, where upstream's come in the random order of Go's
// maps. Pure functions: thread-safe.
namespace kube::validation {

// What is tolerated in a label selector.
struct LabelSelectorValidationOptions {
  // Does not check the values of expressions, for old objects that have invalid ones. Default:
  // false.
  bool allow_invalid_label_value = false;
  // Accepts unknown operators, as a SubjectAccessReview does. Default: false.
  bool allow_unknown_operator = false;
};

[[nodiscard]] field::ErrorList ValidateLabelSelector(
    const api::meta::v1::LabelSelector& selector, const field::Path& path,
    const LabelSelectorValidationOptions& options = {});

[[nodiscard]] field::ErrorList ValidateLabelSelectorRequirement(
    const api::meta::v1::LabelSelectorRequirement& requirement, const field::Path& path,
    const LabelSelectorValidationOptions& options = {});

// Returns whether an expression has an invalid value; an update of the object may then keep it.
bool LabelSelectorHasInvalidLabelValue(const api::meta::v1::LabelSelector& selector);

// What is tolerated in a field selector.
struct FieldSelectorValidationOptions {
  // Accepts unknown operators. Default: false.
  bool allow_unknown_operator = false;
};

[[nodiscard]] field::ErrorList ValidateFieldSelectorRequirement(
    const api::meta::v1::FieldSelectorRequirement& requirement, const field::Path& path,
    const FieldSelectorValidationOptions& options = {});

// Checks the key of a label.
[[nodiscard]] field::ErrorList ValidateLabelName(absl::string_view name, const field::Path& path);
// Checks keys and values.
[[nodiscard]] field::ErrorList ValidateLabels(const Map<String>& labels, const field::Path& path);

// Checks a field manager: at most 128 bytes, all characters printable.
[[nodiscard]] field::ErrorList ValidateFieldManager(absl::string_view manager,
                                                    const field::Path& path);
[[nodiscard]] field::ErrorList ValidateManagedFields(
    const List<api::meta::v1::ManagedFieldsEntry>& entries, const field::Path& path);

[[nodiscard]] field::ErrorList ValidateConditions(const List<api::meta::v1::Condition>& conditions,
                                                  const field::Path& path);
[[nodiscard]] field::ErrorList ValidateCondition(const api::meta::v1::Condition& condition,
                                                 const field::Path& path);

// Check the query parameters of requests.
[[nodiscard]] field::ErrorList ValidateDryRun(const List<String>& dry_run, const field::Path& path);
[[nodiscard]] field::ErrorList ValidateFieldValidation(absl::string_view directive,
                                                       const field::Path& path);
[[nodiscard]] field::ErrorList ValidateCreateOptions(const api::meta::v1::CreateOptions& options);
[[nodiscard]] field::ErrorList ValidateUpdateOptions(const api::meta::v1::UpdateOptions& options);
[[nodiscard]] field::ErrorList ValidateDeleteOptions(const api::meta::v1::DeleteOptions& options);
[[nodiscard]] field::ErrorList ValidateTableOptions(const api::meta::v1::TableOptions& options);
// `apply` means a server-side apply: it requires a field manager, and only it may be forced.
[[nodiscard]] field::ErrorList ValidatePatchOptions(const api::meta::v1::PatchOptions& options,
                                                    bool apply);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_META_V1_H_
