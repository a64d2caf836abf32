#ifndef APIMACHINERY_CODEC_YAML_YAML_PARSER_H_
#define APIMACHINERY_CODEC_YAML_YAML_PARSER_H_

#include <deque>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// A node as it was written; what it means is the decoder's business.
struct YamlNode {
  enum class Kind { kScalar, kList, kMap, kAlias };
  Kind kind = Kind::kScalar;
  // Of a scalar: neither quoted, nor a block, nor tagged.
  bool plain = false;
  // From one; columns in bytes.
  int line = 1;
  int column = 1;
  // The explicit tag of a scalar in full, "tag:yaml.org,2002:int". "!" makes it a string.
  std::string tag;
  // Of a scalar.
  std::string text;
  // The items of a list; of a map, each key and its value.
  std::vector<const YamlNode*> children;
  // What an alias refers to. This may be a node around it.
  const YamlNode* target = nullptr;
};

// The first document of a text.
struct YamlTree {
  // The nodes stay where they are.
  std::deque<YamlNode> nodes;
  // Null where the text holds no document.
  const YamlNode* root = nullptr;
};

// Parses text that CheckYamlText lets pass, without a byte order mark, by libyaml, of which go-yaml
// v2 is a port. INVALID_ARGUMENT with line and column where it is not YAML or nests too deep. The
// text begins at `first_line`. Pure: thread-safe.
absl::StatusOr<YamlTree> ParseYaml(absl::string_view text, int first_line);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_PARSER_H_
