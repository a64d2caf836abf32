#ifndef APIMACHINERY_CODEC_YAML_YAML_TEXT_H_
#define APIMACHINERY_CODEC_YAML_YAML_TEXT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// How deep maps and lists may nest, in both directions, so that what was written can be read.
// Go's own bound is 10,000; Kubernetes' own types stay below 50.
inline constexpr int kMaxYamlDepth = 400;

// INVALID_ARGUMENT "line L, column C: cause"; both count from one, columns in bytes.
absl::Status YamlError(int line, int column, absl::string_view cause);

// Refuses what no part of a YAML text may be, whatever the parser would make of it:
// INVALID_ARGUMENT for what is not UTF-8, for control characters other than tab and line breaks,
// for a byte order mark at the start of a line, and for more than 100 lines that begin with %TAG.
// The text begins at `first_line`, and comes without the byte order mark of its file. Pure:
// thread-safe.
absl::Status CheckYamlText(absl::string_view yaml, int first_line);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_TEXT_H_
