#include "apimachinery/version/version.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_int.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::version {
namespace {

using kube::text::GoInt;
using kube::text::ParseGoUint;
using kube::text::Quoted;

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// Returns whether Go's regular expressions count `c` as \s, which excludes the vertical tab.
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool IsIdentifier(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-'; }

template <typename Is>
absl::string_view CutWhile(absl::string_view& text, Is is) {
  const auto end = std::find_if_not(text.begin(), text.end(), is);
  const absl::string_view cut = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(cut.size());
  return cut;
}

// Removes item(.item)* from the front of `text` and returns it, where an item is one or more
// characters for which `is` holds. Returns "" if there is no item.
template <typename Is>
absl::string_view CutDotted(absl::string_view& text, Is is) {
  const absl::string_view whole = text;
  size_t size = CutWhile(text, is).size();
  while (size > 0) {
    absl::string_view rest = whole.substr(size);
    if (!absl::ConsumePrefix(&rest, ".")) break;
    const size_t more = CutWhile(rest, is).size();
    if (more == 0) break;
    size += 1 + more;
  }
  text = whole.substr(size);
  return whole.substr(0, size);
}

bool IsZeroPrefixed(absl::string_view number) { return number[0] == '0' && number.size() > 1; }

bool OnlyZeros(const std::vector<uint64_t>& numbers, size_t begin) {
  return std::all_of(numbers.begin() + static_cast<std::ptrdiff_t>(std::min(begin, numbers.size())),
                     numbers.end(), [](uint64_t number) { return number == 0; });
}

std::weak_ordering ComparePreReleases(absl::string_view a, absl::string_view b) {
  if (a.empty() || b.empty()) return a.empty() <=> b.empty();  // A release is greater.
  const std::vector<absl::string_view> as = absl::StrSplit(a, '.');
  const std::vector<absl::string_view> bs = absl::StrSplit(b, '.');
  for (size_t i = 0; i < std::min(as.size(), bs.size()); ++i) {
    const GoInt<uint64_t> number_a = ParseGoUint(as[i]);
    const GoInt<uint64_t> number_b = ParseGoUint(bs[i]);
    const std::weak_ordering order = number_a.ok() && number_b.ok()
                                         ? number_a.value <=> number_b.value
                                         : as[i].compare(bs[i]) <=> 0;
    if (order != 0) return order;
  }
  return as.size() <=> bs.size();
}

}  // namespace

class Parser {
 public:
  Parser(absl::string_view text, bool semantic) : text_(text) { version_.semantic_ = semantic; }

  absl::StatusOr<Version> Parse() && {
    absl::string_view rest = text_;
    CutWhile(rest, IsSpace);
    absl::ConsumePrefix(&rest, "v");
    const absl::string_view numbers = CutDotted(rest, IsDigit);
    if (numbers.empty() || rest.find('\n') != absl::string_view::npos) {
      return Invalid("could not parse ", Quoted(text_), " as version");
    }
    KUBE_RETURN_IF_ERROR(ParseNumbers(numbers));
    if (version_.semantic_ && !rest.empty()) KUBE_RETURN_IF_ERROR(ParseExtra(rest));
    return std::move(version_);
  }

 private:
  absl::Status ParseNumbers(absl::string_view numbers) {
    const bool semantic = version_.semantic_;
    const std::vector<absl::string_view> parts = absl::StrSplit(numbers, '.');
    if (semantic ? parts.size() != 3 : parts.size() < 2) {
      return Invalid("illegal version string ", Quoted(text_));
    }
    version_.components_.clear();
    for (const absl::string_view part : parts) {
      if ((semantic || version_.components_.empty()) && IsZeroPrefixed(part)) {
        return ZeroPrefixed(part);
      }
      const GoInt<uint64_t> number = ParseGoUint(part);
      if (!number.ok()) {
        return Invalid("illegal non-numeric version component ", Quoted(part), " in ",
                       Quoted(text_), ": ",
                       kube::text::GoIntErrorText("ParseUint", part, number.error));
      }
      version_.components_.push_back(number.value);
    }
    return absl::OkStatus();
  }

