#include "envtest/control_plane.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apiserver/kubeconfig_text.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/warnings.h"
#include "envtest/find_binaries.h"
#include "envtest/internal/control_plane_files.h"
#include "envtest/internal/server_process.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest {
namespace {

using certificates::CertificateAuthority;
using internal::Ports;
using internal::ServerProcess;

constexpr absl::Duration kPollInterval = absl::Milliseconds(20);
constexpr size_t kLogTailBytes = 2000;
constexpr int kAttempts = 3;
constexpr char kApiServer[] = "kube-apiserver";

std::vector<std::string> Joined(std::vector<std::string> flags,
                                const std::vector<std::string>& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

}  // namespace

// The options of the control plane, and its running programs.
struct ControlPlane::State {
  State(ControlPlaneOptions plane_options, CertificateAuthority certificate_authority,
        internal::TemporaryFolder temporary_folder)
      : options(std::move(plane_options)),
        authority(std::move(certificate_authority)),
        folder(std::move(temporary_folder)) {}
  ~State() { StopAll().IgnoreError(); }

  absl::Status Prepare();
  // Starts all programs on new ports and waits until they are ready. After an error some of them
  // may still be running.
  absl::Status StartAll(const Context& ctx);
  absl::Status Launch(absl::string_view name, const std::string& program,
                      std::vector<std::string> flags);
  // `flags` are added to those of the options.
  absl::Status StartApiServer(const Context& ctx, const std::vector<std::string>& flags);
  // Returns null if the program was never started.
  ServerProcess* Find(absl::string_view name) const;
  // Waits until the server of `config` answers 200 on `path`.
  absl::Status WaitFor(const Context& ctx, absl::string_view name, rest::Config config,
                       const std::string& path);
  // Returns OK, or an error that names a program that has ended.
  absl::Status Running() const;
  // Adds the end of the programs' logs to the message of `cause`.
  absl::Status Explain(const absl::Status& cause) const;
  // Stops the programs in reverse order of their start.
  absl::Status StopAll();

  std::string url() const { return absl::StrCat("https://127.0.0.1:", ports.server); }
  std::string etcd_url() const { return absl::StrCat("http://127.0.0.1:", ports.etcd); }

  ControlPlaneOptions options;
  const CertificateAuthority authority;
  std::string admin_token = base::RandomString(32);
  std::string controller_manager_token = base::RandomString(32);
  Ports ports;
  std::optional<internal::TemporaryFolder> folder;
  std::vector<std::unique_ptr<ServerProcess>> processes;
};

absl::Status ControlPlane::State::Prepare() {
  std::map<std::string, apiserver::User> tokens = options.tokens;
  tokens[admin_token] = {.name = "admin", .uid = "admin-uid", .groups = {"system:masters"}};
  tokens[controller_manager_token] = {.name = "system:kube-controller-manager"};
  return internal::WriteCredentials(folder->path(), authority, tokens);
}

absl::Status ControlPlane::State::Launch(absl::string_view name, const std::string& program,
                                         std::vector<std::string> flags) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> process,
                        ServerProcess::Start({.name = std::string(name),
                                              .program = program,
                                              .flags = std::move(flags),
                                              .log_file = folder->Path(absl::StrCat(name, ".log")),
                                              .env = {absl::StrCat("HOME=", folder->path())},
                                              .grace = options.grace}));
  // Replaces a program of the same name, so that the order of stopping is preserved.
  for (auto& before : processes) {
    if (before->name() != name) continue;
    before = std::move(process);
    return absl::OkStatus();
  }
  processes.push_back(std::move(process));
  return absl::OkStatus();
}

ServerProcess* ControlPlane::State::Find(absl::string_view name) const {
  for (const auto& process : processes) {
    if (process->name() == name) return process.get();
  }
  return nullptr;
}

absl::Status ControlPlane::State::StartApiServer(const Context& ctx,
                                                 const std::vector<std::string>& flags) {
  std::vector<std::string> all =
      Joined(internal::ApiServerFlags(folder->path(), ports), options.apiserver_flags);
  KUBE_RETURN_IF_ERROR(
      Launch(kApiServer, options.binaries->kube_apiserver, Joined(std::move(all), flags)));
  return WaitFor(ctx, kApiServer,
                 {.host = url(),
                  .bearer_token = base::Secret(admin_token),
                  .tls = {.ca_data = authority.certificate()},
                  .proxy_url = ""},
                 "/readyz");
}

absl::Status ControlPlane::State::StartAll(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<uint16_t> free, internal::FreePorts(3));
  ports = {.etcd = free[0], .peer = free[1], .server = free[2]};
  KUBE_RETURN_IF_ERROR(
      Launch("etcd", options.binaries->etcd,
             Joined(internal::EtcdFlags(folder->path(), ports), options.etcd_flags)));
  // If kube-apiserver does not find etcd at once, it waits for a second before the next attempt.
  KUBE_RETURN_IF_ERROR(WaitFor(ctx, "etcd", {.host = etcd_url(), .proxy_url = ""}, "/health"));
  KUBE_RETURN_IF_ERROR(StartApiServer(ctx, {}));
  if (!options.controller_manager) return absl::OkStatus();
  std::ofstream(folder->Path("controller-manager.kubeconfig"))
      << apiserver::KubeconfigText(url(), authority.certificate(), controller_manager_token);
  return Launch(
      "kube-controller-manager", options.binaries->kube_controller_manager,
      Joined(internal::ControllerManagerFlags(folder->path()), options.controller_manager_flags));
}

