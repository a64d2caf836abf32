#include "apimachinery/unstructured/convert.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::unstructured {

absl::StatusOr<Value> ToValue(const void* object, const kube::table::Message& message) {
  std::string json;
  KUBE_RETURN_IF_ERROR(codec::AppendJson(json, object, message));
  return ParseJson(json);
}

absl::Status FromValue(const Value& value, void* object, const kube::table::Message& message,
                       const codec::DecodeOptions& options) {
  absl::StatusOr<std::string> json = EncodeJson(value);
  if (!json.ok()) return json.status();
  const codec::PaddedBuffer buffer(*json);
  return codec::DecodeInto(static_cast<char*>(object), message, codec::Encoding::kJson,
                           buffer.view(), options);
}

}  // namespace kube::unstructured
