#include "clientset/clientcmd/flags.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/clientcmd/overrides.h"

ABSL_FLAG(std::string, kubeconfig, "", "Path to the kubeconfig file to use");
ABSL_FLAG(std::string, master, "", "The address of the Kubernetes API server, as --server");
ABSL_FLAG(std::string, context, "", "The name of the kubeconfig context to use");
ABSL_FLAG(std::string, cluster, "", "The name of the kubeconfig cluster to use");
ABSL_FLAG(std::string, user, "", "The name of the kubeconfig user to use");
ABSL_FLAG(std::string, namespace, "", "The namespace to work in; also -n");
ABSL_FLAG(std::string, server, "", "The address and port of the Kubernetes API server");
ABSL_FLAG(std::string, tls_server_name, "",
          "The name in the server's certificate; default: the host of --server");
ABSL_FLAG(bool, insecure_skip_tls_verify, false,
          "Do not check the server's certificate: the connection is insecure then");
ABSL_FLAG(std::string, certificate_authority, "", "Path to a file of certificate authorities");
ABSL_FLAG(std::string, proxy_url, "", "The proxy to connect through");
ABSL_FLAG(bool, disable_compression, false, "Do not ask the server to compress its responses");
ABSL_FLAG(std::string, client_certificate, "", "Path to a client certificate file for TLS");
ABSL_FLAG(std::string, client_key, "", "Path to a client key file for TLS");
ABSL_FLAG(std::string, token, "", "Bearer token for authentication to the API server");
ABSL_FLAG(std::string, username, "", "Username for basic authentication to the API server");
ABSL_FLAG(std::string, password, "", "Password for basic authentication to the API server");
ABSL_FLAG(std::string, as, "", "User to impersonate");
ABSL_FLAG(std::string, as_uid, "", "UID to impersonate");
ABSL_FLAG(std::vector<std::string>, as_group, {}, "Groups to impersonate, separated by commas");
ABSL_FLAG(std::string, request_timeout, "0",
          "How long to wait for a single request: 1s, 2m, 3h; a number is seconds, 0 is no limit");

namespace kube::clientcmd {
namespace {

// As Abseil spells it; texts that name no flag stay as they are.
std::string Respelt(absl::string_view argument) {
  if (argument == "-n") return "--namespace";
  if (absl::StartsWith(argument, "-n=")) return absl::StrCat("--namespace", argument.substr(2));
  if (!absl::StartsWith(argument, "--")) return std::string(argument);
  const absl::string_view name = argument.substr(2, argument.find('=') - 2);
  std::string respelt(name);
  std::replace(respelt.begin(), respelt.end(), '-', '_');
  // "--noinsecure-skip-tls-verify" turns one off.
  const bool known =
      absl::FindCommandLineFlag(respelt) != nullptr ||
      (absl::StartsWith(respelt, "no") && absl::FindCommandLineFlag(respelt.substr(2)) != nullptr);
  if (!known) return std::string(argument);
  return absl::StrCat("--", respelt, argument.substr(2 + name.size()));
}

}  // namespace

std::vector<char*> ParseCommandLine(int argc, char** argv) {
  // What Abseil returns points into these, for as long as the program runs.
  static std::deque<std::string> arguments;
  std::vector<char*> pointers;
  bool only_names = false;  // behind "--"
  for (int i = 0; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    only_names = only_names || argument == "--";
    arguments.push_back(i == 0 || only_names ? std::string(argument) : Respelt(argument));
    pointers.push_back(arguments.back().data());
  }
  pointers.push_back(nullptr);
  return absl::ParseCommandLine(argc, pointers.data());
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
      .namespace_ = RemoveNamespacesPrefix(absl::GetFlag(FLAGS_namespace)),
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
