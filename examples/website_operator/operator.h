#ifndef EXAMPLES_WEBSITE_OPERATOR_OPERATOR_H_
#define EXAMPLES_WEBSITE_OPERATOR_OPERATOR_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
// The headers of clients have what the templates below need to know of a kind.
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/cache/index.h"
#include "controller/cache/watched.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/writer.h"
#include "examples/website_operator/website.client.kube.h"
#include "examples/website_operator/website.kube.h"

namespace sites {

// The namespace of the operator, in which its directory is: a ConfigMap with the address of each
// Website.
inline constexpr char kOperatorNamespace[] = "website-operator";
inline constexpr char kDirectory[] = "websites";
// Keeps a deleted Website until its entry is removed from the directory, which no garbage collector
// does: an owner must be in the namespace of what it owns.
inline constexpr char kFinalizer[] = "sites.example.com/directory";
// The condition of a Website.
inline constexpr char kReady[] = "Ready";

// Keeps a Deployment of web servers for each Website, an entry in the directory, and the Website's
// status.
class WebsiteOperator {
 public:
  using Request = kube::controller::Request<v1::Website>;

  // Make it before Manager::Run, and destroy it after that has returned, before the manager.
  explicit WebsiteOperator(kube::controller::Manager& manager);

 private:
  absl::StatusOr<kube::controller::Result> Reconcile(Request& request);
  // Adds the Website to the directory.
  absl::Status Register(Request& request) const;
  absl::Status Unregister(Request& request) const;
  absl::StatusOr<kube::controller::Result> WriteStatus(
      Request& request, int32_t ready_replicas, const kube::api::meta::v1::Condition& condition);

  const kube::rest::Client client_;
  // The controller comes first: all else is a part of it.
  kube::controller::Controller<v1::Website> websites_;
  const kube::controller::Owned<kube::api::apps::v1::Deployment> deployments_;
  const kube::controller::Index<v1::Website> by_content_;
  const kube::controller::Watched<kube::api::core::v1::ConfigMap> config_maps_;
  const kube::controller::Writer<kube::api::core::v1::ConfigMap> directory_;
};

}  // namespace sites

#endif  // EXAMPLES_WEBSITE_OPERATOR_OPERATOR_H_
