#include "apimachinery/codec/internal/decode.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/internal/json_decoder.h"
#include "apimachinery/codec/internal/wire_decoder.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/utf8.h"

namespace kube::codec::internal {

absl::Status DecodeInto(char* to, const kube::internal::Message& message, Encoding encoding,
                        absl::string_view bytes, const DecodeOptions& options,
                        std::vector<std::string>* strict_errors) {
  HeapMemory memory;
  HeapBuilder builder(memory);
  std::vector<std::string> own_strict_errors;
  const bool strict = options.field_validation == FieldValidation::kStrict;
  DecodeContext context = MakeContext(options);
  context.strict_errors = strict_errors != nullptr ? strict_errors
                          : strict                 ? &own_strict_errors
                                                   : nullptr;
  if (encoding == Encoding::kJson) {
    JsonDecoder<HeapBuilder> decoder(builder, bytes, kube::internal::IsValidUtf8(bytes), context);
    if (!decoder.DecodeDocument(to, bytes.data(), message)) {
      return JsonErrorStatus(message, bytes, decoder.error());
    }
  } else {
    WireDecoder<HeapBuilder> decoder(builder, context);
    if (!decoder.DecodeMessage(to, bytes.data(), bytes.data() + bytes.size(), message)) {
      return WireErrorStatus(message, bytes, decoder.error());
    }
  }
  return StrictStatus(message, own_strict_errors);
}

}  // namespace kube::codec::internal
