// The embedded server as a Cluster. It has no RBAC, so deny rules restrict the controller. While
// the server is stopped, its port stays open, but connections are cut.
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apiserver/api_server.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "clientset/kubernetes/clientset.h"
#include "envtest/environment.h"
#include "tests/e2e/cluster.h"

namespace kube::e2e {
namespace {

class EmbeddedCluster final : public Cluster {
 public:
  EmbeddedCluster(std::unique_ptr<envtest::Environment> environment, apiserver::ApiServer& server,
                  kubernetes::Clientset client)
      : Cluster(std::move(environment), std::move(client)), server_(server) {}

  using Cluster::Prepare;

  absl::Status ForbidReadingDeployments() override {
    server_.handler().SetDenyRules({
        {.user = kServiceAccount, .verb = "list", .group = "apps", .resource = "deployments"},
        {.user = kServiceAccount, .verb = "watch", .group = "apps", .resource = "deployments"},
    });
    return absl::OkStatus();
  }

  void StopApiServer() override {
    outage_ = faults().Add({.fault = apiserver::fault::Partition{.refuse = true}});
  }

  absl::Status StartApiServer() override {
    server_.handler().Compact();
    const absl::Status restarted = server_.Restart();
    faults().Remove(outage_);
    return restarted;
  }

  absl::Duration patience() const override { return absl::Minutes(1); }

 private:
  apiserver::Faults faults() const { return server_.handler().faults(); }

  apiserver::ApiServer& server_;
  apiserver::FaultId outage_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> StartEmbeddedCluster(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<envtest::EmbeddedEnvironment> environment,
                        envtest::EmbeddedEnvironment::Start());
  KUBE_ASSIGN_OR_RETURN(kubernetes::Clientset client,
                        kubernetes::Clientset::Make(environment->Config()));
  apiserver::ApiServer& server = environment->server();
  auto cluster =
      std::make_unique<EmbeddedCluster>(std::move(environment), server, std::move(client));
  KUBE_RETURN_IF_ERROR(cluster->Prepare(ctx, {}));
  return cluster;
}

}  // namespace kube::e2e
