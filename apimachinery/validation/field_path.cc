#include "apimachinery/validation/field_path.h"

#include <ostream>

#include "absl/strings/str_cat.h"

namespace kube::validation::field {

// Upstream treats an element without a name as a subscript.
void Path::Add(absl::string_view name) {
  if (name.empty()) {
    text_ += "[]";
  } else {
    absl::StrAppend(&text_, text_.empty() ? "" : ".", name);
  }
}

Path Path::Child(absl::string_view name) const& {
  Path child = *this;
  child.Add(name);
  return child;
}

Path Path::Child(absl::string_view name) && {
  Add(name);
  return std::move(*this);
}

Path Path::Index(size_t index) const { return Key(absl::StrCat(index)); }

Path Path::Key(absl::string_view key) const {
  Path child;
  child.text_ = absl::StrCat(text_, "[", key, "]");
  return child;
}

std::ostream& operator<<(std::ostream& out, const Path& path) { return out << path.ToString(); }

}  // namespace kube::validation::field
