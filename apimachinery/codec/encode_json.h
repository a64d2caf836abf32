#ifndef APIMACHINERY_CODEC_ENCODE_JSON_H_
#define APIMACHINERY_CODEC_ENCODE_JSON_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

struct EncodeJsonOptions {
  // What each level is indented by, for people: kubectl uses four spaces, apimachinery's pretty
  // serializer two. Empty, the default: one line without space. Go: json.MarshalIndent.
  absl::string_view indent = {};

  // A line feed at the end, as apimachinery's serializer writes unless it writes pretty. Default:
  // none. Go: json.Encoder, against json.Marshal.
  bool final_newline = false;
};

// Appends the JSON of `value`, which is of `type`. After an error `out` is as it was.
absl::Status AppendJsonValue(std::string& out, const void* value, kube::table::Type type);

// Appends the JSON of `value`, a struct that `message` describes. After an error `out` is as it
// was.
absl::Status AppendJson(std::string& out, const void* value, const kube::table::Message& message,
                        const EncodeJsonOptions& options = {});

// The JSON of an API object, byte for byte what Go's encoding/json makes of the same object:
// members in Go's order, maps by key, empty members left out or not as Go's tags say, <, > and &
// escaped, quantities canonical. An apply configuration has what is there, empty lists and maps
// too.
//
//   absl::StatusOr<std::string> json = EncodeJson(pod);
//
// INVALID_ARGUMENT where the object has no JSON; the message names the member, as
// "spec.containers[0].resources.limits[cpu]". That is a text set as a Quantity that is none,
// embedded JSON (RawExtension, FieldsV1, RawJson) that is not valid, an IntOrString that is
// neither, a double that is infinite or not a number.
//
// Thread-safe where nobody changes `object` meanwhile.
template <ApiStruct T>
absl::StatusOr<std::string> EncodeJson(const T& object, const EncodeJsonOptions& options = {}) {
  std::string json;
  absl::Status status = AppendJson(json, &object, T::kMessage, options);
  if (!status.ok()) return status;
  return json;
}

// The same, appended to `out`, which after an error is as it was.
template <ApiStruct T>
absl::Status AppendJson(std::string& out, const T& object, const EncodeJsonOptions& options = {}) {
  return AppendJson(out, &object, T::kMessage, options);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ENCODE_JSON_H_
