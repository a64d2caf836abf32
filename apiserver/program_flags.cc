#include "apiserver/program_flags.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apiserver/fault_flag.h"
#include "apiserver/fault_rule.h"
#include "apiserver/request_log_file.h"
#include "apiserver/user.h"

namespace kube::apiserver {
namespace {

absl::Status WrongValue(absl::string_view flag, absl::string_view value,
                        absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("read ", flag, ": \"", value, "\" is not ", expected));
}

absl::Status SetPort(absl::string_view value, ProgramFlags& flags) {
  int port = 0;
  if (!absl::SimpleAtoi(value, &port) || port < 0 || port > 65535) {
    return WrongValue("--port", value, "a number from 0 to 65535");
  }
  flags.server.port = static_cast<uint16_t>(port);
  return absl::OkStatus();
}

absl::Status SetAddress(absl::string_view value, ProgramFlags& flags) {
  // The server says more of an address that it cannot listen on.
  if (value.empty() || value.find_first_not_of("0123456789abcdefABCDEF:.") != value.npos) {
    return WrongValue("--address", value, "an IP address such as 127.0.0.1, 0.0.0.0 or ::1");
  }
  flags.server.address = std::string(value);
  return absl::OkStatus();
}

absl::Status SetTtl(absl::string_view value, ProgramFlags& flags) {
  if (!absl::ParseDuration(value, &flags.ttl) || flags.ttl <= absl::ZeroDuration()) {
    return WrongValue("--ttl", value, "a duration such as 90s, 15m or 1h");
  }
  return absl::OkStatus();
}

absl::Status SetWait(absl::string_view flag, absl::string_view value, absl::Duration& time) {
  if (!absl::ParseDuration(value, &time) || time < absl::ZeroDuration()) {
    return WrongValue(flag, value, "a duration such as 0, 500ms or 2s, or inf for never");
  }
  return absl::OkStatus();
}

absl::Status SetReadyAfter(absl::string_view value, ProgramFlags& flags) {
  return SetWait("--pod-ready-after", value, flags.pod_ready_after);
}

absl::Status SetEndsAfter(absl::string_view value, ProgramFlags& flags) {
  return SetWait("--pod-ends-after", value, flags.pod_ends_after);
}

absl::Status SetStopsAfter(absl::string_view value, ProgramFlags& flags) {
  return SetWait("--pod-stops-after", value, flags.pod_stops_after);
}

absl::Status SetNodes(absl::string_view value, ProgramFlags& flags) {
  std::vector<std::string> nodes = absl::StrSplit(value, ',');
  for (const std::string& node : nodes) {
    if (node.empty()) return WrongValue("--nodes", value, "a list such as node-0,node-1");
  }
  flags.nodes = std::move(nodes);
  return absl::OkStatus();
}

absl::Status AddFault(absl::string_view value, ProgramFlags& flags) {
  KUBE_ASSIGN_OR_RETURN(FaultRule rule, ParseFaultFlag(value), "read --fault");
  flags.server.handler.faults.push_back(std::move(rule));
  return absl::OkStatus();
}

absl::Status SetLogFilter(absl::string_view value, ProgramFlags& flags) {
  KUBE_ASSIGN_OR_RETURN(flags.request_log_filter, ParseRequestLogFilter(value),
                        "read --request-log-filter");
  return absl::OkStatus();
}

// The error does not quote the value, because it contains a token.
absl::Status AddToken(absl::string_view value, ProgramFlags& flags) {
  // Tokens may end with "="; user names do not contain it.
  const size_t end = value.find('=');
  if (end == absl::string_view::npos || end == 0 || end + 1 == value.size()) {
    return absl::InvalidArgumentError("read --token: value must be USER=TOKEN[,GROUP...]");
  }
  const std::string user(value.substr(0, end));
  std::vector<std::string> groups = absl::StrSplit(value.substr(end + 1), ',');
  const std::string token = std::move(groups.front());
  groups.erase(groups.begin());
  for (const std::string& part : groups) {
    if (part.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("read --token: the token of \"", user, "\": a group has no name"));
    }
  }
  if (token.empty()) {
    return absl::InvalidArgumentError("read --token: value must be USER=TOKEN[,GROUP...]");
  }
  if (user == "envtest") {
    return absl::InvalidArgumentError(
        "read --token: \"envtest\" is reserved for the administrator, choose another name");
  }
  for (const auto& [other, known] : flags.tokens) {
    if (other == user || known == token) {
      return absl::InvalidArgumentError(absl::StrCat("read --token: the token of \"", user,
                                                     "\": two flags have the same user or token"));
    }
  }
  flags.server.handler.tokens[token] = {.name = user, .uid = "", .groups = std::move(groups)};
  flags.tokens.emplace_back(user, token);
  return absl::OkStatus();
}

