#include "apiserver/program/setup.h"

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apiserver/api_server.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "apiserver/program_flags.h"
#include "apiserver/request_log_file.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/manifests.h"
#include "envtest/workloads/workloads.h"

namespace kube::apiserver::internal {
namespace {

// Reads by the stream, since an istreambuf_iterator throws if `path` is a directory.
absl::StatusOr<std::string> ReadText(absl::string_view flag, const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char part[4096];
  do {
    file.read(part, sizeof(part));
    text.append(part, static_cast<size_t>(file.gcount()));
  } while (file.good());
  if (!file.eof()) {
    return absl::ErrnoToStatus(errno == 0 ? EIO : errno,
                               absl::StrCat("read ", flag, ": \"", path, "\""));
  }
  if (text.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("read ", flag, ": \"", path, "\" is empty, not PEM"));
  }
  return text;
}

}  // namespace

absl::Status PrepareServer(ProgramFlags& flags) {
  if (!flags.tls_certificate.empty()) {
    KUBE_ASSIGN_OR_RETURN(flags.server.certificate.certificate,
                          ReadText("--tls-cert-file", flags.tls_certificate));
    KUBE_ASSIGN_OR_RETURN(std::string key, ReadText("--tls-private-key-file", flags.tls_key));
    flags.server.certificate.key = base::Secret(std::move(key));
  }
  if (!flags.tls_authority.empty()) {
    KUBE_ASSIGN_OR_RETURN(flags.server.server_ca, ReadText("--tls-ca-file", flags.tls_authority));
  }
  if (!flags.request_log.empty()) {
    KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<RequestLogFile> log,
                          RequestLogFile::Open(flags.request_log, flags.request_log_filter));
    flags.server.handler.on_request = [log](const LoggedRequest& request) { log->Write(request); };
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<envtest::Workloads>> SetUpCluster(const Context& ctx,
                                                                 ApiServer& server,
                                                                 const ProgramFlags& flags) {
  // Without sockets: certificates of any name are right.
  rest::Config config = envtest::InProcessConfig(server.handler());
  config.user_agent = "apiserver-setup";
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  if (!flags.crds.empty()) {
    KUBE_ASSIGN_OR_RETURN(const envtest::CustomResourceDefinitions installed,
                          envtest::InstallCrds(ctx, client, {.paths = flags.crds}), "read --crds");
    if (installed.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("read --crds: no definition in \"",
                                                     absl::StrJoin(flags.crds, "\", \""), "\""));
    }
  }
  std::unique_ptr<envtest::Workloads> workloads;
  if (flags.workloads) {
    KUBE_ASSIGN_OR_RETURN(workloads,
                          envtest::Workloads::Start(envtest::InProcessConfig(server.handler()),
                                                    {.nodes = flags.nodes,
                                                     .pod_ready_after = flags.pod_ready_after,
                                                     .pod_ends_after = flags.pod_ends_after,
                                                     .pod_stops_after = flags.pod_stops_after}));
  }
  if (!flags.manifests.empty()) {
    KUBE_RETURN_IF_ERROR(envtest::InstallManifests(ctx, client, {.paths = flags.manifests}),
                         "read --manifests");
  }
  for (const FaultRule& rule : flags.server.handler.faults) server.handler().faults().Add(rule);
  return workloads;
}

}  // namespace kube::apiserver::internal
