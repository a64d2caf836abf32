#include "apimachinery/labels/internal/check.h"

#include <string>

#include "absl/strings/str_join.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/messages.h"

namespace kube::labels::internal {

namespace field = validation::field;

field::ErrorList CheckLabelKey(absl::string_view key, const field::Path& path) {
  const validation::Messages wrong = validation::IsQualifiedName(key);
  if (wrong.empty()) return {};
  return {field::Invalid(path, std::string(key), absl::StrJoin(wrong, "; "))};
}

field::ErrorList CheckLabelValue(absl::string_view key, absl::string_view value,
                                 const field::Path& path) {
  const validation::Messages wrong = validation::IsValidLabelValue(value);
  if (wrong.empty()) return {};
  return {field::Invalid(path.Key(key), std::string(value), absl::StrJoin(wrong, "; "))};
}

}  // namespace kube::labels::internal
