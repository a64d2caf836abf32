#ifndef APIMACHINERY_CODEC_YAML_JSON_TO_YAML_H_
#define APIMACHINERY_CODEC_YAML_JSON_TO_YAML_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec {

struct JsonToYamlOptions {
  // Whether lines beyond 80 columns are folded at a space. Default: true, as kubectl prints. False
  // for texts in which people search, such as patterns. Go: yaml.FutureLineWrap, which is global.
  bool fold_lines = true;
};

// One JSON value as a YAML document, byte for byte as sigs.k8s.io/yaml 1.6 writes it: what `kubectl
// get -o yaml` prints. (JSONToYAML; its Marshal is this, after encoding/json)
//
//   JsonToYaml(R"({"b":{"c":[80]},"a":"yes"})")  // "a: \"yes\"\nb:\n  c:\n  - 80\n"
//
// Keys are sorted, digits in them by value ("a2" before "a10"); of equal keys the last one counts.
// Strings that YAML would read as something else are quoted, text of several lines is a literal
// block, long lines are folded unless told otherwise. Numbers become what YAML takes them for, as
// in Go: integers beyond 64 bits, and those with an exponent, are floats ("1e+21"), and what is too
// large for a double stays as it is. The text ends with a line break; separators ("---") are the
// caller's.
//
// INVALID_ARGUMENT with the offset where `json` is not one JSON value in UTF-8, or nests deeper
// than 400 levels. Go hands the text to a YAML parser, and thus differs:
//   - it takes any YAML, and nothing (as null); here that is an error
//   - it refuses pairs of surrogates ("\ud83d\ude00"), keys beyond 1024 characters, and U+007F to
//     U+009F, U+FFFE and U+FFFF unless they are escaped; here they are characters like others
//   - the order of its keys is that of chance where digits and letters meet ("59", "1B", "12300-")
//   - it folds U+0085, U+2028 and U+2029 in strings as line breaks unless they are escaped; here
//     they stay
//   - it takes 10,000 levels
//
// Pure: thread-safe.
absl::StatusOr<std::string> JsonToYaml(absl::string_view json,
                                       const JsonToYamlOptions& options = {});

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_YAML_JSON_TO_YAML_H_
