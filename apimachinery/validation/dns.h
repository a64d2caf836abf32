#ifndef APIMACHINERY_VALIDATION_DNS_H_
#define APIMACHINERY_VALIDATION_DNS_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

// Checks names against the rules of DNS, which the names of most objects follow (client-go:
// `pkg/util/validation`, `pkg/api/validate/content`).
//
// Each function returns one message per broken rule; the result is empty if the value is valid.
// Checking a valid value allocates no memory. Pure functions: thread-safe.
namespace kube::validation {

inline constexpr int kDns1123LabelMaxLength = 63;
inline constexpr int kDns1123SubdomainMaxLength = 253;
inline constexpr int kDns1035LabelMaxLength = 63;

// "my-name", "123-abc": names of namespaces and containers.
[[nodiscard]] Messages IsDns1123Label(absl::string_view value);

// "example.com": names of most objects.
[[nodiscard]] Messages IsDns1123Subdomain(absl::string_view value);

// "_sip._tcp.example.com": search domains of pods.
[[nodiscard]] Messages IsDns1123SubdomainWithUnderscore(absl::string_view value);

// "my-name", beginning with a letter: names of services.
[[nodiscard]] Messages IsDns1035Label(absl::string_view value);

// "*.example.com": hosts of ingresses.
[[nodiscard]] Messages IsWildcardDns1123Subdomain(absl::string_view value);

// The functions of pkg/api/validate/content. They check the same lengths, but their messages say
// bytes instead of characters. The checks of label keys use these.
namespace content {

[[nodiscard]] Messages IsDns1123Label(absl::string_view value);
[[nodiscard]] Messages IsDns1123Subdomain(absl::string_view value);

// Also accepts upper case. Names that differ only in case are then different names, so upstream
// advises against it. As in Go's case-insensitive regular expressions, U+017F and U+212A count as s
// and k.
[[nodiscard]] Messages IsDns1123SubdomainCaseless(absl::string_view value);

}  // namespace content

// "www.example.com": at least three parts, and no dot at the end.
[[nodiscard]] field::ErrorList IsFullyQualifiedName(const field::Path& path,
                                                    absl::string_view name);

// "example.com", "example.com.": at least two parts.
[[nodiscard]] field::ErrorList IsFullyQualifiedDomainName(const field::Path& path,
                                                          absl::string_view name);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_DNS_H_
