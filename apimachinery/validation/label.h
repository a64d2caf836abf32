#ifndef APIMACHINERY_VALIDATION_LABEL_H_
#define APIMACHINERY_VALIDATION_LABEL_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

// Checks label keys and values, and names with a domain prefix (client-go: `pkg/util/validation`,
// `pkg/api/validate/content`).
//
// Each function returns one message or error per broken rule; the result is empty if the value is
// valid. Checking a valid label key or value allocates no memory. Pure functions: thread-safe.
namespace kube::validation {

inline constexpr int kLabelValueMaxLength = 63;

// "app", "example.com/MyName": keys of labels, annotations and taints; finalizers; types of
// conditions (client-go: `validation.IsQualifiedName`, `content.IsLabelKey`).
[[nodiscard]] Messages IsQualifiedName(absl::string_view value);

// "", "my_value" (client-go: `validation.IsValidLabelValue`, `content.IsLabelValue`).
[[nodiscard]] Messages IsValidLabelValue(absl::string_view value);

// "acme.io/foo"; the part after the slash may be any HTTP path.
[[nodiscard]] field::ErrorList IsDomainPrefixedPath(const field::Path& path,
                                                    absl::string_view value);

// "acme.io/foo": a qualified name that has a domain.
[[nodiscard]] field::ErrorList IsDomainPrefixedKey(const field::Path& path,
                                                   absl::string_view value);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_LABEL_H_
