#ifndef APIMACHINERY_CODEC_YAML_YAML_TEXT_H_
#define APIMACHINERY_CODEC_YAML_YAML_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// How deep maps and lists may nest, in both directions, so that what was written can be read.
// yaml-cpp's own bound is 500, Go's 10,000; Kubernetes' own types stay below 50.
inline constexpr int kMaxYamlDepth = 400;

// INVALID_ARGUMENT "line L, column C: cause"; both count from one, columns in bytes.
absl::Status YamlError(int line, int column, absl::string_view cause);

// The text as a parser of YAML 1.2 may see it without taking it for something other than go-yaml
// does, and without coming to harm: line breaks are LF (CR LF, CR and U+0085 before), lines stay
// where they are, and there is no byte order mark.
//
// INVALID_ARGUMENT for what is not UTF-8, for control characters other than tab and line breaks,
// and for text with more than 10,000 brackets open, whatever they stand in: yaml-cpp would take a
// few hundred bytes of memory for each. `first_line` is that of the text. Pure: thread-safe.
absl::StatusOr<std::string> PrepareYaml(absl::string_view yaml, int first_line);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_TEXT_H_
