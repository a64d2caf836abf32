#ifndef CLIENTSET_KUBERNETES_CLIENTSET_H_
#define CLIENTSET_KUBERNETES_CLIENTSET_H_

#include <utility>

#include "absl/status/statusor.h"
#include "clientset/kubernetes/groups.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"

namespace kube::kubernetes {

// Clients for all resources of Kubernetes, by group and version. (client-go:
// `kubernetes.Clientset`; it also covers those of apiextensions, kube-aggregator and metrics)
//
//   KUBE_ASSIGN_OR_RETURN(const Clientset client, Clientset::Make(config));
//   const appsv1::DeploymentClient deployments = client.AppsV1().Deployments("prod");
//   KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment web, deployments.Get(ctx, "web"));
//
// groups.h has an accessor for each group and version. Each needs a header with a Bazel target of
// its own: AppsV1() needs clientset/kubernetes/apps/v1/client.h from
// //clientset/kubernetes:apps_v1, and does not compile without it, because AppsV1Client is an
// incomplete type. So a program depends on, compiles and links only the groups that it includes.
// Groups of your own have such clients, too (kube_library's NAME_client):
// example::v1::ExampleV1Client(client.client()).
//
// A handle: cheap to copy, like the clients that it returns. Copies share the connections,
// credentials and limits of one rest::Client. Thread-safe.
class Clientset : public Groups {
 public:
  // (client-go: `kubernetes.New`)
  explicit Clientset(rest::Client client) : Groups(std::move(client)) {}

  // Returns a clientset with a rest::Client of its own. Sends nothing. Returns the errors of
  // rest::MakeClient. (client-go: `kubernetes.NewForConfig`)
  static absl::StatusOr<Clientset> Make(const rest::Config& config);

  // The client that all of them use, for requests that no typed client offers. (client-go:
  // `RESTClient`)
  const rest::Client& client() const { return client_; }
};

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_CLIENTSET_H_
