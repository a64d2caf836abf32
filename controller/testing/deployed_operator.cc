#include "controller/testing/deployed_operator.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apiserver/handler.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_file.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/subprocess.h"
#include "controller/manifests/testing/logged_access.h"
#include "controller/manifests/testing/rule_use.h"
#include "controller/testing/internal/audit_log.h"
#include "controller/testing/internal/deployed_manifest.h"
#include "envtest/control_plane.h"
#include "envtest/manifests.h"
#include "envtest/service_account.h"
#include "net/certificates/certificate_authority.h"

namespace kube::controller {
namespace {

constexpr char kAuditPolicy[] = R"(apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
)";
constexpr size_t kShownOutput = 4096;

// The whole environment of the program: what a container has.
std::vector<std::string> Environment() {
  std::vector<std::string> variables = {"HOME=/nonexistent"};
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "TEST_TMPDIR"}) {
    if (const char* value = std::getenv(name); value != nullptr) {
      variables.push_back(absl::StrCat(name, "=", value));
    }
  }
  return variables;
}

}  // namespace

DeployedOperator::DeployedOperator(Key, DeployedOperatorOptions options)
    : options_(std::move(options)) {}

DeployedOperator::~DeployedOperator() { Stop().IgnoreError(); }

absl::StatusOr<std::unique_ptr<DeployedOperator>> DeployedOperator::Start(
    const Context& ctx, DeployedOperatorOptions options) {
  auto made = std::make_unique<DeployedOperator>(Key(), std::move(options));
  KUBE_RETURN_IF_ERROR(made->StartServer(ctx));
  KUBE_RETURN_IF_ERROR(made->Install(ctx));
  KUBE_RETURN_IF_ERROR(made->StartProgram(ctx));
  return made;
}

absl::Status DeployedOperator::StartServer(const Context& ctx) {
  envtest::ControlPlaneOptions options = options_.control_plane;
  options.apiserver_flags.push_back(
      absl::StrCat("--audit-policy-file=", files_.Write("audit-policy.yaml", kAuditPolicy)));
  options.apiserver_flags.push_back(absl::StrCat("--audit-log-path=", files_.Path("audit.log")));
  KUBE_ASSIGN_OR_RETURN(server_, envtest::ControlPlane::Start(ctx, std::move(options)));
  admin_ = server_->Config();
  KUBE_ASSIGN_OR_RETURN(client_, rest::MakeClient(admin_));
  return absl::OkStatus();
}

absl::Status DeployedOperator::Install(const Context& ctx) {
  const envtest::ManifestOptions as_it_is = {.manifest = options_.manifest,
                                             .skip_unknown_kinds = true};
  KUBE_RETURN_IF_ERROR(envtest::InstallManifests(ctx, *client_, as_it_is));
  KUBE_ASSIGN_OR_RETURN(const auto authority,
                        certificates::CertificateAuthority::Make("deployed-operator"));
  KUBE_ASSIGN_OR_RETURN(const certificates::Certificate certificate,
                        authority.Issue({.ip_addresses = {"127.0.0.1"}}));
  const std::string folder = files_.Path("certificates");
  std::filesystem::create_directory(folder);
  files_.Write("certificates/tls.crt", certificate.certificate);
  files_.Write("certificates/tls.key", certificate.key.Reveal());
  KUBE_ASSIGN_OR_RETURN(const internal::DeployedManifest manifest,
                        internal::ReadDeployedManifest(options_.manifest, authority.certificate()));
  if (!manifest.redirected.empty()) {
    KUBE_RETURN_IF_ERROR(
        envtest::InstallManifests(ctx, *client_, {.manifest = manifest.redirected}));
  }
  user_ = manifest.user;
  namespace_ = manifest.namespace_name;
  flags_ = options_.flags.value_or(manifest.flags);
  if (manifest.mounts_certificate) {
    flags_.push_back(absl::StrCat("--webhook-cert-path=", folder));
  }
  return absl::OkStatus();
}

