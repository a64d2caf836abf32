#include "codegen/name_pool.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {

void NamePool::Add(absl::string_view name, absl::string_view rules) {
  added_.insert(absl::StrCat(name, rules));
}

void NamePool::Build() {
  // Backwards: a name stands before the longer ones that begin with it, and lies within them.
  for (auto name = added_.rbegin(); name != added_.rend(); ++name) {
    if (!entries_.empty() && absl::StartsWith(entries_.back(), *name)) continue;
    entries_.push_back(*name);
  }
  entries_ = {entries_.rbegin(), entries_.rend()};
  auto entry = entries_.begin();
  for (const std::string& name : added_) {
    while (!absl::StartsWith(*entry, name)) {
      size_ += static_cast<int>(entry->size());
      ++entry;
    }
    places_[name] = size_;
  }
  if (entry != entries_.end()) size_ += static_cast<int>(entry->size());
}

int NamePool::PlaceOf(absl::string_view name, absl::string_view rules) const {
  return places_.at(absl::StrCat(name, rules));
}

}  // namespace kube::codegen
