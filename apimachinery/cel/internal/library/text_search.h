#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_TEXT_SEARCH_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_TEXT_SEARCH_H_

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"

// Searches in texts in linear time, whatever the texts are, and counts code points. Pure functions:
// thread-safe.
namespace kube::cel::internal {

// Returns the place of the first occurrence of `part` at or behind `from`, or npos.
// `part` is not empty.
size_t FindText(absl::string_view text, absl::string_view part, size_t from = 0);

// Returns the place of the last occurrence of `part` that starts at or before `last`.
size_t FindLastText(absl::string_view text, absl::string_view part, size_t last);

// Returns the number of code points; each byte that is not part of valid UTF-8 counts as one.
size_t CountRunes(absl::string_view text);

// Returns the place of the code point with this number; the size for the number of code points, and
// nullopt beyond.
std::optional<size_t> RuneOffset(absl::string_view text, size_t index);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_TEXT_SEARCH_H_
