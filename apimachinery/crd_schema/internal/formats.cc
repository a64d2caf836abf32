#include "apimachinery/crd_schema/internal/formats.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/text/go_regexp.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/crd_schema/internal/ip_formats.h"
#include "apimachinery/types/parse.h"
#include "net/url/url.h"

namespace kube::crd_schema::internal {
namespace {

using base::NoDestructor;

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

std::string Digits(absl::string_view text) {
  std::string digits;
  absl::c_copy_if(text, std::back_inserter(digits), IsDigit);
  return digits;
}

// ---- names and addresses

bool IsUri(absl::string_view text) { return url::ParseRequestUri(text).ok(); }

// Matches a letter, or a letter, digit or symbol of any script. Characters are matched one by one,
// because RE2 would compile upstream's pattern for host names into megabytes.
bool IsLetter(absl::string_view rune) {
  static NoDestructor<const text::GoRegexp> kLetter(R"(^\p{L}$)");
  return kLetter->Matches(rune);
}
bool IsHostCharacter(absl::string_view rune) {
  static NoDestructor<const text::GoRegexp> kCharacter(R"(^[0-9\p{S}\p{L}]$)");
  return kCharacter->Matches(rune);
}

std::vector<absl::string_view> Runes(absl::string_view text) {
  std::vector<absl::string_view> runes;
  while (!text.empty()) {
    runes.push_back(text.substr(0, text::DecodeRune(text).size));
    text.remove_prefix(runes.back().size());
  }
  return runes;
}

// Matches up to 63 characters, without a dash at either end.
bool IsHostLabel(const std::vector<absl::string_view>& runes) {
  return !runes.empty() && runes.size() <= 63 && runes.front() != "-" && runes.back() != "-" &&
         absl::c_all_of(runes, [](absl::string_view r) { return r == "-" || IsHostCharacter(r); });
}

// In a name of one label only the second character may be a dash.
bool IsSingleLabel(std::vector<absl::string_view> runes) {
  if (runes.size() > 1 && runes[1] == "-") runes.erase(runes.begin() + 1);
  return !runes.empty() && runes.size() <= 63 && absl::c_all_of(runes, IsHostCharacter);
}

bool IsHostname(absl::string_view text) {
  if (text.size() > 255) return false;
  const std::vector<absl::string_view> labels = absl::StrSplit(text, '.');
  if (absl::c_any_of(labels, [](absl::string_view label) { return label.size() > 63; })) {
    return false;
  }
  const std::vector<absl::string_view> last = Runes(labels.back());
  if (labels.size() == 1) return IsSingleLabel(last);
  return last.size() >= 2 && absl::c_all_of(last, IsLetter) &&
         std::all_of(labels.begin(), labels.end() - 1,
                     [](absl::string_view label) { return IsHostLabel(Runes(label)); });
}

// Matches 8-4-4-4-12 hexadecimal digits with or without dashes. The third and fourth group must
// start with a digit in `version` and `variant`, unless these are empty.
bool IsUuidOf(absl::string_view text, absl::string_view version, absl::string_view variant) {
  constexpr size_t kGroups[] = {8, 4, 4, 4, 12};
  for (size_t group = 0; group < 5; ++group) {
    if (group > 0) absl::ConsumePrefix(&text, "-");
    const absl::string_view digits = text.substr(0, kGroups[group]);
    if (digits.size() < kGroups[group] || !absl::c_all_of(digits, absl::ascii_isxdigit)) {
      return false;
    }
    const absl::string_view allowed = group == 2 ? version : group == 3 ? variant : "";
    const char first = absl::ascii_tolower(static_cast<unsigned char>(digits[0]));
    if (!allowed.empty() && !absl::StrContains(allowed, first)) return false;
    text.remove_prefix(digits.size());
  }
  return text.empty();
}
bool IsUuid(absl::string_view text) { return IsUuidOf(text, "", ""); }
bool IsUuid3(absl::string_view text) { return IsUuidOf(text, "3", ""); }
bool IsUuid4(absl::string_view text) { return IsUuidOf(text, "4", "89ab"); }
bool IsUuid5(absl::string_view text) { return IsUuidOf(text, "5", "89ab"); }

bool IsLowerAlnum(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z'); }

bool IsShortName(absl::string_view text) {
  return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-' &&
         absl::c_all_of(text, [](char c) { return c == '-' || IsLowerAlnum(c); });
}

bool IsLongName(absl::string_view text) {
  if (text.size() > 253) return false;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '.');
  return absl::c_all_of(parts, [](absl::string_view part) {
    return !part.empty() && part.front() != '-' && part.back() != '-' &&
           absl::c_all_of(part, [](char c) { return c == '-' || IsLowerAlnum(c); });
  });
}

// ---- others

// Requires padding and at least one character.
bool IsBase64(absl::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  absl::ConsumeSuffix(&text, "=") && absl::ConsumeSuffix(&text, "=");
  return absl::c_all_of(text, [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '/';
  });
}

bool IsAnything(absl::string_view) { return true; }

// ---- times

bool IsDate(absl::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int year = 0, month = 0, day = 0;
  if (Digits(text).size() != 8 || !absl::SimpleAtoi(text.substr(0, 4), &year) ||
      !absl::SimpleAtoi(text.substr(5, 2), &month) || !absl::SimpleAtoi(text.substr(8), &day)) {
    return false;
  }
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int days = month == 2                                              ? (leap ? 29 : 28)
                   : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                           : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

// As upstream, text after a second "t" is ignored.
bool IsDateTime(absl::string_view text) {
  static NoDestructor<const text::GoRegexp> kTime(
      R"(^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$)");
  const std::string lower = absl::AsciiStrToLower(text);
  const std::vector<absl::string_view> parts = absl::StrSplit(lower, 't');
  if (parts.size() < 2 || !IsDate(parts[0]) || !kTime->Matches(parts[1])) return false;
  return parts[1].substr(0, 2) <= "23" && parts[1].substr(3, 2) <= "59" &&
         parts[1].substr(6, 2) <= "59";
}

// Matches the units of Scala's durations: "5 minutes", "3hrs".
bool IsScalaUnit(absl::string_view unit) {
  constexpr absl::string_view kExact[] = {"ns", "us", "\xc2\xb5s", "ms", "s", "m",
                                          "h",  "hr", "d",         "w",  "wk"};
  constexpr absl::string_view kPrefix[] = {"nano", "micro", "milli", "sec",
                                           "min",  "hour",  "day",   "week"};
  return absl::c_linear_search(kExact, unit) ||
         absl::c_any_of(kPrefix, [&](absl::string_view p) { return absl::StartsWith(unit, p); });
}

// Matches a duration of Go, or of Scala; for the latter one known unit anywhere in the text is
// enough.
bool IsDuration(absl::string_view text) {
  if (ParseDuration(text).ok()) return true;
  bool found = false;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    if (i == start) {
      ++i;
      continue;
    }
    const absl::string_view digits = text.substr(start, i - start);
    while (i < text.size() && absl::StrContains(" \t\n\f\r", text[i])) ++i;
    const size_t unit = i;
    while (i < text.size() && (absl::ascii_isalpha(static_cast<unsigned char>(text[i])) ||
                               absl::StartsWith(text.substr(i), "\xc2\xb5"))) {
      i += text[i] == '\xc2' ? 2 : 1;
    }
    if (i == unit) continue;
    int64_t number = 0;
    if (!absl::SimpleAtoi(digits, &number)) return false;
    found = found || IsScalaUnit(absl::AsciiStrToLower(text.substr(unit, i - unit)));
  }
  return found;
}

constexpr std::pair<absl::string_view, FormatCheck> kFormats[] = {
    {"uri", IsUri},
    {"hostname", IsHostname},
    {"ipv4", IsSloppyIpv4},
    {"ipv6", IsStrictIpv6},
    {"cidr", IsSloppyCidr},
    {"mac", IsMac},
    {"uuid", IsUuid},
    {"uuid3", IsUuid3},
    {"uuid4", IsUuid4},
    {"uuid5", IsUuid5},
    {"byte", IsBase64},
    {"password", IsAnything},
    {"date", IsDate},
    {"duration", IsDuration},
    {"datetime", IsDateTime},
    {"k8sshortname", IsShortName},
    {"k8slongname", IsLongName},
};

}  // namespace

FormatCheck FindFormat(absl::string_view name) {
  const std::string normal = absl::StrReplaceAll(name, {{"-", ""}});
  for (const auto& [known, check] : kFormats) {
    if (known == normal) return check;
  }
  return nullptr;
}

}  // namespace kube::crd_schema::internal
