#ifndef APIMACHINERY_BASE_TEXT_UTF8_H_
#define APIMACHINERY_BASE_TEXT_UTF8_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::text {

// UTF-8 as in Go's package unicode/utf8: overlong forms, surrogates and values beyond U+10FFFF are
// invalid. Pure functions: thread-safe.

// A character of UTF-8 text. An invalid byte is U+FFFD with size 1; a valid U+FFFD has size 3.
struct Rune {
  char32_t value = 0;
  size_t size = 0;

  bool invalid() const { return value == 0xFFFD && size == 1; }
};

// Returns the first character of `text`, which must not be empty. Go: `utf8.DecodeRuneInString`.
Rune DecodeRune(absl::string_view text);

// Returns the number of bytes at the start of `text` that are complete, valid characters.
size_t ValidUtf8Prefix(absl::string_view text);

bool IsValidUtf8(absl::string_view text);

// Appends `text`, with each byte that is not part of a valid character replaced by U+FFFD, as
// encoding/json decodes strings. The result may be three times as long.
void AppendReplacingInvalidUtf8(absl::string_view text, std::string& out);

// Returns `text`, with the replacements of AppendReplacingInvalidUtf8.
std::string ReplaceInvalidUtf8(absl::string_view text);

// Appends the UTF-8 encoding of `rune`, which must not be a surrogate or beyond U+10FFFF. Go:
// `utf8.AppendRune`.
void AppendRune(std::string& out, char32_t rune);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_UTF8_H_
