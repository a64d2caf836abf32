#ifndef APIMACHINERY_CODEC_JSON_JSON_TEXT_H_
#define APIMACHINERY_CODEC_JSON_JSON_TEXT_H_

// JSON text, byte for byte as Go's encoding/json writes it with HTML escapes on, as Kubernetes
// does. Pure functions: thread-safe.

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/output_buffer.h"
#include "apimachinery/table/layout.h"

namespace kube::codec::internal {

// Writes `text` in its quotes at `out` and returns the end. Escaped are: ", \, control characters,
// <, > and &, U+2028 and U+2029; each byte that is not UTF-8 becomes \ufffd.
[[nodiscard]] char* WriteJsonString(OutputBuffer& buffer, char* out, absl::string_view text);

// The same of what a String holds: faster where that is inline.
[[nodiscard]] char* WriteJsonString(OutputBuffer& buffer, char* out,
                                    const kube::table::StringRep& text);

// Copies `json`, one JSON value, without the space between its tokens and with <, >, &, U+2028 and
// U+2029 escaped: what encoding/json does with the result of a MarshalJSON. Returns the end; null
// where `json` is not valid, or nested more than ten thousand deep. As Go, it leaves bytes in
// strings that are not UTF-8 alone.
[[nodiscard]] char* WriteCompactJson(OutputBuffer& buffer, char* out, absl::string_view json);

// `compact` on lines: each member and element on its own, `indent` at its start for each level.
// (json.Indent, with no prefix) `compact` is valid JSON without space.
std::string IndentJson(absl::string_view compact, absl::string_view indent);

// How many bytes at the start of `text` are printable ASCII that stands for itself in a string;
// they are copied to `out`, where text.size() + 16 bytes may be written.
size_t CopyPlain(absl::string_view text, char* out);

// The same without the processor's vector instructions: what machines without SSE2 use, here for
// its test.
size_t CopyPlainPortable(absl::string_view text, char* out);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_TEXT_H_
