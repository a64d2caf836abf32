#ifndef APIMACHINERY_CODEC_DECODE_JSON_H_
#define APIMACHINERY_CODEC_DECODE_JSON_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// Decodes an API object from JSON, by the rules of apimachinery's serializer: names are
// case-sensitive, unknown fields are dropped (see DecodeOptions), null means absent, an integer
// must not have a fraction, and invalid UTF-8 becomes U+FFFD. The object owns its memory. For
// objects in caches use SharedDecoder.
//
//   const absl::StatusOr<corev1::Pod> pod = codec::DecodeJson<corev1::Pod>(kPod);
//
// Returns INVALID_ARGUMENT if the text is not the JSON of a T. The message names the place, such as
// `decode Pod: spec.containers[0].image: expected a string (line 3, column 14)`. It contains no
// values from the text, so it may be logged; correct the text at its source. Returns
// RESOURCE_EXHAUSTED if the text is larger than 512 MiB.
//
// A PaddedBuffer is decoded in place; a string view is copied first. Thread-safe.
//
// Differences from sigs.k8s.io/json, which only texts show that Kubernetes does not write:
// - Structs may be nested 1000 deep (see DecodeOptions::max_depth), not 10,000.
// - If a list occurs several times in an object, Go decodes each occurrence into the old elements,
//   also into elements that a shorter occurrence had cut off. Here elements that were cut off are
//   lost.
// - null sets a Quantity to 0, whatever its value was. In Go the Quantity still prints its old
//   text.
template <ApiStruct T>
absl::StatusOr<T> DecodeJson(const PaddedBuffer& json, const DecodeOptions& options = {}) {
  T object;
  absl::Status status = codec::DecodeInto(reinterpret_cast<char*>(&object), T::kMessage,
                                          codec::Encoding::kJson, json.view(), options);
  if (!status.ok()) return status;
  return object;
}
template <ApiStruct T>
absl::StatusOr<T> DecodeJson(absl::string_view json, const DecodeOptions& options = {}) {
  return DecodeJson<T>(PaddedBuffer(json), options);
}

// An object, and the unknown and duplicate fields that were found while it was decoded.
template <typename T>
struct StrictlyDecoded {
  T object;
  // `unknown field "spec.foo"`, `duplicate field "kind"`: Go's wording, each once, at most 100.
  std::vector<std::string> strict_errors;
};

// Decodes as DecodeJson does, and reports unknown and duplicate fields in `strict_errors` instead
// of failing, as the API server does for fieldValidation=Warn (apimachinery:
// `runtime.StrictDecodingError`). Returns the errors of DecodeJson. Thread-safe.
template <ApiStruct T>
absl::StatusOr<StrictlyDecoded<T>> DecodeJsonAndReport(absl::string_view json,
                                                       const DecodeOptions& options = {}) {
  StrictlyDecoded<T> decoded;
  const PaddedBuffer buffer(json);
  absl::Status status =
      codec::DecodeInto(reinterpret_cast<char*>(&decoded.object), T::kMessage,
                        codec::Encoding::kJson, buffer.view(), options, &decoded.strict_errors);
  if (!status.ok()) return status;
  return decoded;
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_JSON_H_
