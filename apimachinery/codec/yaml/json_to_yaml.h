#ifndef APIMACHINERY_CODEC_YAML_JSON_TO_YAML_H_
#define APIMACHINERY_CODEC_YAML_JSON_TO_YAML_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec {

// How JsonToYaml writes YAML.
struct JsonToYamlOptions {
  // Folds lines longer than 80 columns at a space. Default: true, as kubectl does. Set false for
  // texts that people search, such as patterns. (Go: `yaml.FutureLineWrap`, which is global.)
  bool fold_lines = true;
};

// Returns one JSON value as a YAML document, byte for byte as sigs.k8s.io/yaml 1.6 writes it and
// `kubectl get -o yaml` prints it (Go: `yaml.JSONToYAML`; `yaml.Marshal` is the same after
// encoding/json).
//
//   JsonToYaml(R"({"b":{"c":[80]},"a":"yes"})")  // "a: \"yes\"\nb:\n  c:\n  - 80\n"
//
// Keys are sorted, with digits by value ("a2" before "a10"); of equal keys the last one counts.
// Strings that YAML would read as something else are quoted, text of several lines becomes a
// literal block, and long lines are folded (see JsonToYamlOptions). Numbers become what YAML takes
// them for, as in Go: integers beyond 64 bits and numbers with an exponent are floats ("1e+21"),
// and a number that is too large for a double is copied. The text ends with a line break. The
// caller writes separators ("---").
//
// Returns INVALID_ARGUMENT with the offset if `json` is not one JSON value in UTF-8, or is nested
// deeper than 400 levels. Go passes the text to a YAML parser and therefore differs:
// - Go accepts any YAML, and an empty text as null; here both are errors.
// - Go refuses surrogate pairs ("\ud83d\ude00"), keys longer than 1024 characters, and U+007F to
//   U+009F, U+FFFE and U+FFFF unless they are escaped; here these are ordinary characters.
// - Go's order of keys depends on chance if digits and letters meet ("59", "1B", "12300-").
// - Go folds U+0085, U+2028 and U+2029 in strings as line breaks unless they are escaped; here they
//   are kept.
// - Go accepts 10,000 levels.
//
// Pure function: thread-safe.
absl::StatusOr<std::string> JsonToYaml(absl::string_view json,
                                       const JsonToYamlOptions& options = {});

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_YAML_JSON_TO_YAML_H_
