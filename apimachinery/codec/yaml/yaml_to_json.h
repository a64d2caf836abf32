#ifndef APIMACHINERY_CODEC_YAML_YAML_TO_JSON_H_
#define APIMACHINERY_CODEC_YAML_YAML_TO_JSON_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec {

// A place in a text; both count from one, columns in bytes.
struct YamlPosition {
  int line = 1;
  int column = 1;
};

// Where in the YAML the parts of a JSON text came from. Build, then immutable.
class YamlPositions {
 public:
  // Says that the JSON from `json_offset` on, up to the next offset added, comes from `position`.
  // Offsets ascend.
  void Add(size_t json_offset, YamlPosition position);

  // The place of the key or value that holds the byte at `json_offset`; of the last one before it
  // for what is between them. Offsets beyond the end are taken for the end.
  YamlPosition Find(size_t json_offset) const;

 private:
  struct Entry {
    size_t json_offset = 0;
    YamlPosition position;
  };
  std::vector<Entry> entries_;
};

struct JsonFromYaml {
  std::string json;
  YamlPositions positions;
};

struct YamlToJsonOptions {
  // A key twice in a map is an error, also where one of the two comes from a merge (`<<`).
  // Otherwise the last one counts, and a merge as if it were written there. (YAMLToJSONStrict)
  bool strict = false;

  // The line of a larger text at which this one begins, for errors and positions.
  int first_line = 1;
};

// The first document in `yaml` as JSON, as sigs.k8s.io/yaml 1.6 makes it: keys sorted by their
// bytes, no white space. (YAMLToJSON; nothing is escaped for the sake of HTML)
//
//   absl::StatusOr<JsonFromYaml> pod = YamlToJson("kind: Pod\n", {.strict = true});
//   // pod->json is {"kind":"Pod"}; a decoder of it fails at byte 8:
//   YamlPosition where = pod->positions.Find(8);  // line 1, column 7
//
// Scalars follow YAML 1.1 as go-yaml v2 does: yes, on and y are true; 0x1F, 0b11, 0o17, 017 and
// 1_000 are integers; dates are strings; numbers beyond 64 bits are floats. Keys that are numbers
// or booleans become strings. Aliases and merge keys are expanded, within go-yaml's bound for
// excessive aliasing. An empty document is null.
//
// The parser is libyaml, of which Go's is a port; errors have its texts. Other than there, these
// are refused:
//   - text behind the document without "---", which Go passes over: `"a" b`
//   - a tag that a comma or a bracket follows, which Go takes for a part of it: `[!!str, b]`
//   - text within brackets that ends with ':', as in `[a:, b]`
//   - the escape "\'" where it makes more than 16 MiB of text be parsed again: in 160 strings of a
//     document of 100 kB, or in 11 of one of 1.4 MB
//   - more than 400 levels, more than 100 directives %TAG, and aliases that repeat more than 64 MiB
//     of text
//   - UTF-16, and byte order marks at the start of later lines
//   - with `strict`, keys that are equal only as text (1 and "1"); otherwise the last one counts,
//     where Go takes either
// and two things are taken that Go refuses: the escape "\/", and versions of three digits in a
// directive, `%YAML 1.001`.
//
// INVALID_ARGUMENT, "convert YAML to JSON: line L, column C: cause", for what is not YAML, and for
// what JSON cannot hold: infinities and NaN; null, maps and lists as keys.
absl::StatusOr<JsonFromYaml> YamlToJson(absl::string_view yaml,
                                        const YamlToJsonOptions& options = {});

// Whether `text` starts like a JSON object, behind white space. JSON is YAML too, but a decoder of
// JSON has better errors for it and is faster. (yaml.IsJSONBuffer)
bool LooksLikeJson(absl::string_view text);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_YAML_YAML_TO_JSON_H_
