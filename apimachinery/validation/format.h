#ifndef APIMACHINERY_VALIDATION_FORMAT_H_
#define APIMACHINERY_VALIDATION_FORMAT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// The formats and limits that markers of API types name, such as "+k8s:format=k8s-short-name", with
// the errors and origins of the API server's generated validation (client-go: `pkg/api/validate`).
//
// Each function returns the errors of the value, or an empty list. Upstream's functions also take a
// context and an operation, which these rules do not use. Pure functions: thread-safe.
namespace kube::validation {

// A DNS label: "my-name".
[[nodiscard]] field::ErrorList ShortName(const field::Path& path, absl::string_view value);
// A DNS subdomain: "example.com". For the caseless one see content::IsDns1123SubdomainCaseless.
[[nodiscard]] field::ErrorList LongName(const field::Path& path, absl::string_view value);
[[nodiscard]] field::ErrorList LongNameCaseless(const field::Path& path, absl::string_view value);

[[nodiscard]] field::ErrorList LabelKey(const field::Path& path, absl::string_view value);
[[nodiscard]] field::ErrorList LabelValue(const field::Path& path, absl::string_view value);
[[nodiscard]] field::ErrorList PathSegmentName(const field::Path& path, absl::string_view value);

// "01234567-89ab-cdef-0123-456789abcdef", in lower case.
[[nodiscard]] field::ErrorList Uuid(const field::Path& path, absl::string_view value);

// DNS subdomains separated by slashes: "example.com/pool/1".
[[nodiscard]] field::ErrorList ResourcePoolName(const field::Path& path, absl::string_view value);

// "example.com/gpu"; the domain must not be one of kubernetes.io.
[[nodiscard]] field::ErrorList ExtendedResourceName(const field::Path& path,
                                                    absl::string_view value);

// "example.com/my_device": a domain and a C identifier.
[[nodiscard]] field::ErrorList ResourceFullyQualifiedName(const field::Path& path,
                                                          absl::string_view value);

// Lengths are counted in UTF-8 characters; each invalid byte counts as one.
[[nodiscard]] field::ErrorList MaxLength(const field::Path& path, absl::string_view value, int max);
[[nodiscard]] field::ErrorList MinLength(const field::Path& path, absl::string_view value, int min);
[[nodiscard]] field::ErrorList MaxBytes(const field::Path& path, absl::string_view value, int max);

[[nodiscard]] field::ErrorList MaxItems(const field::Path& path, int items, int max);
[[nodiscard]] field::ErrorList MinItems(const field::Path& path, int items, int min);
[[nodiscard]] field::ErrorList Minimum(const field::Path& path, int64_t value, int64_t min);
[[nodiscard]] field::ErrorList Maximum(const field::Path& path, int64_t value, int64_t max);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_FORMAT_H_
