#include "apimachinery/cel/internal/library/semver.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

absl::Status Wrong(absl::string_view message) { return absl::InvalidArgumentError(message); }

absl::Status WrongText(absl::string_view message, absl::string_view text) {
  return Wrong(absl::StrCat(message, " ", text::Quoted(text)));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNumber(absl::string_view text) { return absl::c_all_of(text, IsDigit); }

bool IsIdentifier(absl::string_view text) {
  return absl::c_all_of(
      text, [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-'; });
}

bool HasLeadingZero(absl::string_view text) { return text.size() > 1 && text[0] == '0'; }

// Parses digits. (Go: `strconv.ParseUint`)
absl::StatusOr<uint64_t> ParseNumber(absl::string_view text) {
  uint64_t number = 0;
  if (absl::SimpleAtoi(text, &number)) return number;
  return Wrong(absl::StrCat("strconv.ParseUint: parsing ", text::Quoted(text),
                            text.empty() ? ": invalid syntax" : ": value out of range"));
}

// `name` is "major", "minor" or "patch".
absl::StatusOr<uint64_t> ParsePart(absl::string_view text, absl::string_view name) {
  if (!IsNumber(text)) {
    return WrongText(absl::StrCat("Invalid character(s) found in ", name, " number"), text);
  }
  if (HasLeadingZero(text)) {
    std::string capitalized(name);
    capitalized[0] = absl::ascii_toupper(static_cast<unsigned char>(capitalized[0]));
    return WrongText(absl::StrCat(capitalized, " number must not contain leading zeroes"), text);
  }
  return ParseNumber(text);
}

absl::StatusOr<Semver::Part> ParsePrerelease(absl::string_view text) {
  if (text.empty()) return Wrong("Prerelease is empty");
  if (!IsNumber(text)) {
    if (!IsIdentifier(text)) return WrongText("Invalid character(s) found in prerelease", text);
    return Semver::Part{.text = std::string(text), .number = std::nullopt};
  }
  if (HasLeadingZero(text)) {
    return WrongText("Numeric PreRelease version must not contain leading zeroes", text);
  }
  KUBE_ASSIGN_OR_RETURN(const uint64_t number, ParseNumber(text));
  return Semver::Part{.text = std::string(text), .number = number};
}

// Parses the patch number and everything behind it.
absl::Status ParseRest(absl::string_view text, Semver& version) {
  const size_t plus = text.find('+');
  const absl::string_view before = text.substr(0, plus);
  const size_t dash = before.find('-');
  KUBE_ASSIGN_OR_RETURN(version.patch_number, ParsePart(before.substr(0, dash), "patch"));
  if (dash != kNowhere) {
    for (const absl::string_view part : absl::StrSplit(before.substr(dash + 1), '.')) {
      KUBE_ASSIGN_OR_RETURN(Semver::Part parsed, ParsePrerelease(part));
      version.prerelease.push_back(std::move(parsed));
    }
  }
  if (plus == kNowhere) return absl::OkStatus();
  for (const absl::string_view part : absl::StrSplit(text.substr(plus + 1), '.')) {
    if (part.empty()) return Wrong("Build meta data is empty");
    if (!IsIdentifier(part)) {
      return WrongText("Invalid character(s) found in build meta data", part);
    }
    version.build.emplace_back(part);
  }
  return absl::OkStatus();
}

std::vector<std::string> SplitInThree(absl::string_view text) {
  return absl::StrSplit(text, absl::MaxSplits('.', 2));
}

absl::StatusOr<std::string> Normalize(absl::string_view text) {
  std::vector<std::string> parts = SplitInThree(absl::StripPrefix(text, "v"));
  for (std::string& part : parts) {
    if (part.size() < 2) continue;
    const size_t digits = std::min(part.find_first_not_of('0'), part.size());
    part.erase(0, digits);
    if (part.empty() || !IsDigit(part[0])) part = absl::StrCat("0", part);
  }
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos) {
    return Wrong("short version cannot contain PreRelease/Build meta data");
  }
  while (parts.size() < 3) parts.emplace_back("0");
  return absl::StrJoin(parts, ".");
}

int Order(uint64_t a, uint64_t b) { return a < b ? -1 : (a > b ? 1 : 0); }

int ComparePart(const Semver::Part& a, const Semver::Part& b) {
  if (a.number.has_value() && b.number.has_value()) return Order(*a.number, *b.number);
  if (a.number.has_value()) return -1;
  if (b.number.has_value()) return 1;
  return std::clamp(a.text.compare(b.text), -1, 1);
}

}  // namespace

int Semver::Compare(const Semver& other) const {
  for (const int order :
       {Order(major_number, other.major_number), Order(minor_number, other.minor_number),
        Order(patch_number, other.patch_number)}) {
    if (order != 0) return order;
  }
  // A release comes behind its prereleases.
  if (prerelease.empty() || other.prerelease.empty()) {
    return Order(prerelease.empty() ? 1 : 0, other.prerelease.empty() ? 1 : 0);
  }
  for (size_t i = 0; i < std::min(prerelease.size(), other.prerelease.size()); ++i) {
    const int order = ComparePart(prerelease[i], other.prerelease[i]);
    if (order != 0) return order;
  }
  return Order(prerelease.size(), other.prerelease.size());
}

std::string Semver::ToString() const {
  std::string out = absl::StrCat(major_number, ".", minor_number, ".", patch_number);
  for (size_t i = 0; i < prerelease.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "-" : ".", prerelease[i].text);
  }
  for (size_t i = 0; i < build.size(); ++i) absl::StrAppend(&out, i == 0 ? "+" : ".", build[i]);
  return out;
}

absl::StatusOr<Semver> ParseSemver(absl::string_view text, bool normalize) {
  std::string normalized(text);
  if (normalize) {
    KUBE_ASSIGN_OR_RETURN(normalized, Normalize(text));
  }
  if (normalized.empty()) return Wrong("Version string empty");
  const std::vector<std::string> parts = SplitInThree(normalized);
  if (parts.size() != 3) return Wrong("No Major.Minor.Patch elements found");
  Semver version;
  KUBE_ASSIGN_OR_RETURN(version.major_number, ParsePart(parts[0], "major"));
  KUBE_ASSIGN_OR_RETURN(version.minor_number, ParsePart(parts[1], "minor"));
  KUBE_RETURN_IF_ERROR(ParseRest(parts[2], version));
  return version;
}

}  // namespace kube::cel::internal
