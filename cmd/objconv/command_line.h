#ifndef CMD_OBJCONV_COMMAND_LINE_H_
#define CMD_OBJCONV_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::objconv {

enum class Format { kJson, kYaml, kProtobuf };

// What to do.
struct CommandLine {
  Format output = Format::kJson;
  bool strict = false;
  bool check = false;
  bool stats = false;
  bool help = false;
  // Empty: standard output.
  std::string out_dir = {};
  // Empty: standard input.
  std::vector<std::string> files = {};
};

// What --help prints.
extern const absl::string_view kUsage;

// INVALID_ARGUMENT for options that there are not, and for those that exclude each other.
absl::StatusOr<CommandLine> ParseCommandLine(absl::Span<const std::string> arguments);

// "json", "yaml", "pb": how the name of a file ends.
absl::string_view ExtensionOf(Format format);

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_COMMAND_LINE_H_
