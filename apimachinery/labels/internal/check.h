#ifndef APIMACHINERY_LABELS_INTERNAL_CHECK_H_
#define APIMACHINERY_LABELS_INTERNAL_CHECK_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Checks keys and values of selectors. Returns no or one error, which lists all faults.
// (client-go: `labels.validateLabelKey`, `labels.validateLabelValue`) The functions are
// thread-safe.
namespace kube::labels::internal {

validation::field::ErrorList CheckLabelKey(absl::string_view key,
                                           const validation::field::Path& path);

validation::field::ErrorList CheckLabelValue(absl::string_view key, absl::string_view value,
                                             const validation::field::Path& path);

}  // namespace kube::labels::internal

#endif  // APIMACHINERY_LABELS_INTERNAL_CHECK_H_
