#ifndef APIMACHINERY_BASE_TEXT_BASE64_H_
#define APIMACHINERY_BASE_TEXT_BASE64_H_

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"

namespace kube::text {

// Base64 as Go's base64.StdEncoding: the alphabet with + and /, padded with =. It is what
// encoding/json makes of bytes. Pure functions: thread-safe.

// What decoding a text of `size` may write.
constexpr size_t MaxBase64DecodedSize(size_t size) { return size / 4 * 3; }

// Decodes `text` into `out`, which has room for MaxBase64DecodedSize(text.size()) and is not part
// of `text`. Returns how many bytes that are. Nothing: `text` is not base64; `out` then holds
// anything.
//
// As Go: carriage returns and line feeds are skipped wherever they stand, padding must be there
// and nothing after it, and the last character's unused bits may have any value.
std::optional<size_t> DecodeBase64(absl::string_view text, char* out);

// The exact size of the encoding of `size` bytes.
constexpr size_t Base64EncodedSize(size_t size) { return (size + 2) / 3 * 4; }

// Writes Base64EncodedSize(bytes.size()) characters to `out` and returns the end.
char* EncodeBase64(absl::string_view bytes, char* out);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_BASE64_H_
