#ifndef APIMACHINERY_CODEC_YAML_YAML_PARSER_H_
#define APIMACHINERY_CODEC_YAML_YAML_PARSER_H_

#include <deque>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// A node as it was written. The decoder finds out what it means.
struct YamlNode {
  enum class Kind { kScalar, kList, kMap, kAlias };
  Kind kind = Kind::kScalar;
  // For a scalar: not quoted, not a block and not tagged.
  bool plain = false;
  // The position, counted from 1; columns in bytes.
  int line = 1;
  int column = 1;
  // The explicit tag of a scalar in full, "tag:yaml.org,2002:int". "!" makes it a string.
  std::string tag;
  // The text of a scalar.
  std::string text;
  // The items of a list, or the keys and values of a map in turn.
  std::vector<const YamlNode*> children;
  // The node that an alias refers to, which may contain the alias.
  const YamlNode* target = nullptr;
};

// The first document of a text.
struct YamlTree {
  // A deque, so that pointers to nodes stay valid.
  std::deque<YamlNode> nodes;
  // Null if the text has no document.
  const YamlNode* root = nullptr;
};

// Parses text that CheckYamlText has accepted, without a byte order mark, with libyaml, of which
// go-yaml v2 is a port. `first_line` is the line number at which the text begins. Returns
// INVALID_ARGUMENT with line and column if the text is not YAML or is nested too deeply. Pure
// function: thread-safe.
absl::StatusOr<YamlTree> ParseYaml(absl::string_view text, int first_line);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_PARSER_H_