absl::Status SetAuthorization(absl::string_view value, ProgramFlags& flags) {
  if (value == "AlwaysAllow") {
    flags.server.handler.authorization = Authorization::kAllowAll;
  } else if (value == "RBAC") {
    flags.server.handler.authorization = Authorization::kRbac;
  } else {
    return WrongValue("--authorization", value, "AlwaysAllow or RBAC");
  }
  return absl::OkStatus();
}

absl::Status SetPath(absl::string_view flag, absl::string_view value, std::string& path) {
  if (value.empty()) return WrongValue(flag, value, "a path");
  path = std::string(value);
  return absl::OkStatus();
}

absl::Status SetKubeconfig(absl::string_view value, ProgramFlags& flags) {
  KUBE_RETURN_IF_ERROR(SetPath("--kubeconfig", value, flags.kubeconfig));
  // The same as no flag.
  if (flags.kubeconfig == "-") flags.kubeconfig.clear();
  return absl::OkStatus();
}

absl::Status SetTlsCertificate(absl::string_view value, ProgramFlags& flags) {
  return SetPath("--tls-cert-file", value, flags.tls_certificate);
}

absl::Status SetTlsKey(absl::string_view value, ProgramFlags& flags) {
  return SetPath("--tls-private-key-file", value, flags.tls_key);
}

absl::Status SetTlsAuthority(absl::string_view value, ProgramFlags& flags) {
  return SetPath("--tls-ca-file", value, flags.tls_authority);
}

absl::Status SetRequestLog(absl::string_view value, ProgramFlags& flags) {
  return SetPath("--request-log", value, flags.request_log);
}

absl::Status AddCrds(absl::string_view value, ProgramFlags& flags) {
  return SetPath("--crds", value, flags.crds.emplace_back());
}

absl::Status AddManifests(absl::string_view value, ProgramFlags& flags) {
  return SetPath("--manifests", value, flags.manifests.emplace_back());
}

struct Flag {
  absl::string_view task;
  absl::string_view name;
  // The placeholder of the value in the help. Empty if the flag has no value.
  absl::string_view value;
  absl::string_view help;
  absl::Status (*set)(absl::string_view value, ProgramFlags& flags);
};

template <auto kMember>
absl::Status SetTrue(absl::string_view, ProgramFlags& flags) {
  flags.*kMember = true;
  return absl::OkStatus();
}

absl::Status NoTls(absl::string_view, ProgramFlags& flags) {
  flags.server.tls = false;
  return absl::OkStatus();
}

absl::Status NoClusterObjects(absl::string_view, ProgramFlags& flags) {
  flags.server.handler.cluster_objects = false;
  return absl::OkStatus();
}

absl::Status NoControllers(absl::string_view, ProgramFlags& flags) {
  flags.server.handler.controllers = false;
  return absl::OkStatus();
}

absl::Status ServiceAccountAdmission(absl::string_view, ProgramFlags& flags) {
  flags.server.handler.service_account_admission = true;
  return absl::OkStatus();
}

constexpr absl::string_view kRun = "Start and end";
constexpr absl::string_view kListen = "Address and certificates";
constexpr absl::string_view kUsers = "Users and rights";
constexpr absl::string_view kCluster = "Content of the cluster";
constexpr absl::string_view kWorkloads = "Simulated workloads";
constexpr absl::string_view kWatching = "Request log and faults";
constexpr absl::string_view kHelp = "Help";

