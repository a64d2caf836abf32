#include "apimachinery/labels/set.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/labels/internal/check.h"
#include "apimachinery/validation/field_error.h"

namespace kube::labels {

std::string ToString(const Set& labels) {
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  for (const auto& [key, value] : labels) texts.push_back(key + "=" + value);
  // The order is that of the whole text, not of the keys: "a-b=1" precedes "a=1".
  std::sort(texts.begin(), texts.end());
  return absl::StrJoin(texts, ",");
}

std::string FormatLabels(const Set& labels) { return labels.empty() ? "<none>" : ToString(labels); }

bool Conflicts(const Set& a, const Set& b) {
  return std::any_of(a.begin(), a.end(), [&](const Set::Entry& entry) {
    const String* other = b.find(entry.key);
    return other != nullptr && *other != entry.value;
  });
}

Set Merge(const Set& a, const Set& b) {
  Set merged = a.is_null() ? Set::Empty() : a;
  for (const auto& [key, value] : b) merged[key] = value;
  return merged;
}

bool SetMatches(const Set& selector, const Set& labels) {
  return std::all_of(selector.begin(), selector.end(), [&](const Set::Entry& entry) {
    const String* value = labels.find(entry.key);
    return value != nullptr && *value == entry.value;
  });
}

absl::StatusOr<Set> ParseSet(absl::string_view text, const validation::field::Path& path) {
  Set labels = Set::Empty();
  if (text.empty()) return labels;
  for (const absl::string_view label : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(label, '=');
    if (parts.size() != 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("invalid selector: [", absl::StrJoin(parts, " "), "]"));
    }
    const absl::string_view key = kube::text::TrimGoSpace(parts[0]);
    const absl::string_view value = kube::text::TrimGoSpace(parts[1]);
    KUBE_RETURN_IF_ERROR(ToAggregate(internal::CheckLabelKey(key, path)));
    KUBE_RETURN_IF_ERROR(ToAggregate(internal::CheckLabelValue(key, value, path)));
    labels[key] = value;
  }
  return labels;
}

}  // namespace kube::labels
