#include "apimachinery/base/source_location.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace kube::base {

std::string SourceLocation::ToString() const { return absl::StrCat(Basename(), ":", line); }

}  // namespace kube::base
