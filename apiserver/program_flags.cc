#include "apiserver/program_flags.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
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

absl::Status SetTtl(absl::string_view value, ProgramFlags& flags) {
  if (!absl::ParseDuration(value, &flags.ttl) || flags.ttl <= absl::ZeroDuration()) {
    return WrongValue("--ttl", value, "a duration such as 90s, 15m or 1h");
  }
  return absl::OkStatus();
}

// The error does not quote the value, because it contains a token.
absl::Status AddToken(absl::string_view value, ProgramFlags& flags) {
  // Tokens may end with "="; user names do not contain it.
  const size_t end = value.find('=');
  if (end == absl::string_view::npos || end == 0 || end + 1 == value.size()) {
    return absl::InvalidArgumentError("read --token: value must be USER=TOKEN");
  }
  const std::string user(value.substr(0, end));
  const std::string token(value.substr(end + 1));
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
  flags.server.handler.tokens[token] = {.name = user};
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

absl::Status SetKubeconfig(absl::string_view value, ProgramFlags& flags) {
  flags.kubeconfig = std::string(value);
  if (value.empty()) return WrongValue("--kubeconfig", value, "a path");
  return absl::OkStatus();
}

struct Flag {
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

constexpr Flag kFlags[] = {
    {"--kubeconfig", "FILE",
     "write the kubeconfig to FILE instead of standard output; FILE is written atomically when the "
     "server is ready and removed at start and exit; an existing FILE is only replaced if this "
     "program wrote it",
     &SetKubeconfig},
    {"--port", "N", "port of 127.0.0.1 to listen on; 0, the default, chooses a free port",
     &SetPort},
    {"--token", "USER=TOKEN",
     "accept the bearer token TOKEN as USER and add a context named USER to the kubeconfig; may be "
     "repeated",
     &AddToken},
    {"--authorization", "MODE",
     "AlwaysAllow, the default, lets all users do everything; with RBAC the roles and bindings in "
     "the server decide",
     &SetAuthorization},
    {"--ttl", "TIME", "exit after TIME, for example 90s, 15m or 1h; default: never", &SetTtl},
    {"--end-with-stdin", "", "exit when standard input is closed",
     &SetTrue<&ProgramFlags::end_with_stdin>},
    {"--end-with-parent", "", "exit when the parent process exits",
     &SetTrue<&ProgramFlags::end_with_parent>},
    {"--no-tls", "", "serve plain HTTP", &NoTls},
    {"--no-cluster-objects", "",
     "start with namespaces only, without the roles, service and other objects of a new cluster",
     &NoClusterObjects},
    {"--no-controllers", "",
     "do not run the garbage collector and the controllers of namespaces and aggregated roles, "
     "like "
     "a kube-apiserver alone",
     &NoControllers},
    {"--service-account-admission", "",
     "give pods a service account and a volume with its token, like the admission plugin "
     "ServiceAccount",
     &ServiceAccountAdmission},
    {"--help", "", "print this help", &SetTrue<&ProgramFlags::help>},
};

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& each : kFlags) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<ProgramFlags> ParseProgramFlags(const std::vector<std::string>& arguments) {
  ProgramFlags flags;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const absl::string_view argument = arguments[i];
    const size_t end = argument.find('=');
    const absl::string_view name = argument.substr(0, end);
    const Flag* const flag = FindFlag(name);
    if (flag == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("unknown flag: ", name, ", see --help"));
    }
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
  return flags;
}

std::string ProgramHelp() {
  std::string text =
      "usage: main [flags]\n\n"
      "Serves the Kubernetes API on 127.0.0.1 from memory, for tests and scripts. Prints a\n"
      "kubeconfig when it is ready, and serves until SIGTERM or SIGINT (Ctrl-C), or until a\n"
      "flag ends it. docs/envtest.md describes what the server can do.\n\n";
  for (const Flag& each : kFlags) {
    const std::string left =
        each.value.empty() ? std::string(each.name) : absl::StrCat(each.name, "=", each.value);
    absl::StrAppend(&text, absl::StrFormat("  %-20s %s\n", left, each.help));
  }
  absl::StrAppend(&text, "\nA value may also be a separate argument: --port 8001.\n");
  return text;
}

}  // namespace kube::apiserver
