#ifndef APIMACHINERY_CODEC_INTERNAL_DECODE_ERROR_H_
#define APIMACHINERY_CODEC_INTERNAL_DECODE_ERROR_H_

// Turns the error of a decoder into a Status for its caller.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// A position in a text. Lines and columns count from 1, columns in bytes.
struct TextPosition {
  size_t line = 1;
  size_t column = 1;
};
TextPosition PositionOf(absl::string_view text, size_t offset);

// Returns "decode Pod: spec.containers[0].image: expected a string (line 3, column 14)".
absl::Status JsonErrorStatus(const kube::table::Message& message, const DecodeError& error,
                             TextPosition position);
// Returns "decode Pod: spec.containers[0].image: truncated value (byte 71)".
absl::Status WireErrorStatus(const kube::table::Message& message, absl::string_view bytes,
                             const DecodeError& error);

// Returns what strict mode reported: `decode Pod: unknown field "spec.foo", duplicate field
// "kind"`. Returns OK if `strict_errors` is empty.
absl::Status StrictStatus(const kube::table::Message& message,
                          const std::vector<std::string>& strict_errors);

// Maximum input size. A list has at most 2^29 elements, and no more than its input has bytes.
inline constexpr size_t kMaxEncodedBytes = size_t{512} << 20;

// Returns RESOURCE_EXHAUSTED if the input is larger than kMaxEncodedBytes.
absl::Status CheckSize(const kube::table::Message& message, absl::string_view bytes);

// Translates the options of a call.
DecodeContext MakeContext(const DecodeOptions& options);
// Does the same for objects of one type, and ignores a projection that was made for another type.
DecodeContext MakeContext(const DecodeOptions& options, const kube::table::Message& message);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_DECODE_ERROR_H_
