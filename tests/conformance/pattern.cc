#include "tests/conformance/pattern.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::conformance {
namespace {

using unstructured::Value;

std::string Text(const Value& value) {
  const absl::StatusOr<std::string> json = unstructured::EncodeJson(value);
  return json.ok() ? *json : json.status().ToString();
}

bool IsUid(absl::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !absl::ascii_isxdigit(text[i])) return false;
  }
  return true;
}

bool IsTime(absl::string_view text) {
  absl::Time time;
  std::string error;
  return absl::ParseTime(absl::RFC3339_full, text, &time, &error);
}

bool IsResourceVersion(absl::string_view text) {
  uint64_t number = 0;
  return absl::SimpleAtoi(text, &number) && number > 0;
}

bool IsAbsent(const Value& pattern) { return pattern.text() == "$absent"; }

class Matcher {
 public:
  explicit Matcher(bool exactly) : exactly_(exactly) {}

  void Match(const Value& pattern, const Value& actual, const std::string& place) {
    if (pattern.is_object() && actual.is_object()) return MatchObject(pattern, actual, place);
    if (pattern.is_list() && actual.is_list()) return MatchList(pattern, actual, place);
    if (pattern.text() == "$any" || pattern == actual) return;
    const bool both_text = pattern.is_string() && actual.is_string();
    if (both_text && MatchesText(*pattern.text(), *actual.text())) return;
    Add(place, Text(pattern), Text(actual));
  }

  std::vector<std::string> Take() { return std::move(wrong_); }

 private:
  void MatchObject(const Value& pattern, const Value& actual, const std::string& place) {
    for (const auto& [key, expected] : *pattern.object()) {
      const std::string at = absl::StrCat(place, ".", key.view());
      const Value* const member = actual.Find(key.view());
      if (IsAbsent(expected)) {
        if (member != nullptr) Add(at, "nothing", Text(*member));
      } else if (member == nullptr) {
        Add(at, Text(expected), "nothing");
      } else if (key == "managedFields") {
        MatchExactly(expected, *member, at);
      } else {
        Match(expected, *member, at);
      }
    }
    if (!exactly_) return;
    for (const auto& [key, member] : *actual.object()) {
      if (key == "managedFields" || pattern.Find(key.view()) != nullptr) continue;
      Add(absl::StrCat(place, ".", key.view()), "nothing", Text(member));
    }
  }

  // An entry that owns more than it should would go unnoticed otherwise.
  void MatchExactly(const Value& pattern, const Value& actual, const std::string& place) {
    Matcher exact(/*exactly=*/true);
    exact.Match(pattern, actual, place);
    for (std::string& each : exact.wrong_) wrong_.push_back(std::move(each));
  }

  void MatchList(const Value& pattern, const Value& actual, const std::string& place) {
    if (pattern.list()->size() != actual.list()->size()) {
      return Add(place, Text(pattern), Text(actual));
    }
    for (size_t i = 0; i < pattern.list()->size(); ++i) {
      Match((*pattern.list())[i], (*actual.list())[i], absl::StrCat(place, "[", i, "]"));
    }
  }

  void Add(const std::string& place, absl::string_view expected, absl::string_view actual) {
    wrong_.push_back(absl::StrCat(place, ": expected ", expected, ", is ", actual));
  }

  const bool exactly_;
  std::vector<std::string> wrong_;
};

}  // namespace

bool MatchesText(absl::string_view pattern, absl::string_view actual) {
  if (absl::ConsumePrefix(&pattern, "$contains ")) return absl::StrContains(actual, pattern);
  if (absl::ConsumePrefix(&pattern, "$prefix ")) return absl::StartsWith(actual, pattern);
  if (pattern == "$any") return true;
  if (pattern == "$uid") return IsUid(actual);
  if (pattern == "$time") return IsTime(actual);
  if (pattern == "$rv") return IsResourceVersion(actual);
  return pattern == actual;
}

std::vector<std::string> Mismatches(const Value& pattern, const Value& actual, bool exactly) {
  Matcher matcher(exactly);
  matcher.Match(pattern, actual, "");
  return matcher.Take();
}

}  // namespace kube::conformance
