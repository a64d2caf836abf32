#include "apimachinery/validation/value.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/internal/scan.h"

namespace kube::validation {

using internal::AllIn;
using internal::IsIn;
using internal::kAlnum;
using internal::kAlpha;
using internal::kDash;
using internal::kDigit;
using internal::kDot;
using internal::kLower;
using internal::kLowerAlnum;
using internal::kUnderscore;

namespace {

Messages CheckRange(int64_t value, int64_t min, int64_t max) {
  if (value >= min && value <= max) return {};
  return {InclusiveRangeError(min, max)};
}

// Refuses names that would lead out of the folder if they were used as file names.
void CheckDotDot(absl::string_view value, Messages& messages) {
  if (value == "." || value == "..") {
    messages.push_back(absl::StrCat("must not be '", value, "'"));
  } else if (absl::StartsWith(value, "..")) {
    messages.push_back("must not start with '..'");
  }
}

}  // namespace

Messages IsValidPortNum(int port) { return CheckRange(port, 1, 65535); }

Messages IsInRange(int value, int min, int max) { return CheckRange(value, min, max); }

Messages IsValidGroupId(int64_t gid) {
  return CheckRange(gid, 0, std::numeric_limits<int32_t>::max());
}

Messages IsValidUserId(int64_t uid) {
  return CheckRange(uid, 0, std::numeric_limits<int32_t>::max());
}

Messages IsValidPortName(absl::string_view port) {
  Messages messages;
  if (port.size() > 15) messages.push_back(MaxLenError(15));
  if (port.empty() || !AllIn(port, kLowerAlnum | kDash)) {
    messages.push_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::none_of(port.begin(), port.end(), [](char c) { return IsIn(c, kLower); })) {
    messages.push_back("must contain at least one letter (a-z)");
  }
  if (absl::StrContains(port, "--")) messages.push_back("must not contain consecutive hyphens");
  if (!port.empty() && (port.front() == '-' || port.back() == '-')) {
    messages.push_back("must not begin or end with a hyphen");
  }
  return messages;
}

Messages IsCIdentifier(absl::string_view value) {
  if (!value.empty() && !IsIn(value.front(), kDigit) && AllIn(value, kAlnum | kUnderscore)) {
    return {};
  }
  return {RegexError(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of "
      "alphanumeric characters or '_'",
      "[A-Za-z_][A-Za-z0-9_]*", {"my_name", "MY_NAME", "MyName"})};
}

Messages IsValidPercent(absl::string_view percent) {
  const absl::string_view digits = absl::StripSuffix(percent, "%");
  if (digits.size() < percent.size() && !digits.empty() && AllIn(digits, kDigit)) return {};
  return {RegexError("a valid percent string must be a numeric string followed by an ending '%'",
                     "[0-9]+%", {"1%", "93%"})};
}

Messages IsHttpHeaderName(absl::string_view value) {
  if (!value.empty() && AllIn(value, kAlnum | kDash)) return {};
  return {RegexError("a valid HTTP header must consist of alphanumeric characters or '-'",
                     "[-A-Za-z0-9]+", {"X-Header-Name"})};
}

Messages IsEnvVarName(absl::string_view value) {
  Messages messages;
  constexpr uint8_t kFirst = kAlpha | kDash | kDot | kUnderscore;
  if (value.empty() || !IsIn(value.front(), kFirst) || !AllIn(value, kFirst | kDigit)) {
    messages.push_back(RegexError(
        "a valid environment variable name must consist of alphabetic characters, digits, '_', "
        "'-', or '.', and must not start with a digit",
        "[-._a-zA-Z][-._a-zA-Z0-9]*", {"my.env-name", "MY_ENV.NAME", "MyEnvName1"}));
  }
  CheckDotDot(value, messages);
  return messages;
}

Messages IsRelaxedEnvVarName(absl::string_view value) {
  if (value.empty()) return {absl::StrCat("environment variable name ", EmptyError())};
  const auto wrong = [](char c) { return c < ' ' || c > '~' || c == '='; };
  if (std::none_of(value.begin(), value.end(), wrong)) return {};
  return {
      "a valid environment variable name must consist only of printable ASCII characters other "
      "than '='"};
}

Messages IsConfigMapKey(absl::string_view value) {
  Messages messages;
  if (value.size() > size_t{kDns1123SubdomainMaxLength}) {
    messages.push_back(MaxLenError(kDns1123SubdomainMaxLength));
  }
  if (value.empty() || !AllIn(value, kAlnum | kDash | kDot | kUnderscore)) {
    messages.push_back(
        RegexError("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
                   "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  }
  CheckDotDot(value, messages);
  return messages;
}

Messages IsValidPathSegmentName(absl::string_view name) {
  if (name == "." || name == "..") return {absl::StrCat("may not be '", name, "'")};
  return IsValidPathSegmentPrefix(name);
}

Messages IsValidPathSegmentPrefix(absl::string_view name) {
  Messages messages;
  if (absl::StrContains(name, "/")) messages.push_back("may not contain '/'");
  if (absl::StrContains(name, "%")) messages.push_back("may not contain '%'");
  return messages;
}

Messages IsDecimalInteger(absl::string_view value) {
  if (value.empty()) return {EmptyError()};
  if (value == "0") return {};
  const absl::string_view digits = value.substr(value.front() == '-' ? 1 : 0);
  if (!digits.empty() && digits.front() != '0' && AllIn(digits, kDigit)) return {};
  return {"must be a valid decimal integer in canonical form"};
}

}  // namespace kube::validation
