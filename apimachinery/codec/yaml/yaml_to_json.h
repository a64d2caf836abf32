#ifndef APIMACHINERY_CODEC_YAML_YAML_TO_JSON_H_
#define APIMACHINERY_CODEC_YAML_YAML_TO_JSON_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec {

// A position in a text. Line and column count from 1; columns in bytes.
struct YamlPosition {
  int line = 1;
  int column = 1;
};

// Maps offsets in a JSON text to positions in the YAML it was made from. Build, then immutable.
class YamlPositions {
 public:
  // Adds that the JSON from `json_offset` up to the next offset comes from `position`. Offsets must
  // ascend.
  void Add(size_t json_offset, YamlPosition position);

  // Returns the position of the key or value that contains the byte at `json_offset`. For
  // punctuation, and for offsets beyond the end, this is the last key or value before it.
  YamlPosition Find(size_t json_offset) const;

 private:
  struct Entry {
    size_t json_offset = 0;
    YamlPosition position;
  };
  std::vector<Entry> entries_;
};

// The JSON of a document, and where its parts came from.
struct JsonFromYaml {
  std::string json;
  YamlPositions positions;
};

// Options for YamlToJson.
struct YamlToJsonOptions {
  // Makes a duplicate key an error, also if one of the two comes from a merge (`<<`) (Go:
  // `yaml.YAMLToJSONStrict`). Otherwise the last one counts, where a merge counts as if its keys
  // were written there.
  bool strict = false;

  // The line of a larger text at which this one begins, for errors and positions.
  int first_line = 1;
};

// Converts the first document of `yaml` to JSON as sigs.k8s.io/yaml 1.6 does: keys are sorted by
// their bytes, and there is no white space (Go: `yaml.YAMLToJSON`, except that <, > and & are not
// escaped).
//
//   absl::StatusOr<JsonFromYaml> pod = YamlToJson("kind: Pod\n", {.strict = true});
//   ...
//   // pod->json is {"kind":"Pod"}; a decoder of it fails at byte 8:
//   YamlPosition where = pod->positions.Find(8);  // line 1, column 7
//
// Scalars follow YAML 1.1 as in go-yaml v2: yes, on and y are true; 0x1F, 0b11, 0o17, 017 and 1_000
// are integers; dates are strings; integers beyond 64 bits are floats. Keys that are numbers or
// booleans become strings. Aliases and merge keys are expanded, within go-yaml's limit on excessive
// aliasing. An empty document is null.
//
// The parser is libyaml, of which Go's parser is a port; parse errors have libyaml's texts. Unlike
// in Go, these are errors:
// - text after the document without "---", which Go ignores: `"a" b`
// - a tag that is followed by a comma or bracket, which Go takes as part of the tag: `[!!str, b]`
// - text within brackets that ends in ':', as in `[a:, b]`
// - the escape "\'" if it causes more than 16 MiB of text to be parsed again, as in 160 strings of
//   a document of 100 kB, or in 11 strings of a document of 1.4 MB
// - more than 400 levels, more than 100 %TAG directives, and aliases that repeat more than 64 MiB
//   of text
// - UTF-16, and byte order marks at the start of later lines
// - with `strict`, keys that are equal only as text (1 and "1"); without it the last one counts,
//   while Go takes either
//
// Two things are accepted that Go refuses: the escape "\/", and a version of three digits in a
// directive, `%YAML 1.001`.
//
// Returns INVALID_ARGUMENT, "convert YAML to JSON: line L, column C: cause", if the text is not
// YAML, or contains what JSON does not have: infinities, NaN, and null, maps or lists as keys. Pure
// function: thread-safe.
absl::StatusOr<JsonFromYaml> YamlToJson(absl::string_view yaml,
                                        const YamlToJsonOptions& options = {});

// Returns whether `text`, after white space, begins like a JSON object. JSON is YAML too, but a
// JSON decoder is faster and has more precise errors (client-go: `yaml.IsJSONBuffer`).
bool LooksLikeJson(absl::string_view text);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_YAML_YAML_TO_JSON_H_
