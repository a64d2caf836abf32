#ifndef APIMACHINERY_VALIDATION_META_V1_H_
#define APIMACHINERY_VALIDATION_META_V1_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// What an API server checks of the types of meta/v1: label selectors, labels, managed fields,
// conditions, and the options of requests. (pkg/apis/meta/v1/validation)
//
// Errors come in the order of the members, and of maps by key, where upstream's come in the random
// order of Go's maps. Pure functions: thread-safe.
namespace kube::validation {

struct LabelSelectorValidationOptions {
  // Do not check the values of expressions: for old objects that have invalid ones. Default: false.
  bool allow_invalid_label_value = false;
  // Let operators pass that are unknown here, as a SubjectAccessReview may. Default: false.
  bool allow_unknown_operator = false;
};

[[nodiscard]] field::ErrorList ValidateLabelSelector(
    const api::meta::v1::LabelSelector& selector, const field::Path& path,
    const LabelSelectorValidationOptions& options = {});

[[nodiscard]] field::ErrorList ValidateLabelSelectorRequirement(
    const api::meta::v1::LabelSelectorRequirement& requirement, const field::Path& path,
    const LabelSelectorValidationOptions& options = {});

// Whether some expression has such a value: then an update of the object may keep it.
bool LabelSelectorHasInvalidLabelValue(const api::meta::v1::LabelSelector& selector);

struct FieldSelectorValidationOptions {
  // As above.
  bool allow_unknown_operator = false;
};

[[nodiscard]] field::ErrorList ValidateFieldSelectorRequirement(
    const api::meta::v1::FieldSelectorRequirement& requirement, const field::Path& path,
    const FieldSelectorValidationOptions& options = {});

// A key of labels.
[[nodiscard]] field::ErrorList ValidateLabelName(absl::string_view name, const field::Path& path);
// Keys and values.
[[nodiscard]] field::ErrorList ValidateLabels(const Map<String>& labels, const field::Path& path);

// At most 128 bytes, all of them printable.
[[nodiscard]] field::ErrorList ValidateFieldManager(absl::string_view manager,
                                                    const field::Path& path);
[[nodiscard]] field::ErrorList ValidateManagedFields(
    const List<api::meta::v1::ManagedFieldsEntry>& entries, const field::Path& path);

[[nodiscard]] field::ErrorList ValidateConditions(const List<api::meta::v1::Condition>& conditions,
                                                  const field::Path& path);
[[nodiscard]] field::ErrorList ValidateCondition(const api::meta::v1::Condition& condition,
                                                 const field::Path& path);

// The query parameters of requests.
[[nodiscard]] field::ErrorList ValidateDryRun(const List<String>& dry_run, const field::Path& path);
[[nodiscard]] field::ErrorList ValidateFieldValidation(absl::string_view directive,
                                                       const field::Path& path);
[[nodiscard]] field::ErrorList ValidateCreateOptions(const api::meta::v1::CreateOptions& options);
[[nodiscard]] field::ErrorList ValidateUpdateOptions(const api::meta::v1::UpdateOptions& options);
[[nodiscard]] field::ErrorList ValidateDeleteOptions(const api::meta::v1::DeleteOptions& options);
[[nodiscard]] field::ErrorList ValidateTableOptions(const api::meta::v1::TableOptions& options);
// `apply`: of a server-side apply, which needs a field manager, and alone may be forced.
[[nodiscard]] field::ErrorList ValidatePatchOptions(const api::meta::v1::PatchOptions& options,
                                                    bool apply);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_META_V1_H_
