#include "apimachinery/validation/dns.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "apimachinery/validation/internal/content_messages.h"
#include "apimachinery/validation/internal/scan.h"

namespace kube::validation {

using internal::IsIn;
using internal::IsWord;
using internal::kAlnum;
using internal::kDash;
using internal::kLower;
using internal::kLowerAlnum;
using internal::kUnderscore;

namespace {

constexpr absl::string_view kLabelRegex = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr absl::string_view kUnderscoreLabelRegex = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
constexpr absl::string_view k1035LabelRegex = "[a-z]([-a-z0-9]*[a-z0-9])?";

constexpr absl::string_view kLabelMessage =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character";
constexpr absl::string_view kSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character";
constexpr absl::string_view kCaselessSubdomainMessage =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character";
constexpr absl::string_view kUnderscoreSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' "
    "or '.', and must start and end with an alphanumeric character";
constexpr absl::string_view k1035LabelMessage =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character";
constexpr absl::string_view kWildcardMessage =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which "
    "must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric "
    "character";

// Returns LABEL(\.LABEL)*.
std::string SubdomainRegex(absl::string_view label) {
  return absl::StrCat(label, "(\\.", label, ")*");
}

bool IsLabel(absl::string_view label) {
  return IsWord(label, kLowerAlnum, kLowerAlnum | kDash, kLowerAlnum);
}

bool IsUnderscoreLabel(absl::string_view label) {
  return IsWord(absl::StripPrefix(label, "_"), kLowerAlnum, kLowerAlnum | kDash | kUnderscore,
                kLowerAlnum);
}

// Returns whether each part between dots is such a label.
template <typename IsPart>
bool IsSubdomain(absl::string_view value, IsPart is_part) {
  while (true) {
    const size_t dot = value.find('.');
    if (!is_part(value.substr(0, dot))) return false;
    if (dot == absl::string_view::npos) return true;
    value.remove_prefix(dot + 1);
  }
}

bool IsCaselessSubdomain(absl::string_view value) {
  const auto is_label = [](absl::string_view label) {
    return IsWord(label, kAlnum, kAlnum | kDash, kAlnum);
  };
  if (IsSubdomain(value, is_label)) return true;
  // Go's (?i) takes these letters for ASCII ones.
  std::string folded = absl::StrReplaceAll(value, {{"\u017f", "s"}, {"\u212a", "k"}});
  return folded.size() != value.size() && IsSubdomain(folded, is_label);
}

using MaxLen = std::string (*)(int);

void CheckLength(absl::string_view value, int max, MaxLen max_len_error, Messages& messages) {
  if (value.size() > static_cast<size_t>(max)) messages.push_back(max_len_error(max));
}

Messages CheckLabel(absl::string_view value, MaxLen max_len_error) {
  Messages messages;
  CheckLength(value, kDns1123LabelMaxLength, max_len_error, messages);
  if (IsLabel(value)) return messages;
  messages.push_back(IsSubdomain(value, IsLabel)
                         ? "must not contain dots"
                         : RegexError(kLabelMessage, kLabelRegex, {"my-name", "123-abc"}));
  return messages;
}

Messages CheckSubdomain(absl::string_view value, MaxLen max_len_error) {
  Messages messages;
  CheckLength(value, kDns1123SubdomainMaxLength, max_len_error, messages);
  if (!IsSubdomain(value, IsLabel)) {
    messages.push_back(RegexError(kSubdomainMessage, SubdomainRegex(kLabelRegex), {"example.com"}));
  }
  return messages;
}

size_t Parts(absl::string_view name) { return 1 + std::count(name.begin(), name.end(), '.'); }

}  // namespace

Messages IsDns1123Label(absl::string_view value) { return CheckLabel(value, MaxLenError); }

Messages IsDns1123Subdomain(absl::string_view value) { return CheckSubdomain(value, MaxLenError); }

Messages IsDns1123SubdomainWithUnderscore(absl::string_view value) {
  Messages messages;
  CheckLength(value, kDns1123SubdomainMaxLength, MaxLenError, messages);
  if (!IsSubdomain(value, IsUnderscoreLabel)) {
    messages.push_back(RegexError(kUnderscoreSubdomainMessage,
                                  SubdomainRegex(kUnderscoreLabelRegex), {"example.com"}));
  }
  return messages;
}

Messages IsDns1035Label(absl::string_view value) {
  Messages messages;
  CheckLength(value, kDns1035LabelMaxLength, MaxLenError, messages);
  if (!IsWord(value, kLower, kLowerAlnum | kDash, kLowerAlnum)) {
    messages.push_back(RegexError(k1035LabelMessage, k1035LabelRegex, {"my-name", "abc-123"}));
  }
  return messages;
}

Messages IsWildcardDns1123Subdomain(absl::string_view value) {
  Messages messages;
  CheckLength(value, kDns1123SubdomainMaxLength, MaxLenError, messages);
  if (!absl::StartsWith(value, "*.") || !IsSubdomain(value.substr(2), IsLabel)) {
    messages.push_back(RegexError(
        kWildcardMessage, absl::StrCat("\\*\\.", SubdomainRegex(kLabelRegex)), {"*.example.com"}));
  }
  return messages;
}

namespace content {

Messages IsDns1123Label(absl::string_view value) {
  return CheckLabel(value, internal::MaxBytesError);
}

Messages IsDns1123Subdomain(absl::string_view value) {
  return CheckSubdomain(value, internal::MaxBytesError);
}

Messages IsDns1123SubdomainCaseless(absl::string_view value) {
  Messages messages;
  CheckLength(value, kDns1123SubdomainMaxLength, internal::MaxBytesError, messages);
  if (!IsCaselessSubdomain(value)) {
    messages.push_back(
        RegexError(kCaselessSubdomainMessage, SubdomainRegex(kLabelRegex), {"Example.com"}));
  }
  return messages;
}

}  // namespace content

field::ErrorList IsFullyQualifiedName(const field::Path& path, absl::string_view name) {
  if (name.empty()) return {field::Required(path, "")};
  if (const Messages wrong = IsDns1123Subdomain(name); !wrong.empty()) {
    return {field::Invalid(path, std::string(name), absl::StrJoin(wrong, ","))};
  }
  if (Parts(name) >= 3) return {};
  return {field::Invalid(path, std::string(name),
                         "should be a domain with at least three segments separated by dots")};
}

field::ErrorList IsFullyQualifiedDomainName(const field::Path& path, absl::string_view name) {
  if (name.empty()) return {field::Required(path, "")};
  name = absl::StripSuffix(name, ".");
  if (const Messages wrong = IsDns1123Subdomain(name); !wrong.empty()) {
    return {field::Invalid(path, std::string(name), absl::StrJoin(wrong, ","))};
  }
  if (Parts(name) < 2) {
    return {field::Invalid(path, std::string(name),
                           "should be a domain with at least two segments separated by dots")};
  }
  for (const absl::string_view label : absl::StrSplit(name, '.')) {
    if (const Messages wrong = IsDns1123Label(label); !wrong.empty()) {
      return {field::Invalid(path, std::string(label), absl::StrJoin(wrong, ","))};
    }
  }
  return {};
}

}  // namespace kube::validation
