#ifndef APIMACHINERY_CODEC_DECODE_YAML_H_
#define APIMACHINERY_CODEC_DECODE_YAML_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// Decodes the first document of `yaml` to an object whose type is known by its table alone, at
// `to`, which has zero bits. `first_line`: the number of its first line, for errors. After an error
// too the object is to be destroyed.
absl::Status DecodeYamlInto(char* to, const kube::table::Message& message, absl::string_view yaml,
                            const DecodeOptions& options, int first_line,
                            std::vector<std::string>* strict_errors = nullptr);

// An API object from its YAML, as sigs.k8s.io/yaml and apimachinery's serializer read it: see
// YamlToJson and DecodeJson for the rules. A text that is JSON is decoded as JSON. Of a stream of
// documents the first one counts: YamlDocuments has them all.
//
//   absl::StatusOr<appsv1::Deployment> web = DecodeYaml<appsv1::Deployment>(file);
//
// INVALID_ARGUMENT where the text is not the YAML of a T, with its place in the YAML:
//   decode Deployment: spec.replicas: want an integer (line 7, column 13)
// `first_line`: the line of a file that the text begins at. Thread-safe.
template <ApiStruct T>
absl::StatusOr<T> DecodeYaml(absl::string_view yaml, const DecodeOptions& options = {},
                             int first_line = 1) {
  T object;
  absl::Status status =
      DecodeYamlInto(reinterpret_cast<char*>(&object), T::kMessage, yaml, options, first_line);
  if (!status.ok()) return status;
  return object;
}

// DecodeYaml that decodes all the same and tells of unknown and duplicate fields, as
// DecodeJsonAndReport does. The first key that comes twice in one map is reported with its place;
// in Go too, the YAML's duplicates come before what the JSON made of it has.
template <ApiStruct T>
absl::StatusOr<StrictlyDecoded<T>> DecodeYamlAndReport(absl::string_view yaml,
                                                       const DecodeOptions& options = {},
                                                       int first_line = 1) {
  StrictlyDecoded<T> decoded;
  absl::Status status = DecodeYamlInto(reinterpret_cast<char*>(&decoded.object), T::kMessage, yaml,
                                       options, first_line, &decoded.strict_errors);
  if (!status.ok()) return status;
  return decoded;
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DECODE_YAML_H_