// By task: the flags of a task stand together.
constexpr Flag kFlags[] = {
    {kRun, "--kubeconfig", "FILE",
     "write the kubeconfig to FILE instead of standard output (also \"-\"); FILE is written "
     "atomically when the server is ready and removed at start and exit; an existing FILE is only "
     "replaced if this program wrote it",
     &SetKubeconfig},
    {kRun, "--ttl", "TIME", "exit after TIME, for example 90s, 15m or 1h; default: never", &SetTtl},
    {kRun, "--end-with-stdin", "", "exit when standard input is closed",
     &SetTrue<&ProgramFlags::end_with_stdin>},
    {kRun, "--end-with-parent", "", "exit when the parent process exits",
     &SetTrue<&ProgramFlags::end_with_parent>},
    {kListen, "--address", "IP",
     "address to listen on; default: 127.0.0.1, so that only programs of this machine can connect",
     &SetAddress},
    {kListen, "--port", "N", "port to listen on; 0, the default, chooses a free port", &SetPort},
    {kListen, "--no-tls", "", "serve plain HTTP", &NoTls},
    {kListen, "--tls-cert-file", "FILE",
     "the server's certificate with its chain, as PEM; default: a generated one",
     &SetTlsCertificate},
    {kListen, "--tls-private-key-file", "FILE", "the key of that certificate, as PEM", &SetTlsKey},
    {kListen, "--tls-ca-file", "FILE",
     "the certificate of the authority that clients must trust, as PEM, for the kubeconfig; "
     "default: that of --tls-cert-file",
     &SetTlsAuthority},
    {kUsers, "--token", "USER=TOKEN[,GROUP...]",
     "accept the bearer token TOKEN as USER, a member of the groups, and add a context named USER "
     "to the kubeconfig; may be repeated",
     &AddToken},
    {kUsers, "--authorization", "MODE",
     "AlwaysAllow, the default, lets all users do everything; with RBAC the roles and bindings in "
     "the server decide",
     &SetAuthorization},
    {kCluster, "--crds", "PATH",
     "install the CustomResourceDefinitions of a file, or of the files *.yaml, *.yml and *.json of "
     "a directory, before the server is ready; may be repeated",
     &AddCrds},
    {kCluster, "--manifests", "PATH",
     "apply the objects of a file or directory in their order, before the server is ready and "
     "after --crds; a file may have several documents; may be repeated",
     &AddManifests},
    {kCluster, "--no-cluster-objects", "",
     "start with namespaces only, without the roles, service and other objects of a new cluster",
     &NoClusterObjects},
    {kCluster, "--no-controllers", "",
     "do not run the garbage collector and the controllers of namespaces and aggregated roles, "
     "like a kube-apiserver alone",
     &NoControllers},
    {kCluster, "--service-account-admission", "",
     "give pods a service account and a volume with its token, like the admission plugin "
     "ServiceAccount",
     &ServiceAccountAdmission},
    {kWorkloads, "--workloads", "",
     "simulate the controllers of deployments, jobs and others, the scheduler and nodes: pods "
     "become ready, although no container runs",
     &SetTrue<&ProgramFlags::workloads>},
    {kWorkloads, "--nodes", "NAME[,NAME...]", "the nodes to create; default: node-0", &SetNodes},
    {kWorkloads, "--pod-ready-after", "TIME",
     "time from when a pod has a node until it is ready; default: 0, inf: never", &SetReadyAfter},
    {kWorkloads, "--pod-ends-after", "TIME",
     "time from then until the containers of jobs succeed; default: 0", &SetEndsAfter},
    {kWorkloads, "--pod-stops-after", "TIME",
     "time from the deletion of a pod until it is gone; default: 0", &SetStopsAfter},
    {kWatching, "--request-log", "FILE",
     "append each request to FILE as a line of JSON; \"-\" is standard error", &SetRequestLog},
    {kWatching, "--request-log-filter", "KEY=VALUE[,...]",
     "log only requests with these values; keys: verb, resource, namespace, user, code",
     &SetLogFilter},
    {kWatching, "--fault", "FAULT[,KEY=VALUE...]",
     "spoil requests; FAULT is error=CODE (429, 500, 503, 504), delay=TIME or drop; keys: verb, "
     "group, resource, namespace, name, user, from, every, times, probability; may be repeated",
     &AddFault},
    {kHelp, "--help", "", "print this help", &SetTrue<&ProgramFlags::help>},
    {kHelp, "--version", "", "print the Kubernetes release that the server imitates",
     &SetTrue<&ProgramFlags::version>},
};

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& each : kFlags) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

