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

// An API object from its JSON, as apimachinery's serializer reads it: names are case-sensitive,
// unknown fields are dropped (see DecodeOptions), null is as good as absent, integers have no
// fraction, invalid UTF-8 becomes U+FFFD. The object is the caller's, to keep and to change; for
// caches see SharedDecoder.
//
//   absl::StatusOr<corev1::Pod> pod = DecodeJson<corev1::Pod>(text);
//
// INVALID_ARGUMENT where the text is not the JSON of a T, with the place:
//   decode Pod: spec.containers[0].image: want a string (line 3, column 14)
// It is the sender's to correct. The text itself is not part of the message, which may go to a log.
//
// A PaddedBuffer is decoded where it is, a view is copied first. Thread-safe.
//
// Where this differs from sigs.k8s.io/json, all of it in texts that no Kubernetes writes:
//   * structs may be nested 1000 deep (DecodeOptions::max_depth), a text is at most 512 MiB
//   (RESOURCE_EXHAUSTED);
//   * the elements that a list lost when it came again and shorter stay lost when it comes again
//   and
//     longer: Go decodes into what it finds behind the end;
//   * null for a Quantity that has a value makes it 0: Go goes on to print its old text.
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

// An object, and what strict decoding has against it.
template <typename T>
struct StrictlyDecoded {
  T object;
  // `unknown field "spec.foo"`, `duplicate field "kind"`: as Go words them, each once, at most 100.
  std::vector<std::string> strict_errors;
};

// DecodeJson that decodes all the same and tells of unknown and duplicate fields: what the API
// server does with fieldValidation=Warn. (runtime.StrictDecodingError)
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
