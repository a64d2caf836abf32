#ifndef APIMACHINERY_UNSTRUCTURED_VALUE_JSON_H_
#define APIMACHINERY_UNSTRUCTURED_VALUE_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/unstructured/value.h"

// Values from text and to text. Pure functions: thread-safe.
namespace kube::unstructured {

// One JSON value, with nothing around it but white space, as apimachinery's decoder reads it
// (json.UnmarshalCaseSensitivePreserveInts into an interface{}):
//   * integers that fit are ints, also "-0"; other numbers doubles: 1.0, 1e3, 9223372036854775808
//   * of a key that comes twice the last one counts
//   * invalid UTF-8 and lone surrogates become U+FFFD
//   * objects and arrays may be nested 10,000 deep
//
//   KUBE_ASSIGN_OR_RETURN(Value object, ParseJson(R"({"spec": {"replicas": 3}})"));
//
// INVALID_ARGUMENT where it is none, or a number is too large for a double, with the place:
//   decode JSON: spec.replicas: want a value (line 1, column 22)
// RESOURCE_EXHAUSTED: it is of more than 512 MiB. A PaddedBuffer is read where it is, a view is
// copied first.
absl::StatusOr<Value> ParseJson(absl::string_view json);
absl::StatusOr<Value> ParseJson(const codec::PaddedBuffer& json);

// JSON without white space, byte for byte as Go's encoding/json writes a map[string]interface{}:
// keys sorted by their bytes, <, > and & escaped, doubles in the shortest form that reads back, as
// 1, 0.1 or 1e+21: a double without a fraction is an int when it is read again.
// INVALID_ARGUMENT where a number is infinite or none; the message names its path.
absl::StatusOr<std::string> EncodeJson(const Value& value);

// The first document of a YAML text, by way of JSON, as sigs.k8s.io/yaml does it: see
// codec/yaml_to_json.h. A text that is JSON is read as such. Errors as ParseJson's, with the place
// in the YAML.
absl::StatusOr<Value> ParseYaml(absl::string_view yaml);

// What `kubectl get -o yaml` prints: see codec/yaml/json_to_yaml.h.
absl::StatusOr<std::string> EncodeYaml(const Value& value,
                                       const codec::JsonToYamlOptions& options = {});

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_VALUE_JSON_H_
