#ifndef APISERVER_PROGRAM_FLAGS_H_
#define APISERVER_PROGRAM_FLAGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/api_server.h"
#include "apiserver/request_log_file.h"

namespace kube::apiserver {

// The command line of //apiserver:main.
struct ProgramFlags {
  // Whether to print the help, or the version, and exit.
  bool help = false;
  bool version = false;
  ApiServerOptions server = {};
  // The users' names and bearer tokens, one for each --token. They are also in `server`.
  std::vector<std::pair<std::string, std::string>> tokens = {};
  // The file that the kubeconfig is written to. If empty, it is written to standard output.
  std::string kubeconfig = {};
  // How long the server runs. Default: without limit.
  absl::Duration ttl = absl::InfiniteDuration();
  bool end_with_stdin = false;
  bool end_with_parent = false;
  // PEM files with the server's certificate, its key and its authority, or empty.
  std::string tls_certificate = {};
  std::string tls_key = {};
  std::string tls_authority = {};
  // Files and directories of definitions, and of objects to create.
  std::vector<std::string> crds = {};
  std::vector<std::string> manifests = {};
  // Whether to simulate workloads, on which nodes, and with what times (WorkloadsOptions).
  bool workloads = false;
  std::vector<std::string> nodes = {"node-0"};
  absl::Duration pod_ready_after = absl::ZeroDuration();
  absl::Duration pod_ends_after = absl::ZeroDuration();
  absl::Duration pod_stops_after = absl::ZeroDuration();
  // The file of the request log, "-" for standard error, or empty for none.
  std::string request_log = {};
  RequestLogFilter request_log_filter = {};
};

// Parses the arguments after the program's name. Returns INVALID_ARGUMENT if a flag is unknown, its
// value is invalid, or a flag that it needs is missing; the message has the flag, its value unless
// that is secret, and what is allowed.
absl::StatusOr<ProgramFlags> ParseProgramFlags(const std::vector<std::string>& arguments);

// Returns the text of --help: every flag and its meaning, by task.
std::string ProgramHelp();

// Returns the text of --version: a line with the Kubernetes release that the server imitates.
std::string ProgramVersion();

}  // namespace kube::apiserver

#endif  // APISERVER_PROGRAM_FLAGS_H_
