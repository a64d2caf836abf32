// A real control plane as a Cluster. It has no kubelets and no scheduler; Workloads imitates a node
// whose pods are ready at once. Nothing renews that node's lease, so the node lifecycle controller,
// which would consider its pods lost, is turned off.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/rbac/v1/client.h"
#include "envtest/control_plane.h"
#include "envtest/environment.h"
#include "envtest/find_binaries.h"
#include "tests/e2e/cluster.h"

namespace kube::e2e {
namespace {

namespace rbacv1 = api::rbac::v1;

class RealCluster final : public Cluster {
 public:
  RealCluster(std::unique_ptr<envtest::Environment> environment, envtest::ControlPlane& plane,
              kubernetes::Clientset client)
      : Cluster(std::move(environment), std::move(client)), plane_(plane) {}

  using Cluster::Prepare;

  absl::Status ForbidReadingDeployments() override {
    const auto change = [](rbacv1::ClusterRole& role) {
      for (rbacv1::PolicyRule& rule : role.rules) {
        const auto& names = rule.resources;
        if (std::find(names.begin(), names.end(), "deployments") == names.end()) continue;
        erase_if(rule.verbs, [](const String& verb) { return verb == "list" || verb == "watch"; });
      }
      return absl::OkStatus();
    };
    return client()
        .RbacV1()
        .ClusterRoles()
        .Edit(WithTimeout({}, absl::Minutes(1)), kController, change)
        .status();
  }

  void StopApiServer() override { plane_.StopApiServer(); }
  absl::Status StartApiServer() override {
    return plane_.RestartApiServer(WithTimeout({}, absl::Minutes(2)));
  }

  absl::Duration patience() const override { return absl::Minutes(2); }

 private:
  envtest::ControlPlane& plane_;
};

// Writes a script that runs the program so that it ends with the thread that starts it, even if
// this process is killed.
absl::StatusOr<std::string> EndingWithUs(const std::string& program, const char* name) {
  const char* const folder = std::getenv("TEST_TMPDIR");
  std::string script = absl::StrCat(folder == nullptr ? "/tmp" : folder, "/", name);
  std::ofstream file(script);
  file << "#!/bin/sh\nexec setpriv --pdeathsig KILL '" << program << "' \"$@\"\n";
  file.close();
  if (!file || chmod(script.c_str(), 0700) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("write ", script));
  }
  return script;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> StartRealCluster(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(envtest::ControlPlaneBinaries binaries,
                        envtest::FindControlPlaneBinaries());
  KUBE_ASSIGN_OR_RETURN(binaries.etcd, EndingWithUs(binaries.etcd, "etcd"));
  KUBE_ASSIGN_OR_RETURN(binaries.kube_apiserver,
                        EndingWithUs(binaries.kube_apiserver, "kube-apiserver"));
  KUBE_ASSIGN_OR_RETURN(binaries.kube_controller_manager,
                        EndingWithUs(binaries.kube_controller_manager, "kube-controller-manager"));
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<envtest::ControlPlane> plane,
      envtest::ControlPlane::Start(
          ctx, {.binaries = std::move(binaries),
                .controller_manager = true,
                // The default limit is 20 requests per second.
                .controller_manager_flags = {"--controllers=*,-node-lifecycle-controller",
                                             "--kube-api-qps=1000", "--kube-api-burst=1000"},
                // It is killed, not stopped.
                .grace = absl::ZeroDuration()}));
  KUBE_ASSIGN_OR_RETURN(kubernetes::Clientset client, kubernetes::Clientset::Make(plane->Config()));
  envtest::ControlPlane& running = *plane;
  auto cluster = std::make_unique<RealCluster>(std::move(plane), running, std::move(client));
  KUBE_RETURN_IF_ERROR(cluster->Prepare(ctx, {.controllers = false}));
  return cluster;
}

}  // namespace kube::e2e
