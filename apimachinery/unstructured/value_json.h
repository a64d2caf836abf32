#ifndef APIMACHINERY_UNSTRUCTURED_VALUE_JSON_H_
#define APIMACHINERY_UNSTRUCTURED_VALUE_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/unstructured/value.h"

// Converts Values from and to JSON and YAML. Pure functions: thread-safe.
namespace kube::unstructured {

// Parses one JSON value, which only white space may surround, as apimachinery's decoder reads it
// (client-go: `json.UnmarshalCaseSensitivePreserveInts` into an interface{}):
// - An integer that fits into int64_t is an int, also "-0"; other numbers are doubles: 1.0, 1e3,
//   9223372036854775808.
// - Of duplicate keys the last one counts.
// - Invalid UTF-8 and lone surrogates become U+FFFD.
// - Objects and arrays may be nested 10,000 deep.
//
//   absl::StatusOr<Value> object = ParseJson(R"({"spec": {"replicas": 3}})");
//
// Returns INVALID_ARGUMENT if the text is not a JSON value, or a number is too large for a double.
// The message names the place, such as `decode JSON: spec.replicas: expected a value (line 1,
// column 22)`. Returns RESOURCE_EXHAUSTED if the text is larger than 512 MiB. A PaddedBuffer is
// read in place; a string view is copied first.
absl::StatusOr<Value> ParseJson(absl::string_view json);
absl::StatusOr<Value> ParseJson(const codec::PaddedBuffer& json);

// Returns JSON without white space, byte for byte as Go's encoding/json writes a
// map[string]interface{}: keys are sorted by their bytes, <, > and & are escaped, and doubles have
// the shortest form that reads as the same number: 1, 0.1, 1e+21. So a double without a fraction is
// an int when it is read again. Returns INVALID_ARGUMENT if a number is infinite or not a number;
// the message names its path.
absl::StatusOr<std::string> EncodeJson(const Value& value);

// Parses the first document of a YAML text by converting it to JSON, as sigs.k8s.io/yaml does: see
// codec/yaml/yaml_to_json.h. Text that is JSON is read as JSON. Returns the errors of ParseJson,
// with the place in the YAML.
absl::StatusOr<Value> ParseYaml(absl::string_view yaml);

// Returns what `kubectl get -o yaml` prints: see codec/yaml/json_to_yaml.h.
absl::StatusOr<std::string> EncodeYaml(const Value& value,
                                       const codec::JsonToYamlOptions& options = {});

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_VALUE_JSON_H_
