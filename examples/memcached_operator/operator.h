#ifndef EXAMPLES_MEMCACHED_OPERATOR_OPERATOR_H_
#define EXAMPLES_MEMCACHED_OPERATOR_OPERATOR_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
// The headers of clients have what the templates below need to know of a kind.
#include "clientset/kubernetes/apps/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "examples/memcached_operator/memcached.client.kube.h"
#include "examples/memcached_operator/memcached.kube.h"

namespace cache {

inline constexpr char kOperatorName[] = "memcached-operator";
// Keeps a deleted Memcached until the operator has recorded an event about its deletion. Its
// Deployment needs no finalizer: the garbage collector deletes it.
inline constexpr char kFinalizer[] = "cache.example.com/finalizer";
// The conditions of a Memcached.
inline constexpr char kAvailable[] = "Available";
inline constexpr char kProgressing[] = "Progressing";
inline constexpr char kDegraded[] = "Degraded";

// Returns the conditions of a Memcached with this Deployment.
kube::List<kube::api::meta::v1::Condition> ConditionsOf(
    const v1alpha1::Memcached& memcached, const kube::api::apps::v1::Deployment& deployment);

// Keeps a Deployment of memcached servers for each Memcached, and the Memcached's status. Serves
// the webhooks of webhook.h.
class MemcachedOperator {
 public:
  using Request = kube::controller::Request<v1alpha1::Memcached>;

  // Make it before Manager::Run, and destroy it after that has returned, before the manager.
  explicit MemcachedOperator(kube::controller::Manager& manager);

 private:
  absl::StatusOr<kube::controller::Result> Reconcile(Request& request);
  absl::Status Finalize(Request& request);

  // The controller comes first: the Deployments are a part of it.
  kube::controller::Controller<v1alpha1::Memcached> memcacheds_;
  const kube::controller::Owned<kube::api::apps::v1::Deployment> deployments_;
};

}  // namespace cache

#endif  // EXAMPLES_MEMCACHED_OPERATOR_OPERATOR_H_
