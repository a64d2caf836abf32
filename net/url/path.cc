#include "net/url/path.h"

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "net/url/internal/escape.h"

namespace kube::url {

// "*" stands for the server in the request OPTIONS *.
std::string EscapePath(absl::string_view path) {
  return path == "*" ? "*" : internal::Escape(path, internal::Part::kPath);
}

absl::StatusOr<std::string> UnescapePath(absl::string_view escaped) {
  return internal::Unescape(escaped, internal::Part::kPath);
}

std::string CleanPath(absl::string_view path) {
  std::string clean;
  clean.reserve(path.size() + 1);
  for (const absl::string_view element : absl::StrSplit(path, '/', absl::SkipEmpty())) {
    if (element == "..") {
      const size_t slash = clean.rfind('/');
      clean.resize(slash == std::string::npos ? 0 : slash);
    } else if (element != ".") {
      clean.push_back('/');
      clean.append(element.data(), element.size());
    }
  }
  if (clean.empty()) clean.push_back('/');
  return clean;
}

}  // namespace kube::url
