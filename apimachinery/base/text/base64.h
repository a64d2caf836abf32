#ifndef APIMACHINERY_BASE_TEXT_BASE64_H_
#define APIMACHINERY_BASE_TEXT_BASE64_H_

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"

namespace kube::text {

// Base64 with padding and the alphabet with + and /: Go's `base64.StdEncoding`, in which
// encoding/json writes bytes. Pure functions: thread-safe.

// Returns the largest number of bytes that decoding a text of `size` bytes may write.
constexpr size_t MaxBase64DecodedSize(size_t size) { return size / 4 * 3; }

// Decodes `text` into `out`, which must have room for MaxBase64DecodedSize(text.size()) bytes and
// not overlap `text`. Returns the number of bytes written, or nullopt if `text` is not base64; the
// contents of `out` are then undefined.
//
// As in Go, carriage returns and line feeds are skipped everywhere, padding is required, nothing
// may follow it, and the unused bits of the last character may have any value.
std::optional<size_t> DecodeBase64(absl::string_view text, char* out);

// Returns the exact size of the encoding of `size` bytes.
constexpr size_t Base64EncodedSize(size_t size) { return (size + 2) / 3 * 4; }

// Writes Base64EncodedSize(bytes.size()) characters to `out` and returns the end.
char* EncodeBase64(absl::string_view bytes, char* out);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_BASE64_H_