  // Parses what follows the numbers: "-alpha.1+build", then white space.
  absl::Status ParseExtra(absl::string_view extra) {
    absl::string_view rest = extra;
    for (const auto& [sign, part] :
         {std::pair{"-", &version_.pre_release_}, std::pair{"+", &version_.build_metadata_}}) {
      absl::string_view after = rest;
      if (!absl::ConsumePrefix(&after, sign)) continue;
      const absl::string_view identifiers = CutDotted(after, IsIdentifier);
      if (identifiers.empty()) break;
      *part = std::string(identifiers);
      rest = after;
    }
    CutWhile(rest, IsSpace);
    if (!rest.empty()) {
      return Invalid("could not parse pre-release/metadata (", extra, ") in version ",
                     Quoted(text_));
    }
    for (const absl::string_view part : absl::StrSplit(version_.pre_release_, '.')) {
      if (ParseGoUint(part).ok() && IsZeroPrefixed(part)) return ZeroPrefixed(part);
    }
    return absl::OkStatus();
  }

  absl::Status ZeroPrefixed(absl::string_view part) const {
    return Invalid("illegal zero-prefixed version component ", Quoted(part), " in ", Quoted(text_));
  }

  const absl::string_view text_;
  Version version_;
};

Version Version::Changed(size_t component, uint64_t value) const {
  Version changed = *this;
  changed.components_.resize(3);
  changed.components_[component] = value;
  return changed;
}

Version Version::WithMajor(uint64_t major) const { return Changed(0, major); }
Version Version::WithMinor(uint64_t minor) const { return Changed(1, minor); }
Version Version::WithPatch(uint64_t patch) const { return Changed(2, patch); }

Version Version::WithPreRelease(absl::string_view pre_release) const {
  if (pre_release.empty()) return *this;
  Version changed = WithPatch(patch());
  changed.pre_release_ = std::string(pre_release);
  return changed;
}

Version Version::WithBuildMetadata(absl::string_view build_metadata) const {
  if (build_metadata.empty()) return *this;
  Version changed = WithPatch(patch());
  changed.build_metadata_ = std::string(build_metadata);
  return changed;
}

Version Version::OffsetMinor(int64_t offset) const {
  const uint64_t minor = minor_version();
  if (offset >= 0) return Version(major_version(), minor + static_cast<uint64_t>(offset));
  const uint64_t down = -static_cast<uint64_t>(offset);
  return Version(major_version(), down < minor ? minor - down : 0);
}

std::string Version::ToString() const {
  std::string text = absl::StrJoin(components_, ".");
  if (!pre_release_.empty()) absl::StrAppend(&text, "-", pre_release_);
  if (!build_metadata_.empty()) absl::StrAppend(&text, "+", build_metadata_);
  return text;
}

std::ostream& operator<<(std::ostream& out, const Version& version) {
  return out << version.ToString();
}

std::weak_ordering operator<=>(const Version& a, const Version& b) {
  const size_t common = std::min(a.components_.size(), b.components_.size());
  for (size_t i = 0; i < common; ++i) {
    if (const auto order = a.components_[i] <=> b.components_[i]; order != 0) return order;
  }
  if (!OnlyZeros(a.components_, common)) return std::weak_ordering::greater;
  if (!OnlyZeros(b.components_, common)) return std::weak_ordering::less;
  if (!a.semantic_ || !b.semantic_) return std::weak_ordering::equivalent;
  return ComparePreReleases(a.pre_release_, b.pre_release_);
}

absl::StatusOr<std::weak_ordering> Version::CompareTo(absl::string_view text) const {
  KUBE_ASSIGN_OR_RETURN(const Version other, Parser(text, semantic_).Parse());
  return *this <=> other;
}

absl::StatusOr<Version> ParseGeneric(absl::string_view text) { return Parser(text, false).Parse(); }

absl::StatusOr<Version> ParseSemantic(absl::string_view text) { return Parser(text, true).Parse(); }

absl::StatusOr<Version> Parse(absl::string_view text) {
  absl::StatusOr<Version> version = ParseSemantic(text);
  return version.ok() ? std::move(version) : ParseGeneric(text);
}

absl::StatusOr<Version> ParseMajorMinor(absl::string_view text) {
  KUBE_ASSIGN_OR_RETURN(const Version version, ParseGeneric(text));
  return MajorMinor(version.major_version(), version.minor_version());
}

}  // namespace kube::version
