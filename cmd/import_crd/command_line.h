#ifndef CMD_IMPORT_CRD_COMMAND_LINE_H_
#define CMD_IMPORT_CRD_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::import_crd {

// The parsed command line; kUsage describes the options.
struct CommandLine {
  std::vector<std::string> versions = {};
  // Empty for the default.
  std::string package = {};
  // At most one of the two is set. Both are empty for standard output.
  std::string out = {};
  std::string out_dir = {};
  bool help = false;
  std::vector<std::string> files = {};
};

// The text that --help prints.
extern const absl::string_view kUsage;

// Returns INVALID_ARGUMENT for unknown options, for options that exclude each other, and if there
// are no files.
absl::StatusOr<CommandLine> ParseCommandLine(absl::Span<const std::string> arguments);

}  // namespace kube::import_crd

#endif  // CMD_IMPORT_CRD_COMMAND_LINE_H_
