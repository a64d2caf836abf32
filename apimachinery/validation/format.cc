#include "apimachinery/validation/format.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/value.h"

namespace kube::validation {
namespace {

constexpr int kMaxDeviceName = 32;
constexpr int kMaxDevicePrefix = 63;

// Makes an "invalid" error of each message.
field::ErrorList InvalidEach(const field::Path& path, absl::string_view value,
                             const Messages& messages, absl::string_view before = "") {
  field::ErrorList errors;
  for (const std::string& message : messages) {
    errors.push_back(field::Invalid(path, std::string(value), absl::StrCat(before, message)));
  }
  return errors;
}

field::ErrorList WithFormat(field::ErrorList errors, absl::string_view format) {
  return field::WithOrigin(std::move(errors), absl::StrCat("format=", format));
}

bool IsUuid(absl::string_view value) {
  if (value.size() != 36) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (dash ? c != '-' : !digit) return false;
  }
  return true;
}

field::ErrorList CheckDeviceName(const field::Path& path, absl::string_view name) {
  field::ErrorList errors;
  if (name.size() > size_t{kMaxDeviceName}) errors.push_back(field::TooLong(path, kMaxDeviceName));
  field::Append(errors, InvalidEach(path, name, IsCIdentifier(name)));
  return errors;
}

int Characters(absl::string_view text) {
  int count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(text::DecodeRune(text).size);
  return count;
}

}  // namespace

field::ErrorList ShortName(const field::Path& path, absl::string_view value) {
  return WithFormat(InvalidEach(path, value, content::IsDns1123Label(value)), "k8s-short-name");
}

field::ErrorList LongName(const field::Path& path, absl::string_view value) {
  return WithFormat(InvalidEach(path, value, content::IsDns1123Subdomain(value)), "k8s-long-name");
}

field::ErrorList LongNameCaseless(const field::Path& path, absl::string_view value) {
  return WithFormat(InvalidEach(path, value, content::IsDns1123SubdomainCaseless(value)),
                    "k8s-long-name-caseless");
}

field::ErrorList LabelKey(const field::Path& path, absl::string_view value) {
  return WithFormat(InvalidEach(path, value, IsQualifiedName(value)), "k8s-label-key");
}

field::ErrorList LabelValue(const field::Path& path, absl::string_view value) {
  return WithFormat(InvalidEach(path, value, IsValidLabelValue(value)), "k8s-label-value");
}

field::ErrorList PathSegmentName(const field::Path& path, absl::string_view value) {
  return WithFormat(InvalidEach(path, value, IsValidPathSegmentName(value)),
                    "k8s-path-segment-name");
}

field::ErrorList Uuid(const field::Path& path, absl::string_view value) {
  if (IsUuid(value)) return {};
  return WithFormat(InvalidEach(path, value, {"must be a lowercase UUID in 8-4-4-4-12 format"}),
                    "k8s-uuid");
}

field::ErrorList ResourcePoolName(const field::Path& path, absl::string_view value) {
  field::ErrorList errors;
  if (value.size() > size_t{kDns1123SubdomainMaxLength}) {
    errors.push_back(field::TooLong(path, kDns1123SubdomainMaxLength));
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(value, '/');
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string before = absl::StrCat("segment ", i, ": ");
    if (parts[i].empty()) {
      field::Append(errors, InvalidEach(path, value, {"must not be empty"}, before));
    } else {
      const Messages wrong = content::IsDns1123Subdomain(parts[i]);
      field::Append(errors, InvalidEach(path, parts[i], wrong, before));
    }
  }
  return WithFormat(std::move(errors), "k8s-resource-pool-name");
}

field::ErrorList ExtendedResourceName(const field::Path& path, absl::string_view value) {
  Messages wrong;
  if (!absl::StrContains(value, "/")) {
    wrong.push_back("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  } else if (absl::StrContains(value, "kubernetes.io/")) {
    wrong.push_back("must not have \"kubernetes.io/\" domain");
  }
  if (absl::StartsWith(value, "requests.")) {
    wrong.push_back("must not have \"requests.\" prefix");
  }
  // It must be possible to name the resource in a quota.
  for (std::string& message : IsQualifiedName(absl::StrCat("requests.", value))) {
    wrong.push_back(std::move(message));
  }
  return WithFormat(InvalidEach(path, value, wrong), "k8s-extended-resource-name");
}

// As upstream, a name with several slashes is not checked.
field::ErrorList ResourceFullyQualifiedName(const field::Path& path, absl::string_view value) {
  const std::vector<absl::string_view> parts = absl::StrSplit(value, '/');
  field::ErrorList errors;
  if (parts.size() == 1) {
    errors = CheckDeviceName(path, value);
    field::Append(errors, InvalidEach(path, value,
                                      {"a fully qualified name must be a domain and a name "
                                       "separated by a slash"}));
  } else if (parts.size() == 2) {
    if (parts[0].empty()) {
      errors = InvalidEach(path, "", {"prefix must not be empty"});
    } else {
      if (parts[0].size() > size_t{kMaxDevicePrefix}) {
        errors.push_back(field::TooLong(path, kMaxDevicePrefix));
      }
      const Messages wrong = content::IsDns1123Subdomain(parts[0]);
      field::Append(errors, InvalidEach(path, parts[0], wrong, "prefix: "));
    }
    field::Append(errors, parts[1].empty() ? InvalidEach(path, "", {"name must not be empty"})
                                           : CheckDeviceName(path, parts[1]));
  }
  return WithFormat(std::move(errors), "k8s-resource-fully-qualified-name");
}

field::ErrorList MaxLength(const field::Path& path, absl::string_view value, int max) {
  if (Characters(value) <= max) return {};
  return field::WithOrigin({field::TooLongCharacters(path, max)}, "maxLength");
}

field::ErrorList MinLength(const field::Path& path, absl::string_view value, int min) {
  if (Characters(value) >= min) return {};
  return field::WithOrigin({field::TooShort(path, std::string(value), min)}, "minLength");
}

field::ErrorList MaxBytes(const field::Path& path, absl::string_view value, int max) {
  if (static_cast<int64_t>(value.size()) <= max) return {};
  return field::WithOrigin({field::TooLong(path, max)}, "maxBytes");
}

field::ErrorList MaxItems(const field::Path& path, int items, int max) {
  if (items <= max) return {};
  return field::WithOrigin({field::TooMany(path, items, max)}, "maxItems");
}

field::ErrorList MinItems(const field::Path& path, int items, int min) {
  if (items >= min) return {};
  return field::WithOrigin({field::TooFew(path, items, min)}, "minItems");
}

field::ErrorList Minimum(const field::Path& path, int64_t value, int64_t min) {
  if (value >= min) return {};
  const std::string detail = absl::StrCat("must be greater than or equal to ", min);
  return field::WithOrigin({field::Invalid(path, value, detail)}, "minimum");
}

field::ErrorList Maximum(const field::Path& path, int64_t value, int64_t max) {
  if (value <= max) return {};
  const std::string detail = absl::StrCat("must be less than or equal to ", max);
  return field::WithOrigin({field::Invalid(path, value, detail)}, "maximum");
}

}  // namespace kube::validation
