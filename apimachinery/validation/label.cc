#include "apimachinery/validation/label.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/internal/content_messages.h"
#include "apimachinery/validation/internal/scan.h"

namespace kube::validation {

using internal::AllIn;
using internal::kAlnum;
using internal::kDash;
using internal::kDot;
using internal::kHttpPath;
using internal::kUnderscore;

namespace {

constexpr size_t kLabelKeyMaxLength = 63;
constexpr absl::string_view kKeyRegex = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr absl::string_view kKeyMessage =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character";
constexpr absl::string_view kValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character";
constexpr absl::string_view kPathRegex = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

bool IsName(absl::string_view name) {
  return internal::IsWord(name, kAlnum, kAlnum | kDash | kUnderscore | kDot, kAlnum);
}

std::string KeyRegexError() {
  return RegexError(kKeyMessage, kKeyRegex, {"MyName", "my.name", "123-abc"});
}

void CheckPrefix(absl::string_view prefix, Messages& messages) {
  if (prefix.empty()) {
    messages.push_back(absl::StrCat("prefix part ", EmptyError()));
    return;
  }
  for (const std::string& wrong : content::IsDns1123Subdomain(prefix)) {
    messages.push_back(absl::StrCat("prefix part ", wrong));
  }
}

}  // namespace

Messages IsQualifiedName(absl::string_view value) {
  Messages messages;
  absl::string_view name = value;
  if (const size_t slash = value.find('/'); slash != absl::string_view::npos) {
    name = value.substr(slash + 1);
    if (name.find('/') != absl::string_view::npos) {
      return {absl::StrCat(
          "a valid label key ", KeyRegexError(),
          " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')")};
    }
    CheckPrefix(value.substr(0, slash), messages);
  }
  if (name.empty()) {
    messages.push_back(absl::StrCat("name part ", EmptyError()));
  } else if (name.size() > kLabelKeyMaxLength) {
    messages.push_back(absl::StrCat("name part ", internal::MaxBytesError(kLabelKeyMaxLength)));
  }
  if (!IsName(name)) messages.push_back(absl::StrCat("name part ", KeyRegexError()));
  return messages;
}

Messages IsValidLabelValue(absl::string_view value) {
  Messages messages;
  if (value.size() > size_t{kLabelValueMaxLength}) {
    messages.push_back(internal::MaxBytesError(kLabelValueMaxLength));
  }
  if (!value.empty() && !IsName(value)) {
    messages.push_back(RegexError(kValueMessage, absl::StrCat("(", kKeyRegex, ")?"),
                                  {"MyValue", "my_value", "12345"}));
  }
  return messages;
}

field::ErrorList IsDomainPrefixedPath(const field::Path& path, absl::string_view value) {
  if (value.empty()) return {field::Required(path, "")};
  const size_t slash = value.find('/');
  if (slash == absl::string_view::npos || slash == 0 || slash + 1 == value.size()) {
    return {field::Invalid(path, std::string(value),
                           "must be a domain-prefixed path (such as \"acme.io/foo\")")};
  }
  field::ErrorList errors;
  const std::string host(value.substr(0, slash));
  for (const std::string& wrong : IsDns1123Subdomain(host)) {
    errors.push_back(field::Invalid(path, host, wrong));
  }
  const absl::string_view rest = value.substr(slash + 1);
  if (!AllIn(rest, kAlnum | kDash | kUnderscore | kDot | kHttpPath)) {
    errors.push_back(
        field::Invalid(path, std::string(rest), RegexError("Invalid path", kPathRegex)));
  }
  return errors;
}

field::ErrorList IsDomainPrefixedKey(const field::Path& path, absl::string_view value) {
  if (value.empty()) return {field::Required(path, "")};
  field::ErrorList errors;
  for (const std::string& wrong : IsQualifiedName(value)) {
    errors.push_back(field::Invalid(path, std::string(value), wrong));
  }
  if (errors.empty() && value.find('/') == absl::string_view::npos) {
    errors.push_back(field::Invalid(path, std::string(value),
                                    "must be a domain-prefixed key (such as \"acme.io/foo\")"));
  }
  return errors;
}

}  // namespace kube::validation
