#include "clientset/rest/internal/credentials/exec_plugin.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/exec_credential.h"
#include "clientset/rest/internal/credentials/exec_policy.h"
#include "clientset/rest/subprocess.h"
#include "net/io/secret_reader.h"

namespace kube::rest::internal {

namespace {

constexpr char kInfoVariable[] = "KUBERNETES_EXEC_INFO";
constexpr char kLearnMore[] =
    "https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
    "#client-go-credential-plugins";

bool HasZero(absl::string_view text) { return absl::StrContains(text, absl::string_view("\0", 1)); }

absl::Status CheckConfig(const ExecConfig& config) {
  if (config.command.empty()) {
    return absl::InvalidArgumentError("exec plugin: command must be specified");
  }
  if (!IsExecVersion(config.api_version)) {
    return absl::InvalidArgumentError(
        absl::StrCat("exec plugin: invalid apiVersion \"", config.api_version, "\""));
  }
  if (config.interactive_mode == ExecInteractiveMode::kUnset &&
      absl::EndsWith(config.api_version, "/v1")) {
    return absl::InvalidArgumentError(
        "exec plugin: interactive_mode must be specified in apiVersion "
        "client.authentication.k8s.io/v1");
  }
  bool zero = HasZero(config.command);
  for (const std::string& arg : config.args) zero = zero || HasZero(arg);
  for (const auto& [name, value] : config.env) {
    zero = zero || HasZero(name) || HasZero(value);
    if (name.empty() || absl::StrContains(name, "=")) {
      return absl::InvalidArgumentError(
          "exec plugin: env variable name must be specified and must not contain \"=\"");
    }
  }
  if (zero) {
    return absl::InvalidArgumentError("exec plugin: command, args and env must not contain NUL");
  }
  return absl::OkStatus();
}

// If a name occurs more than once, its last value counts.
std::vector<std::string> Environment(const ExecConfig& config, const std::string& info) {
  std::map<std::string, std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : config.env) variables[name] = value;
  variables[kInfoVariable] = info;
  std::vector<std::string> texts;
  for (const auto& [name, value] : variables) texts.push_back(absl::StrCat(name, "=", value));
  return texts;
}

}  // namespace

bool TenTimesAnHour::Take() {
  const base::MonotonicTime now = base::Now();
  base::MutexLock lock(mutex_);
  if (!window_.has_value() || now - *window_ >= absl::Hours(1)) {
    window_ = now;
    count_ = 0;
  }
  return ++count_ <= 10;
}

absl::StatusOr<std::unique_ptr<ExecPlugin>> ExecPlugin::Make(const Config& config) {
  KUBE_RETURN_IF_ERROR(CheckConfig(*config.exec));
  KUBE_RETURN_IF_ERROR(CheckPolicy(config.exec_policy));
  std::optional<ExecCluster> cluster;
  if (config.exec->provide_cluster_info) {
    base::Secret ca(config.tls.ca_data);
    if (ca.empty() && !config.tls.ca_file.empty()) {
      KUBE_ASSIGN_OR_RETURN(ca, io::ReadSecretFile(config.tls.ca_file));
    }
    cluster = MakeExecCluster(config, ca.Reveal());
    // Finds errors now rather than with the first request.
    KUBE_RETURN_IF_ERROR(EncodeExecInfo(config.exec->api_version, false, cluster).status(),
                         "exec plugin: encode cluster_config");
  }
  KUBE_ASSIGN_OR_RETURN(
      base::CounterVec calls,
      config.metrics->MakeCounter(
          {.name = "rest_client_exec_plugin_call_total",
           .help = "Number of calls to an exec plugin, partitioned by the type of event "
                   "encountered (no_error, plugin_execution_error, plugin_not_found_error, "
                   "client_internal_error) and an optional exit code. The exit code will be set to "
                   "0 if and only if the plugin call was successful.",
           .label_names = {"code", "call_status"}}));
  KUBE_ASSIGN_OR_RETURN(
      base::CounterVec policy_calls,
      config.metrics->MakeCounter(
          {.name = "rest_client_exec_plugin_policy_call_total",
           .help = "Number of comparisons of an exec plugin to the plugin policy and allowlist (if "
                   "any), partitioned by whether or not the policy permits the plugin",
           .label_names = {"status"}}));
  return std::make_unique<ExecPlugin>(config, std::move(cluster), std::move(calls),
                                      std::move(policy_calls));
}

ExecPlugin::ExecPlugin(const Config& config, std::optional<ExecCluster> cluster,
                       base::CounterVec calls, base::CounterVec policy_calls)
    : config_(*config.exec),
      policy_(config.exec_policy),
      cluster_(std::move(cluster)),
      calls_(std::move(calls)),
      policy_calls_(std::move(policy_calls)) {}

