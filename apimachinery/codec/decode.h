#ifndef APIMACHINERY_CODEC_DECODE_H_
#define APIMACHINERY_CODEC_DECODE_H_

// Decodes JSON and protobuf into objects whose type is known only by its field table. Programs use
// DecodeJson, DecodeProtobuf and DecodeYaml; SharedDecoder is for objects in caches.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

// The encodings that DecodeInto reads. Protobuf is the message alone, without the envelope of
// Kubernetes (see envelope.h).
enum class Encoding { kJson, kProtobuf };

// Decodes `bytes` into the struct at `to`, which `message` describes. The struct must be zero, or
// hold an object that owns its memory: then `bytes` is merged into it. `bytes` must be padded (see
// PaddedBuffer). If `strict_errors` is not null, unknown and duplicate fields are appended to it
// and are no errors; otherwise `options` decides. Protobuf input never reports any.
//
// Returns INVALID_ARGUMENT if `bytes` is not an encoded object of this type, and RESOURCE_EXHAUSTED
// if it is larger than 512 MiB. After an error the struct may be partly filled; the caller must
// still destroy it. Thread-safe.
absl::Status DecodeInto(char* to, const kube::table::Message& message, Encoding encoding,
                        absl::string_view bytes, const DecodeOptions& options,
                        std::vector<std::string>* strict_errors = nullptr);

namespace internal {

// Does what DecodeInto does, for JSON that is part of another text or was made from one: errors
// name the position that `place_of` returns for an offset in `json`. `json` must be padded.
absl::Status DecodeText(char* to, const kube::table::Message& message, absl::string_view json,
                        const DecodeOptions& options,
                        absl::FunctionRef<TextPosition(size_t offset)> place_of,
                        std::vector<std::string>* strict_errors = nullptr);

}  // namespace internal
}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_H_
