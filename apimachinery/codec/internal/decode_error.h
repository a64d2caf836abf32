#ifndef APIMACHINERY_CODEC_INTERNAL_DECODE_ERROR_H_
#define APIMACHINERY_CODEC_INTERNAL_DECODE_ERROR_H_

// From what went wrong in a decoder to a Status for its caller.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Of a place in a text, both from 1; columns count bytes.
struct TextPosition {
  size_t line = 1;
  size_t column = 1;
};
TextPosition PositionOf(absl::string_view text, size_t offset);

// "decode Pod: spec.containers[0].image: want a string (line 3, column 14)"
absl::Status JsonErrorStatus(const kube::table::Message& message, const DecodeError& error,
                             TextPosition position);
// "decode Pod: spec.containers[0].image: truncated value (byte 71)"
absl::Status WireErrorStatus(const kube::table::Message& message, absl::string_view bytes,
                             const DecodeError& error);

// What strict mode reported: `decode Pod: unknown field "spec.foo", duplicate field "kind"`. OK for
// nothing.
absl::Status StrictStatus(const kube::table::Message& message,
                          const std::vector<std::string>& strict_errors);

// Lists have up to 2^29 elements: no more than bytes.
inline constexpr size_t kMaxEncodedBytes = size_t{512} << 20;

// RESOURCE_EXHAUSTED where the input is larger.
absl::Status CheckSize(const kube::table::Message& message, absl::string_view bytes);

DecodeContext MakeContext(const DecodeOptions& options);
// The same for objects of one type: a projection that was made for another does not count.
DecodeContext MakeContext(const DecodeOptions& options, const kube::table::Message& message);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_DECODE_ERROR_H_
