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

// How JSON is laid out. The default is one line without white space.
struct EncodeJsonOptions {
  // Indentation per level; kubectl uses four spaces, apimachinery's pretty serializer two. Empty,
  // the default, writes everything on one line (Go: `json.MarshalIndent`).
  absl::string_view indent = {};

  // Adds a line feed at the end, as apimachinery's serializer does unless it writes pretty (Go:
  // `json.Encoder` adds it, `json.Marshal` does not).
  bool final_newline = false;
};

// Appends the JSON of `value`, which is of `type`. Returns the errors of EncodeJson and then leaves
// `out` unchanged.
absl::Status AppendJsonValue(std::string& out, const void* value, kube::table::Type type);

// Appends the JSON of `value`, a struct that `message` describes. Returns the errors of EncodeJson
// and then leaves `out` unchanged.
absl::Status AppendJson(std::string& out, const void* value, const kube::table::Message& message,
                        const EncodeJsonOptions& options = {});

// Returns whether the JSON of a struct that `message` describes has the member at `member`, whose
// field is `field`, as Go's tags say. The value of such a member may be null.
bool IsWrittenToJson(const void* member, const kube::table::Message& message,
                     const kube::table::Field& field);

// Returns the JSON of an API object, byte for byte what Go's encoding/json makes of the same
// object: members in Go's order, maps sorted by key, empty members omitted as Go's tags say, <, >
// and & escaped, and quantities in canonical form. An apply configuration is written with every
// member that is set, including empty lists and maps.
//
//   const absl::StatusOr<std::string> json = codec::EncodeJson(*pod);
//
// Returns INVALID_ARGUMENT if the object has no JSON: a Quantity whose text is not a quantity,
// embedded JSON (RawExtension, FieldsV1, RawJson) that is not valid, an IntOrString of an unknown
// type, or a double that is infinite or not a number. The message names the member, such as
// "spec.containers[0].resources.limits[cpu]".
//
// Thread-safe as long as no other thread changes `object`.
template <ApiStruct T>
absl::StatusOr<std::string> EncodeJson(const T& object, const EncodeJsonOptions& options = {}) {
  std::string json;
  absl::Status status = AppendJson(json, &object, T::kMessage, options);
  if (!status.ok()) return status;
  return json;
}

// Appends the JSON of `object` to `out`. Returns the errors of EncodeJson and then leaves `out`
// unchanged.
template <ApiStruct T>
absl::Status AppendJson(std::string& out, const T& object, const EncodeJsonOptions& options = {}) {
  return AppendJson(out, &object, T::kMessage, options);
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ENCODE_JSON_H_
