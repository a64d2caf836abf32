#ifndef CMD_OBJCONV_COMMAND_LINE_H_
#define CMD_OBJCONV_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::objconv {

enum class Format { kJson, kYaml, kProtobuf };

// The parsed command line; kUsage describes the options.
struct CommandLine {
  Format output = Format::kJson;
  bool strict = false;
  bool check = false;
  bool stats = false;
  bool help = false;
  // Empty for standard output.
  std::string out_dir = {};
  // Empty for standard input.
  std::vector<std::string> files = {};
};

// The text that --help prints.
extern const absl::string_view kUsage;

// Returns INVALID_ARGUMENT for unknown options and for options that exclude each other.
absl::StatusOr<CommandLine> ParseCommandLine(absl::Span<const std::string> arguments);

// Returns the extension of file names: "json", "yaml" or "pb".
absl::string_view ExtensionOf(Format format);

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_COMMAND_LINE_H_
