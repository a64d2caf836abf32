#ifndef CODEGEN_NAME_POOL_H_
#define CODEGEN_NAME_POOL_H_

#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// The names of all tables of a file, one after the other: equal ones once, and those within others
// or over the seam of two not again. Add all, then Build, then ask for their places.
// Thread-compatible.
class NamePool {
 public:
  // A name that is followed by `rules`, the bytes of its merge rules.
  void Add(absl::string_view name, absl::string_view rules = "");

  // Lays them out: the first of the alphabet, and after each the one whose beginning is already
  // there by most bytes.
  void Build();

  // The place of a name that was added, with the same rules.
  int PlaceOf(absl::string_view name, absl::string_view rules = "") const;

  // What lies there, in order: of each name the bytes that were not there before.
  const std::vector<std::string>& entries() const { return entries_; }
  int size() const { return static_cast<int>(text_.size()); }

 private:
  std::set<std::string> added_;
  std::vector<std::string> entries_;
  std::string text_;  // the entries, joined
};

}  // namespace kube::codegen

#endif  // CODEGEN_NAME_POOL_H_
