#ifndef APIMACHINERY_CODEC_YAML_YAML_DECODER_H_
#define APIMACHINERY_CODEC_YAML_YAML_DECODER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/codec/yaml/yaml_parser.h"

namespace kube::codec::internal {

// A value to be written as JSON.
struct YamlValue {
  enum class Kind { kLiteral, kString, kList, kMap };
  Kind kind = Kind::kLiteral;
  // The key in a map, and the node of the key.
  std::string key;
  const YamlNode* key_node = nullptr;
  // The node of the value; for an alias, the node that it refers to. Null for an empty document.
  const YamlNode* node = nullptr;
  // A string, or the JSON text of a literal.
  std::string text = "null";
  // For a map: the members, sorted by the bytes of their keys, each key once.
  std::vector<YamlValue> children;
};

// Returns the meaning of a tree, as go-yaml v2's decode.go decodes it into an interface{} and as
// sigs.k8s.io/yaml then makes it fit into JSON. Aliases and merge keys are replaced by what they
// refer to, within go-yaml's limits. With `strict` a duplicate key is an error; otherwise the last
// one counts. Returns INVALID_ARGUMENT with line and column. The result refers to the nodes of
// `tree`. Pure function: thread-safe.
absl::StatusOr<YamlValue> DecodeYaml(const YamlTree& tree, bool strict);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_DECODER_H_
