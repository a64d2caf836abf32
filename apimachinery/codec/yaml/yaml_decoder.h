#ifndef APIMACHINERY_CODEC_YAML_YAML_DECODER_H_
#define APIMACHINERY_CODEC_YAML_YAML_DECODER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/codec/yaml/yaml_parser.h"

namespace kube::codec::internal {

// A value for JSON.
struct YamlValue {
  enum class Kind { kLiteral, kString, kList, kMap };
  Kind kind = Kind::kLiteral;
  // The key in a map, and where it stands.
  std::string key;
  const YamlNode* key_node = nullptr;
  // Where the value stands: with an alias, the node it refers to. Null for an empty document.
  const YamlNode* node = nullptr;
  // A string, or the JSON of a literal.
  std::string text = "null";
  // Of a map: in the order of the bytes of their keys, each once.
  std::vector<YamlValue> children;
};

// What a tree means: go-yaml v2's decode.go for an interface{}, and what sigs.k8s.io/yaml does
// with the outcome to make it fit into JSON. Aliases and merge keys are replaced by what they
// refer to, within go-yaml's bounds. `strict`: a key twice is an error; otherwise the last counts.
// INVALID_ARGUMENT with line and column. The value points into the tree. Pure: thread-safe.
absl::StatusOr<YamlValue> DecodeYaml(const YamlTree& tree, bool strict);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_DECODER_H_
