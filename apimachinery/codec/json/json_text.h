#ifndef APIMACHINERY_CODEC_JSON_JSON_TEXT_H_
#define APIMACHINERY_CODEC_JSON_JSON_TEXT_H_

// Writes JSON text byte for byte as Go's encoding/json with HTML escapes, which Kubernetes uses.
// Pure functions: thread-safe.

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/output_buffer.h"
#include "apimachinery/table/layout.h"

namespace kube::codec::internal {

// Writes `text` with its quotes at `out` and returns the end. The characters ", \, <, >, &, U+2028,
// U+2029 and control characters are escaped; each byte that is not valid UTF-8 becomes \ufffd.
[[nodiscard]] char* WriteJsonString(OutputBuffer& buffer, char* out, absl::string_view text);

// Writes the text of a String, faster if it is stored inline.
[[nodiscard]] char* WriteJsonString(OutputBuffer& buffer, char* out,
                                    const kube::table::StringRep& text);

// Copies `json`, one JSON value, without white space between tokens, and escapes <, >, &, U+2028
// and U+2029, as encoding/json does with the result of a MarshalJSON. Returns the end, or null if
// `json` is not valid or is nested more than ten thousand deep. As in Go, invalid UTF-8 in strings
// is copied.
[[nodiscard]] char* WriteCompactJson(OutputBuffer& buffer, char* out, absl::string_view json);

// Formats `compact`, which must be valid JSON without white space, with each member and element on
// a line of its own, indented by `indent` per level (Go: `json.Indent` without a prefix).
std::string IndentJson(absl::string_view compact, absl::string_view indent);

// Returns the number of bytes at the start of `text` that are printable ASCII and need no escape,
// and copies them to `out`, where text.size() + 16 bytes may be written.
size_t CopyPlain(absl::string_view text, char* out);

// Does the same without vector instructions. It is used on machines without SSE2, and declared here
// for its test.
size_t CopyPlainPortable(absl::string_view text, char* out);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_TEXT_H_
