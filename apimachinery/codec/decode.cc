#include "apimachinery/codec/decode.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/json/json_decoder.h"
#include "apimachinery/codec/protobuf/wire_decoder.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

namespace {

absl::Status DecodeWire(char* to, const kube::table::Message& message, absl::string_view bytes,
                        const DecodeOptions& options) {
  KUBE_RETURN_IF_ERROR(internal::CheckSize(message, bytes));
  internal::HeapMemory memory;
  internal::HeapBuilder builder(memory);
  const internal::DecodeContext context = internal::MakeContext(options, message);
  internal::WireDecoder<internal::HeapBuilder> decoder(builder, context);
  if (decoder.DecodeMessage(to, bytes.data(), bytes.data() + bytes.size(), message)) {
    return absl::OkStatus();
  }
  return internal::WireErrorStatus(message, bytes, decoder.error());
}

}  // namespace

namespace internal {

absl::Status DecodeText(char* to, const kube::table::Message& message, absl::string_view json,
                        const DecodeOptions& options,
                        absl::FunctionRef<TextPosition(size_t offset)> place_of,
                        std::vector<std::string>* strict_errors) {
  KUBE_RETURN_IF_ERROR(CheckSize(message, json));
  HeapMemory memory;
  HeapBuilder builder(memory);
  std::vector<std::string> own_strict_errors;
  DecodeContext context = MakeContext(options, message);
  if (strict_errors != nullptr) {
    context.strict_errors = strict_errors;
  } else if (options.field_validation == FieldValidation::kStrict) {
    context.strict_errors = &own_strict_errors;
  }
  JsonDecoder<HeapBuilder> decoder(builder, json, kube::text::IsValidUtf8(json), context);
  if (decoder.DecodeDocument(to, json.data(), message) == nullptr) {
    const DecodeError& error = decoder.error();
    return JsonErrorStatus(message, error, place_of(static_cast<size_t>(error.at - json.data())));
  }
  return StrictStatus(message, own_strict_errors);
}

}  // namespace internal

absl::Status DecodeInto(char* to, const kube::table::Message& message, Encoding encoding,
                        absl::string_view bytes, const DecodeOptions& options,
                        std::vector<std::string>* strict_errors) {
  if (encoding == Encoding::kProtobuf) return DecodeWire(to, message, bytes, options);
  return internal::DecodeText(
      to, message, bytes, options,
      [&](size_t offset) { return internal::PositionOf(bytes, offset); }, strict_errors);
}

}  // namespace kube::codec
