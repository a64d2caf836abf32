#ifndef CLIENTSET_KUBERNETES_CLIENTSET_H_
#define CLIENTSET_KUBERNETES_CLIENTSET_H_

#include <utility>

#include "absl/status/statusor.h"
#include "clientset/kubernetes/groups.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"

namespace kube::kubernetes {

// Clients of every resource of Kubernetes, by group and version. (client-go's kubernetes.Clientset;
// also those of apiextensions, kube-aggregator and metrics)
//
//   #include "clientset/kubernetes/apps/v1/client.h"
//   #include "clientset/kubernetes/clientset.h"
//
//   KUBE_ASSIGN_OR_RETURN(Clientset client, Clientset::Make(config));
//   KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web,
//                         client.AppsV1().Deployments("prod").Get(ctx, "web"));
//
// There is an accessor for each group and version, in groups.h, and a header, with a Bazel target
// of its own, behind each: AppsV1() needs clientset/kubernetes/apps/v1/client.h, of
// //clientset/kubernetes:apps_v1, and without it does not compile, as AppsV1Client is an incomplete
// type. So a program depends on, compiles and links the groups that it includes. Groups of others
// have such a client, too (kube_library's NAME_client):
// example::v1::ExampleV1Client(client.client()).
//
// A handle: cheap to copy, and so are the clients that it gives. Thread-safe. Copies share the
// connections, credentials and limits of one rest::Client.
class Clientset : public Groups {
 public:
  // (kubernetes.New)
  explicit Clientset(rest::Client client) : Groups(std::move(client)) {}

  // Errors as rest::MakeClient. Sends nothing. (kubernetes.NewForConfig)
  static absl::StatusOr<Clientset> Make(const rest::Config& config);

  // What all of them send by, for requests that none of them has. (RESTClient)
  const rest::Client& client() const { return client_; }
};

}  // namespace kube::kubernetes

#endif  // CLIENTSET_KUBERNETES_CLIENTSET_H_
