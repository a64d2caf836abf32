#include "envtest/workloads/internal/batch/completed_indexes.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::envtest::internal {

std::set<int> ParseIndexes(absl::string_view text, int completions) {
  std::set<int> indexes;
  for (const absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> ends =
        absl::StrSplit(part, absl::MaxSplits('-', 1));
    int first = 0;
    if (!absl::SimpleAtoi(ends.first, &first)) continue;
    int last = first;
    if (!ends.second.empty() && !absl::SimpleAtoi(ends.second, &last)) continue;
    for (int i = first; i <= last && i < completions; ++i) indexes.insert(i);
  }
  return indexes;
}

std::string FormatIndexes(const std::set<int>& indexes) {
  std::string text;
  for (auto it = indexes.begin(); it != indexes.end(); ++it) {
    const int first = *it;
    int last = first;
    while (std::next(it) != indexes.end() && *std::next(it) == last + 1) last = *++it;
    absl::StrAppend(&text, text.empty() ? "" : ",", first);
    if (last > first) absl::StrAppend(&text, last == first + 1 ? "," : "-", last);
  }
  return text;
}

}  // namespace kube::envtest::internal
