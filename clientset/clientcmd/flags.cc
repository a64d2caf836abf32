#include "clientset/clientcmd/flags.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/flags/usage.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/secret.h"
#include "clientset/clientcmd/internal/flag_help.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/clientcmd/overrides.h"

ABSL_FLAG(std::string, kubeconfig, "", "Path to the kubeconfig file to use");
ABSL_FLAG(std::string, master, "",
          "The address of the Kubernetes API server. Overrides any value in kubeconfig. The same "
          "as --server");
ABSL_FLAG(std::string, context, "", "The name of the kubeconfig context to use");
ABSL_FLAG(std::string, cluster, "", "The name of the kubeconfig cluster to use");
ABSL_FLAG(std::string, user, "", "The name of the kubeconfig user to use");
ABSL_FLAG(std::string, namespace, "", "If present, the namespace scope for this CLI request");
ABSL_FLAG(std::string, server, "", "The address and port of the Kubernetes API server");
ABSL_FLAG(std::string, tls_server_name, "",
          "If provided, this name will be used to validate server certificate. If this is not "
          "provided, hostname used to contact the server is used.");
ABSL_FLAG(bool, insecure_skip_tls_verify, false,
          "If true, the server's certificate will not be checked for validity. This will make your "
          "HTTPS connections insecure");
ABSL_FLAG(std::string, certificate_authority, "",
          "Path to a cert file for the certificate authority");
ABSL_FLAG(std::string, proxy_url, "", "If provided, this URL will be used to connect via proxy");
ABSL_FLAG(bool, disable_compression, false,
          "If true, opt-out of response compression for all requests to the server");
ABSL_FLAG(std::string, client_certificate, "", "Path to a client certificate file for TLS");
ABSL_FLAG(std::string, client_key, "", "Path to a client key file for TLS");
ABSL_FLAG(std::string, token, "", "Bearer token for authentication to the API server");
ABSL_FLAG(std::string, username, "", "Username for basic authentication to the API server");
ABSL_FLAG(std::string, password, "", "Password for basic authentication to the API server");
ABSL_FLAG(std::string, as, "", "Username to impersonate for the operation");
ABSL_FLAG(std::string, as_uid, "", "UID to impersonate for the operation");
ABSL_FLAG(std::vector<std::string>, as_group, {},
          "Groups to impersonate for the operation, separated by commas");
ABSL_FLAG(std::string, request_timeout, "0",
          "The length of time to wait before giving up on a single server request. Non-zero values "
          "should contain a corresponding time unit (e.g. 1s, 2m, 3h). A value of zero means don't "
          "timeout requests.");

