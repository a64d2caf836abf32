#ifndef CODEGEN_NAME_POOL_H_
#define CODEGEN_NAME_POOL_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// The names of all tables of a file in one text. Names that are equal, that are part of another
// name, or that are found across the boundary of two names, are not repeated. Add all names, then
// call Build, then ask for their positions. Thread-compatible.
class NamePool {
 public:
  // Adds a name, followed by `rules`, the bytes of its merge rules.
  void Add(absl::string_view name, absl::string_view rules = "");

  // Lays the names out: the first one in alphabetical order, and then always the one of which the
  // end of the text already contains the most bytes. Takes time and memory in proportion to the
  // bytes of all names.
  void Build();

  // Returns the position of a name that was added with the same rules.
  int PlaceOf(absl::string_view name, absl::string_view rules = "") const;

  // Returns the parts of the text, in order: for each name the bytes that were not already there.
  const std::vector<std::string>& entries() const { return entries_; }
  int size() const { return size_; }

 private:
  std::map<std::string, int> places_;
  std::vector<std::string> entries_;
  int size_ = 0;  // of the text, the entries joined
};

}  // namespace kube::codegen

#endif  // CODEGEN_NAME_POOL_H_