absl::Status Needs(absl::string_view flag, absl::string_view needed) {
  return absl::InvalidArgumentError(absl::StrCat("read ", flag, ": it needs ", needed));
}

// Returns an error if a flag has no effect without another one, or contradicts it. `given` are the
// names of all flags.
absl::Status CheckTogether(const std::set<absl::string_view>& given) {
  const std::pair<absl::string_view, absl::string_view> needs[] = {
      {"--tls-cert-file", "--tls-private-key-file"}, {"--tls-private-key-file", "--tls-cert-file"},
      {"--tls-ca-file", "--tls-cert-file"},          {"--nodes", "--workloads"},
      {"--pod-ready-after", "--workloads"},          {"--pod-ends-after", "--workloads"},
      {"--pod-stops-after", "--workloads"},          {"--request-log-filter", "--request-log"},
  };
  for (const auto& [flag, needed] : needs) {
    if (given.contains(flag) && !given.contains(needed)) return Needs(flag, needed);
  }
  if (given.contains("--no-tls") && given.contains("--tls-cert-file")) {
    return absl::InvalidArgumentError("read --no-tls: it contradicts --tls-cert-file");
  }
  return absl::OkStatus();
}

// Appends the words of `text` in lines that begin with `indent` spaces.
void AppendWrapped(std::string& help, absl::string_view text, size_t indent) {
  constexpr size_t kWidth = 80;
  size_t column = 0;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (column == 0 || column + 1 + word.size() > kWidth) {
      absl::StrAppend(&help, column == 0 ? "" : "\n", std::string(indent, ' '), word);
      column = indent + word.size();
    } else {
      absl::StrAppend(&help, " ", word);
      column += 1 + word.size();
    }
  }
  help += "\n";
}

}  // namespace

absl::StatusOr<ProgramFlags> ParseProgramFlags(const std::vector<std::string>& arguments) {
  ProgramFlags flags;
  std::set<absl::string_view> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const absl::string_view argument = arguments[i];
    const size_t end = argument.find('=');
    const absl::string_view name = argument.substr(0, end);
    const Flag* const flag = FindFlag(name);
    if (flag == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("unknown flag: ", name, ", see --help"));
    }
    given.insert(flag->name);
    const bool has_value = end != absl::string_view::npos;
    if (flag->value.empty()) {
      if (has_value) {
        return absl::InvalidArgumentError(absl::StrCat("read ", name, ": the flag takes no value"));
      }
      KUBE_RETURN_IF_ERROR(flag->set("", flags));
    } else if (has_value) {
      KUBE_RETURN_IF_ERROR(flag->set(argument.substr(end + 1), flags));
    } else if (++i < arguments.size()) {
      KUBE_RETURN_IF_ERROR(flag->set(arguments[i], flags));
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("flag needs an argument: ", name, " ", flag->value));
    }
  }
  KUBE_RETURN_IF_ERROR(CheckTogether(given));
  return flags;
}

std::string ProgramVersion() {
  return absl::StrCat("client-cpp API server (Kubernetes v", KUBERNETES_VERSION, ")\n");
}

std::string ProgramHelp() {
  std::string text =
      "usage: main [flags]\n\n"
      "Serves the Kubernetes API from memory, for tests and scripts. Prints a kubeconfig\n"
      "when it is ready, and serves until SIGTERM or SIGINT (Ctrl-C), or until a flag ends\n"
      "it. docs/server-for-other-languages.md shows its use, docs/envtest.md what it can do.\n";
  absl::string_view task;
  for (const Flag& each : kFlags) {
    if (each.task != task) absl::StrAppend(&text, "\n", each.task, ":\n");
    task = each.task;
    absl::StrAppend(&text, "  ", each.name, each.value.empty() ? "" : "=", each.value, "\n");
    AppendWrapped(text, each.help, 6);
  }
  absl::StrAppend(&text, "\nA value may also be a separate argument: --port 8001.\n");
  return text;
}

}  // namespace kube::apiserver
