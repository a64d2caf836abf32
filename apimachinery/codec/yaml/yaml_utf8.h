#ifndef APIMACHINERY_CODEC_YAML_YAML_UTF8_H_
#define APIMACHINERY_CODEC_YAML_YAML_UTF8_H_

// UTF-8, as far as YAML needs it. Pure functions: thread-safe.

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// The offset of the first byte that is not part of valid UTF-8; the size of `text` if there is
// none.
size_t FindInvalidUtf8(absl::string_view text);

// Appends a character, which must be one: no surrogate, and not beyond U+10FFFF.
void AppendUtf8(std::string& out, char32_t rune);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_UTF8_H_
