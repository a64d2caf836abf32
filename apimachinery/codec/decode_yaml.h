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

// Decodes the first document of `yaml` into the struct at `to`, which `message` describes and which
// must be zero. `first_line` is the line number of the text's first line in its file, for errors.
// If `strict_errors` is not null, unknown and duplicate fields are appended to it and are no
// errors. Returns the errors of DecodeYaml; after an error too, the caller must destroy the struct.
absl::Status DecodeYamlInto(char* to, const kube::table::Message& message, absl::string_view yaml,
                            const DecodeOptions& options, int first_line,
                            std::vector<std::string>* strict_errors = nullptr);

// Decodes an API object from YAML, as sigs.k8s.io/yaml and apimachinery's serializer do; YamlToJson
// and DecodeJson have the rules. Text that is valid JSON is decoded as JSON. Only the first
// document of a stream is read; use YamlDocuments for all of them.
//
//   KUBE_ASSIGN_OR_RETURN(auto deployment, codec::DecodeYaml<appsv1::Deployment>(
//                                              document->text, {}, document->first_line));
//
// Returns INVALID_ARGUMENT if the text is not the YAML of a T. The message names the place in the
// YAML, such as `decode Deployment: spec.replicas: expected an integer (line 7, column 13)`.
// `first_line` is the line of the file at which `yaml` begins. Thread-safe.
template <ApiStruct T>
absl::StatusOr<T> DecodeYaml(absl::string_view yaml, const DecodeOptions& options = {},
                             int first_line = 1) {
  T object;
  absl::Status status =
      DecodeYamlInto(reinterpret_cast<char*>(&object), T::kMessage, yaml, options, first_line);
  if (!status.ok()) return status;
  return object;
}

// Decodes as DecodeYaml does, and reports unknown and duplicate fields in `strict_errors` instead
// of failing, as DecodeJsonAndReport does. As in Go, duplicate keys of the YAML come before what
// the JSON made from it has; of these keys only the first is reported, with its place. Thread-safe.
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
