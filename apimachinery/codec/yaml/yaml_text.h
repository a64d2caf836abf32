#ifndef APIMACHINERY_CODEC_YAML_YAML_TEXT_H_
#define APIMACHINERY_CODEC_YAML_YAML_TEXT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// Maximum nesting of maps and lists when reading and when writing, so that everything written can
// be read. Go's limit is 10,000; Kubernetes' own types stay below 50.
inline constexpr int kMaxYamlDepth = 400;

// Returns INVALID_ARGUMENT "line L, column C: cause". Both count from 1; columns in bytes.
absl::Status YamlError(int line, int column, absl::string_view cause);

// Refuses text that must not occur in YAML, whatever the parser would make of it: returns
// INVALID_ARGUMENT for invalid UTF-8, for control characters other than tab and line breaks, for a
// byte order mark at the start of a line, and for more than 100 lines that begin with %TAG.
// `first_line` is the line number at which the text begins; the byte order mark of the file must
// have been removed. Pure function: thread-safe.
absl::Status CheckYamlText(absl::string_view yaml, int first_line);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_TEXT_H_
