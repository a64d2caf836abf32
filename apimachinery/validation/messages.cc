#include "apimachinery/validation/messages.h"

#include "absl/strings/str_cat.h"

namespace kube::validation {

std::string MaxLenError(int length) {
  return absl::StrCat("must be no more than ", length, " characters");
}

std::string RegexError(absl::string_view message, absl::string_view regex,
                       std::initializer_list<absl::string_view> examples) {
  std::string text = absl::StrCat(message, " (");
  absl::string_view before = "e.g. ";
  for (absl::string_view example : examples) {
    absl::StrAppend(&text, before, "'", example, "', ");
    before = " or ";
  }
  absl::StrAppend(&text, "regex used for validation is '", regex, "')");
  return text;
}

std::string EmptyError() { return "must be non-empty"; }

std::string InclusiveRangeError(int64_t low, int64_t high) {
  return absl::StrCat("must be between ", low, " and ", high, ", inclusive");
}

}  // namespace kube::validation