namespace kube::clientcmd {
namespace {

// An argument that looks like a flag: "--as-uid=7", "-v".
struct FlagArgument {
  std::string name;  // as Abseil spells it
  std::optional<std::string> value = {};
};

std::optional<FlagArgument> ParseArgument(absl::string_view argument) {
  if (!absl::StartsWith(argument, "-") || argument == "-" || argument == "--") return std::nullopt;
  argument.remove_prefix(absl::StartsWith(argument, "--") ? 2 : 1);
  const std::vector<std::string> parts = absl::StrSplit(argument, absl::MaxSplits('=', 1));
  FlagArgument parsed = {.name = parts[0] == "n" ? "namespace" : parts[0]};
  std::replace(parsed.name.begin(), parsed.name.end(), '-', '_');
  if (parts.size() > 1) parsed.value = parts[1];
  return parsed;
}

bool IsFlag(absl::string_view name) { return absl::FindCommandLineFlag(name) != nullptr; }

// "--noinsecure-skip-tls-verify" sets a flag to false.
bool IsNegatedFlag(absl::string_view name) {
  return absl::ConsumePrefix(&name, "no") && IsFlag(name);
}

// Returns whether the value of the flag is the next argument.
bool TakesNextArgument(const FlagArgument& argument) {
  const absl::CommandLineFlag* flag = absl::FindCommandLineFlag(argument.name);
  return flag != nullptr && !argument.value.has_value() && !flag->IsOfType<bool>();
}

bool AsksForHelp(const FlagArgument& argument) {
  if (argument.value.has_value()) return false;
  return argument.name == "help" || (argument.name == "h" && !IsFlag("h"));
}

[[noreturn]] void PrintHelp(absl::string_view program) {
  absl::string_view usage = absl::ProgramUsageMessage();
  const std::string own =
      absl::StrCat("Usage: ", program.substr(program.rfind('/') + 1), " [flags]");
  // Abseil's text if the program has not set a usage message.
  if (absl::StrContains(usage, "SetProgramUsageMessage() never called")) usage = own;
  std::cout << internal::FlagHelp(usage) << std::flush;
  std::exit(0);
}

void SetVerbosityTo(absl::string_view value) {
  int level = 0;
  if (!absl::SimpleAtoi(value, &level)) {
    // The text and the exit code that Abseil uses for its own flags.
    std::cerr << "ERROR: Illegal value '" << value << "' specified for flag 'v'\n";
    std::exit(1);
  }
  log::SetVerbosity(level);
}

// Returns the arguments in Abseil's spelling. Handles --help, and -v unless the program defines it.
std::deque<std::string> Respell(int argc, char** argv) {
  std::deque<std::string> respelt;
  int i = 0;
  if (i < argc) respelt.emplace_back(argv[i++]);
  while (i < argc && absl::string_view(argv[i]) != "--") {
    const absl::string_view text = argv[i++];
    const std::optional<FlagArgument> argument = ParseArgument(text);
    if (!argument.has_value()) {
      respelt.emplace_back(text);
      continue;
    }
    if (AsksForHelp(*argument)) PrintHelp(respelt.front());
    if (argument->name == "v" && !IsFlag("v")) {
      const bool is_next = !argument->value.has_value() && i < argc;
      SetVerbosityTo(is_next ? absl::string_view(argv[i++]) : argument->value.value_or(""));
      continue;
    }
    const bool known = IsFlag(argument->name) || IsNegatedFlag(argument->name);
    if (!known) {
      respelt.emplace_back(text);
    } else if (argument->value.has_value()) {
      respelt.push_back(absl::StrCat("--", argument->name, "=", *argument->value));
    } else {
      respelt.push_back(absl::StrCat("--", argument->name));
    }
    if (TakesNextArgument(*argument) && i < argc) respelt.emplace_back(argv[i++]);
  }
  while (i < argc) respelt.emplace_back(argv[i++]);
  return respelt;
}

}  // namespace

std::vector<char*> ParseCommandLine(int argc, char** argv) {
  // Abseil returns pointers into these, so they must live as long as the program.
  static std::deque<std::string> arguments;
  arguments = Respell(argc, argv);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::vector<char*> rest =
      absl::ParseCommandLine(static_cast<int>(arguments.size()), pointers.data());
  if (const absl::CommandLineFlag* own = absl::FindCommandLineFlag("v"); own != nullptr) {
    if (const auto level = own->TryGet<int>(); level.has_value()) log::SetVerbosity(*level);
  }
  return rest;
}

LoadOptions FlagOptions() {
  LoadOptions options{
      .kubeconfig = absl::GetFlag(FLAGS_kubeconfig),
      .master = absl::GetFlag(FLAGS_server),
      .context = absl::GetFlag(FLAGS_context),
  };
  if (options.master.empty()) options.master = absl::GetFlag(FLAGS_master);
  options.overrides.timeout = absl::GetFlag(FLAGS_request_timeout);
  options.overrides.context = {
      .cluster = absl::GetFlag(FLAGS_cluster),
      .user = absl::GetFlag(FLAGS_user),
      .namespace_name = RemoveNamespacesPrefix(absl::GetFlag(FLAGS_namespace)),
  };
  options.overrides.cluster_info = {
      .tls_server_name = absl::GetFlag(FLAGS_tls_server_name),
      .insecure_skip_tls_verify = absl::GetFlag(FLAGS_insecure_skip_tls_verify),
      .certificate_authority = absl::GetFlag(FLAGS_certificate_authority),
      .proxy_url = absl::GetFlag(FLAGS_proxy_url),
      .disable_compression = absl::GetFlag(FLAGS_disable_compression),
  };
  options.overrides.auth_info = {
      .client_certificate = absl::GetFlag(FLAGS_client_certificate),
      .client_key = absl::GetFlag(FLAGS_client_key),
      .token = base::Secret(absl::GetFlag(FLAGS_token)),
      .impersonate = absl::GetFlag(FLAGS_as),
      .impersonate_uid = absl::GetFlag(FLAGS_as_uid),
      .impersonate_groups = absl::GetFlag(FLAGS_as_group),
      .username = absl::GetFlag(FLAGS_username),
      .password = base::Secret(absl::GetFlag(FLAGS_password)),
  };
  return options;
}

}  // namespace kube::clientcmd
