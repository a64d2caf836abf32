#ifndef APIMACHINERY_BASE_TEXT_UTF8_H_
#define APIMACHINERY_BASE_TEXT_UTF8_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::text {

// UTF-8 as Go's unicode/utf8 knows it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
// Pure functions: thread-safe.

// How many bytes of `text`, from its start, are whole valid characters.
size_t ValidUtf8Prefix(absl::string_view text);

inline bool IsValidUtf8(absl::string_view text) { return ValidUtf8Prefix(text) == text.size(); }

// Appends `text` with each byte that is not part of a valid character replaced by U+FFFD, as
// encoding/json decodes strings. Up to three times as long.
void AppendReplacingInvalidUtf8(absl::string_view text, std::string& out);

// Appends the UTF-8 of a character, which must be one: no surrogate, and not beyond U+10FFFF.
// (utf8.AppendRune)
void AppendRune(std::string& out, char32_t rune);

// The same as ValidUtf8Prefix without the processor's vector instructions: what machines without
// SSE2 use, here for its test.
size_t ValidUtf8PrefixPortable(absl::string_view text);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_UTF8_H_
