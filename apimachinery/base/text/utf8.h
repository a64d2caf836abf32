#ifndef APIMACHINERY_BASE_TEXT_UTF8_H_
#define APIMACHINERY_BASE_TEXT_UTF8_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::text {

// UTF-8 as Go's unicode/utf8 knows it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
// Pure functions: thread-safe.

// A character of UTF-8 text. Of an invalid sequence, one byte is taken: U+FFFD of size 1, which a
// valid U+FFFD (size 3) is told from. Surrogates and overlong forms are invalid.
struct Rune {
  char32_t value = 0;
  size_t size = 0;

  bool invalid() const { return value == 0xFFFD && size == 1; }
};

// The first character of `text`, which is not empty. (utf8.DecodeRuneInString)
Rune DecodeRune(absl::string_view text);

// How many bytes of `text`, from its start, are whole valid characters.
size_t ValidUtf8Prefix(absl::string_view text);

bool IsValidUtf8(absl::string_view text);

// Appends `text` with each byte that is not part of a valid character replaced by U+FFFD, as
// encoding/json decodes strings. Up to three times as long.
void AppendReplacingInvalidUtf8(absl::string_view text, std::string& out);

// Each byte that is not UTF-8 becomes U+FFFD.
std::string ReplaceInvalidUtf8(absl::string_view text);

// Appends the UTF-8 of a character, which must be one: no surrogate, and not beyond U+10FFFF.
// (utf8.AppendRune)
void AppendRune(std::string& out, char32_t rune);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_UTF8_H_