absl::Status ControlPlane::State::WaitFor(const Context& ctx, absl::string_view name,
                                          rest::Config config, const std::string& path) {
  const Context until = WithTimeout(ctx, options.ready_timeout);
  config.timeout = absl::Seconds(5);
  config.warning_handler = rest::NoWarnings();
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  while (true) {
    KUBE_RETURN_IF_ERROR(Running());
    if (client.Do(until, {.absolute_path = path, .max_retries = 0}).ok()) return absl::OkStatus();
    if (!base::SleepFor(until, kPollInterval).ok()) break;
  }
  if (ctx.done()) return base::Annotate(ctx.status(), absl::StrCat("wait for ", name));
  return absl::DeadlineExceededError(
      absl::StrCat(name, " is not ready after ", absl::FormatDuration(options.ready_timeout)));
}

absl::Status ControlPlane::State::Explain(const absl::Status& cause) const {
  std::string message(cause.message());
  for (const auto& process : processes) {
    const std::string log = process->LogTail(kLogTailBytes);
    if (log.empty()) continue;
    absl::StrAppend(&message, "\n--- tail of ", process->name(), "'s log\n", log);
  }
  return absl::Status(cause.code(), message);
}

absl::Status ControlPlane::State::Running() const {
  for (const auto& process : processes) KUBE_RETURN_IF_ERROR(process->ended());
  return absl::OkStatus();
}

absl::Status ControlPlane::State::StopAll() {
  absl::Status result = Running();
  if (!result.ok()) result = Explain(result);
  while (!processes.empty()) {
    processes.back()->Stop();
    processes.pop_back();
  }
  folder.reset();
  return result;
}

absl::StatusOr<std::unique_ptr<ControlPlane>> ControlPlane::Start(const Context& ctx,
                                                                  ControlPlaneOptions options) {
  if (&base::Runtime::Current() != &base::Runtime::Real()) {
    return absl::FailedPreconditionError(
        "start control plane: requires the real clock, the current Runtime is not Runtime::Real()");
  }
  if (!options.binaries.has_value()) {
    KUBE_ASSIGN_OR_RETURN(options.binaries, FindControlPlaneBinaries(), "start control plane");
  }
  if (options.controller_manager && options.binaries->kube_controller_manager.empty()) {
    return absl::NotFoundError(
        absl::StrCat("start control plane: no kube-controller-manager next to ",
                     options.binaries->kube_apiserver));
  }
  for (int attempt = 1;; ++attempt) {
    KUBE_ASSIGN_OR_RETURN(internal::TemporaryFolder folder,
                          internal::TemporaryFolder::Make(options.parent_folder));
    KUBE_ASSIGN_OR_RETURN(CertificateAuthority authority, CertificateAuthority::Make("envtest-ca"));
    auto state = std::make_unique<State>(options, std::move(authority), std::move(folder));
    KUBE_RETURN_IF_ERROR(state->Prepare());
    absl::Status started = state->StartAll(ctx);
    if (started.ok()) return std::make_unique<ControlPlane>(Key(), std::move(state));
    const bool port_taken =
        std::any_of(state->processes.begin(), state->processes.end(),
                    [](const auto& process) { return process->LogSays("address already in use"); });
    if (!port_taken || attempt == kAttempts) {
      return base::Annotate(state->Explain(started), "start control plane");
    }
    KUBE_RETURN_IF_ERROR(ctx.status());
  }
}

ControlPlane::ControlPlane(Key, std::unique_ptr<State> state) : state_(std::move(state)) {}

ControlPlane::~ControlPlane() = default;

std::string ControlPlane::url() const { return state_->url(); }
std::string ControlPlane::etcd_url() const { return state_->etcd_url(); }
std::string ControlPlane::ca_certificate() const { return state_->authority.certificate(); }
std::string ControlPlane::admin_token() const { return state_->admin_token; }

absl::StatusOr<certificates::Certificate> ControlPlane::IssueClientCertificate(
    const apiserver::User& user) const {
  return state_->authority.Issue(
      {.common_name = user.name, .organizations = user.groups, .server = false});
}

absl::Status ControlPlane::running() const { return state_->Running(); }

void ControlPlane::StopApiServer() {
  if (ServerProcess* const server = state_->Find(kApiServer); server != nullptr) server->Stop();
}

absl::Status ControlPlane::RestartApiServer(const Context& ctx,
                                            const std::vector<std::string>& flags) {
  if (!state_->folder.has_value()) {
    return absl::FailedPreconditionError("restart kube-apiserver: control plane is stopped");
  }
  StopApiServer();
  absl::Status started = state_->StartApiServer(ctx, flags);
  if (started.ok()) return started;
  started = base::Annotate(state_->Explain(started), "restart kube-apiserver");
  StopApiServer();
  return started;
}

absl::Status ControlPlane::Stop() { return state_->StopAll(); }

}  // namespace kube::envtest
