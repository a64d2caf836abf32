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

// What the command line of //apiserver:main asks for.
struct ProgramFlags {
  // Print the help and end.
  bool help = false;
  ApiServerOptions server = {};
  // A user's name and bearer token, from each --token. They are in `server` as well.
  std::vector<std::pair<std::string, std::string>> tokens = {};
  // The file that gets the kubeconfig. Empty: standard output gets it.
  std::string kubeconfig = {};
  // The server ends after this time. Default: never.
  absl::Duration ttl = absl::InfiniteDuration();
  bool end_with_stdin = false;
  bool end_with_parent = false;
};

// Reads the arguments that follow the program's name. INVALID_ARGUMENT names the flag that is
// unknown or has a wrong value.
absl::StatusOr<ProgramFlags> ParseProgramFlags(const std::vector<std::string>& arguments);

// Returns the text of --help: every flag and its meaning.
std::string ProgramHelp();

}  // namespace kube::apiserver

#endif  // APISERVER_PROGRAM_FLAGS_H_
