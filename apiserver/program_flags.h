#ifndef APISERVER_PROGRAM_FLAGS_H_
#define APISERVER_PROGRAM_FLAGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/api_server.h"

namespace kube::apiserver {

// The command line of //apiserver:main.
struct ProgramFlags {
  // Whether to print the help and exit.
  bool help = false;
  ApiServerOptions server = {};
  // The users' names and bearer tokens, one for each --token. They are also in `server`.
  std::vector<std::pair<std::string, std::string>> tokens = {};
  // The file that the kubeconfig is written to. If empty, it is written to standard output.
  std::string kubeconfig = {};
  // How long the server runs. Default: without limit.
  absl::Duration ttl = absl::InfiniteDuration();
  bool end_with_stdin = false;
  bool end_with_parent = false;
};

// Parses the arguments after the program's name. Returns INVALID_ARGUMENT with the name of the flag
// if it is unknown or its value is invalid.
absl::StatusOr<ProgramFlags> ParseProgramFlags(const std::vector<std::string>& arguments);

// Returns the text of --help: every flag and its meaning.
std::string ProgramHelp();

}  // namespace kube::apiserver

#endif  // APISERVER_PROGRAM_FLAGS_H_
