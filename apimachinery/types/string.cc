#include "apimachinery/types/string.h"

#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube {

std::string internal::Concat(absl::string_view a, absl::string_view b) {
  return absl::StrCat(a, b);
}

std::ostream& operator<<(std::ostream& out, const String& text) {
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace kube
