#ifndef APIMACHINERY_CODEC_DECODE_H_
#define APIMACHINERY_CODEC_DECODE_H_

// The decoders behind one door, for types known at run time. Bytes are padded (see PaddedBuffer).

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

enum class Encoding { kJson, kProtobuf };

// Decodes into a struct, which is zero or merged into: owned memory. On an error it may have been
// changed, and is still one to destroy. `strict_errors`, if not null, gets what strict mode
// reports, and the object is decoded all the same.
absl::Status DecodeInto(char* to, const kube::table::Message& message, Encoding encoding,
                        absl::string_view bytes, const DecodeOptions& options,
                        std::vector<std::string>* strict_errors = nullptr);

namespace internal {

// DecodeInto for JSON that was made from YAML: `place_of` gives each byte its place in the YAML.
absl::Status DecodeText(char* to, const kube::table::Message& message, absl::string_view json,
                        const DecodeOptions& options,
                        absl::FunctionRef<TextPosition(size_t offset)> place_of,
                        std::vector<std::string>* strict_errors = nullptr);

}  // namespace internal
}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_H_
