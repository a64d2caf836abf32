// Finding the shortest text that contains all names is the shortest common superstring problem.
// Build uses the usual greedy approximation: it drops names that are part of another one, and then
// repeatedly appends the name that overlaps most with the end of the text so far.

#include "codegen/name_pool.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {
namespace {

// Returns the names that are not part of another one, in alphabetical order.
std::vector<std::string> WithoutContained(const std::set<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    const bool is_part = std::any_of(names.begin(), names.end(), [&name](const std::string& other) {
      return other.size() > name.size() && absl::StrContains(other, name);
    });
    if (!is_part) kept.push_back(name);
  }
  return kept;
}

// Returns how many bytes at the end of `text` are also the start of `next`.
size_t Overlap(absl::string_view text, absl::string_view next) {
  size_t size = std::min(text.size(), next.size());
  while (!absl::EndsWith(text, next.substr(0, size))) --size;
  return size;
}

}  // namespace

void NamePool::Add(absl::string_view name, absl::string_view rules) {
  added_.insert(absl::StrCat(name, rules));
}

void NamePool::Build() {
  std::vector<std::string> left = WithoutContained(added_);
  while (!left.empty()) {
    size_t next = 0, most = 0;
    for (size_t i = 0; i < left.size(); ++i) {
      const size_t overlap = Overlap(text_, left[i]);
      if (overlap <= most) continue;
      next = i;
      most = overlap;
    }
    entries_.push_back(left[next].substr(most));
    text_ += entries_.back();
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
}

int NamePool::PlaceOf(absl::string_view name, absl::string_view rules) const {
  return static_cast<int>(text_.find(absl::StrCat(name, rules)));
}

}  // namespace kube::codegen