absl::Status DeployedOperator::StartProgram(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      const rest::Config account,
      envtest::ServiceAccountConfig(ctx, admin_, {.manifest = options_.manifest}));
  clientcmd::Kubeconfig config;
  config.clusters["test"] = {.server = account.host,
                             .certificate_authority_data = account.tls.ca_data};
  config.users["operator"] = {.token = account.bearer_token};
  config.contexts["operator"] = {
      .cluster = "test", .user = "operator", .namespace_name = namespace_};
  config.current_context = "operator";
  const std::string kubeconfig = files_.Path("kubeconfig");
  KUBE_RETURN_IF_ERROR(clientcmd::WriteToFile(config, kubeconfig));

  rest::SubprocessOptions process = {.path = options_.program,
                                     .args = {options_.program, "--kubeconfig=" + kubeconfig},
                                     .env = Environment(),
                                     .output_file = files_.Path("output"),
                                     .grace = options_.grace};
  process.args.insert(process.args.end(), flags_.begin(), flags_.end());
  return thread_.Start(Context(), "deployed-operator", [this, process](const Context& run) {
    const absl::StatusOr<rest::SubprocessResult> result = rest::RunSubprocess(run, process);
    base::MutexLock lock(mutex_);
    if (!stopping_) {
      end_ = !result.ok() ? result.status()
                          : absl::UnavailableError(
                                absl::StrCat("the program has ended with exit code ",
                                             result->exit_code, ", signal ", result->signal));
    }
  });
}

absl::Status DeployedOperator::running() const {
  base::MutexLock lock(mutex_);
  return end_;
}

absl::Status DeployedOperator::ReadMetrics(const Context& ctx) const {
  std::string port;
  for (absl::string_view flag : flags_) {
    if (!absl::ConsumePrefix(&flag, "--metrics-bind-address=")) continue;
    const size_t colon = flag.rfind(':');
    port = colon == absl::string_view::npos ? "" : std::string(flag.substr(colon + 1));
  }
  if (port.empty()) {
    return absl::FailedPreconditionError("read metrics: no flag --metrics-bind-address has a port");
  }
  rest::Config config;
  config.host = absl::StrCat("https://127.0.0.1:", port);
  config.tls.insecure = true;  // the program makes its certificate itself
  config.bearer_token = admin_.bearer_token;
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  return client.Do(ctx, {.absolute_path = "/metrics"}).status();
}

std::string DeployedOperator::Output() const { return files_.Read("output"); }

absl::Status DeployedOperator::Stop() {
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  thread_.RequestStop();
  thread_.Join();
  absl::Status end = running();
  if (!end.ok()) {
    const std::string output = Output();
    const size_t begin = output.size() - std::min(output.size(), kShownOutput);
    end = absl::UnavailableError(absl::StrCat(end.message(), "\n", output.substr(begin)));
  }
  if (const std::unique_ptr<envtest::ControlPlane> server = std::move(server_)) {
    if (const absl::Status stopped = server->Stop(); end.ok()) end = stopped;
  }
  return end;
}

absl::StatusOr<DeployedOperatorRights> DeployedOperator::Rights() const {
  KUBE_ASSIGN_OR_RETURN(const std::vector<apiserver::LoggedRequest> requests,
                        internal::ParseAuditLog(files_.Read("audit.log")));
  KUBE_ASSIGN_OR_RETURN(const internal::DeployedManifest manifest,
                        internal::ReadDeployedManifest(options_.manifest, ""));
  std::set<std::string> forbidden;
  for (const apiserver::LoggedRequest& request : requests) {
    if (request.user != user_) continue;
    for (const manifests::LoggedAccess& access : manifests::AccessesOf(request)) {
      if (access.denied) forbidden.insert(manifests::AccessText(access));
    }
  }
  manifests::RuleUse use = manifests::CompareWithRequests(manifest.access, requests, user_);
  return DeployedOperatorRights{.forbidden = {forbidden.begin(), forbidden.end()},
                                .not_used = std::move(use.not_used)};
}

}  // namespace kube::controller
