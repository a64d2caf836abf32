#ifndef APIMACHINERY_VALIDATION_LABEL_H_
#define APIMACHINERY_VALIDATION_LABEL_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

// Keys and values of labels, and names that have a domain before them.
// (pkg/util/validation, pkg/api/validate/content)
//
// What is right costs no allocation. Pure functions: thread-safe.
namespace kube::validation {

inline constexpr int kLabelValueMaxLength = 63;

// "app", "example.com/MyName": keys of labels, annotations and taints; finalizers; types of
// conditions. (IsQualifiedName, content.IsLabelKey)
[[nodiscard]] Messages IsQualifiedName(absl::string_view value);

// "", "my_value". (IsValidLabelValue, content.IsLabelValue)
[[nodiscard]] Messages IsValidLabelValue(absl::string_view value);

// "acme.io/foo", where what follows the slash may be any path of HTTP.
[[nodiscard]] field::ErrorList IsDomainPrefixedPath(const field::Path& path,
                                                    absl::string_view value);

// "acme.io/foo": a qualified name that has the domain.
[[nodiscard]] field::ErrorList IsDomainPrefixedKey(const field::Path& path,
                                                   absl::string_view value);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_LABEL_H_