absl::StatusOr<Credentials> ExecPlugin::Run(const Context& ctx) {
  absl::StatusOr<Credentials> credentials = RunUnnamed(ctx);
  if (credentials.ok()) return credentials;
  return base::Annotate(credentials.status(),
                        absl::StrCat("exec plugin \"", config_.command, "\""));
}

absl::StatusOr<Credentials> ExecPlugin::RunUnnamed(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const SubprocessOptions options, Prepare());
  const Context limited = WithTimeout(ctx, config_.timeout);
  const absl::StatusOr<SubprocessResult> result = RunSubprocess(limited, options);
  if (ctx.done() && !result.ok()) return ctx.status();
  KUBE_RETURN_IF_ERROR(CheckResult(result));
  KUBE_ASSIGN_OR_RETURN(Credentials credentials,
                        DecodeExecCredential(config_.api_version, result->output.Reveal()));
  NoteExpiration(credentials);
  return credentials;
}

void ExecPlugin::NoteExpiration(const Credentials& credentials) {
  if (credentials.expiration != absl::InfiniteFuture() || noted_expiration_.exchange(true)) return;
  log::Info("credentials of exec plugin do not expire, using them until the server rejects them",
            {{"command", config_.command}});
}

absl::StatusOr<bool> ExecPlugin::IsInteractive() const {
  const bool terminal = isatty(STDIN_FILENO) == 1;
  switch (config_.interactive_mode) {
    case ExecInteractiveMode::kNever:
      return false;
    case ExecInteractiveMode::kUnset:
    case ExecInteractiveMode::kIfAvailable:
      return terminal && !config_.stdin_unavailable;
    case ExecInteractiveMode::kAlways:
      break;
  }
  if (!terminal) {
    return absl::FailedPreconditionError(
        "cannot support interactive mode: standard input is not a terminal");
  }
  if (config_.stdin_unavailable) {
    const std::string& why = config_.stdin_unavailable_message;
    return absl::FailedPreconditionError(
        absl::StrCat("cannot support interactive mode: standard input is unavailable",
                     why.empty() ? "" : ": ", why));
  }
  return true;
}

absl::StatusOr<SubprocessOptions> ExecPlugin::Prepare() {
  KUBE_ASSIGN_OR_RETURN(const bool interactive, IsInteractive());
  KUBE_ASSIGN_OR_RETURN(const std::string info,
                        EncodeExecInfo(config_.api_version, interactive, cluster_));
  const absl::StatusOr<std::string> program = LookUpProgram(config_.command);
  const absl::Status allowed = MayRun(policy_, config_.command, program);
  policy_calls_.WithLabelValues({allowed.ok() ? "allowed" : "denied"}).Increment();
  KUBE_RETURN_IF_ERROR(allowed);
  if (!program.ok()) {
    calls_.WithLabelValues({"1", "plugin_not_found_error"}).Increment();
    HelpToInstall(program.status());
    return program.status();
  }
  SubprocessOptions options{.path = *program,
                            .args = {config_.command},
                            .env = Environment(config_, info),
                            .interactive = interactive};
  options.args.insert(options.args.end(), config_.args.begin(), config_.args.end());
  return options;
}

absl::Status ExecPlugin::CheckResult(const absl::StatusOr<SubprocessResult>& result) const {
  if (!result.ok()) {
    calls_.WithLabelValues({"1", "client_internal_error"}).Increment();
    if (absl::IsDeadlineExceeded(result.status())) {
      return absl::DeadlineExceededError(
          absl::StrCat("timed out after ", absl::FormatDuration(config_.timeout)));
    }
    return result.status();
  }
  if (result->exit_code == 0) {
    calls_.WithLabelValues({"0", "no_error"}).Increment();
    return absl::OkStatus();
  }
  calls_.WithLabelValues({absl::StrCat(result->exit_code), "plugin_execution_error"}).Increment();
  if (result->signal != 0) {
    return absl::UnavailableError(absl::StrCat("executable terminated by signal ", result->signal));
  }
  return absl::UnavailableError(
      absl::StrCat("executable failed with exit code ", result->exit_code));
}

// client-go puts this text into the error. Here errors are single lines, so it is logged.
void ExecPlugin::HelpToInstall(const absl::Status& not_found) {
  if (!help_.Take()) return;
  log::Error(not_found, "credential plugin is not installed",
             {{"command", config_.command},
              {"installHint", config_.install_hint},
              {"seeAlso", kLearnMore}});
}

}  // namespace kube::rest::internal
