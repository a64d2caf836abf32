#ifndef INFORMERS_KUBERNETES_SHARED_INFORMER_FACTORY_H_
#define INFORMERS_KUBERNETES_SHARED_INFORMER_FACTORY_H_

#include <utility>

#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/client.h"
#include "informers/kubernetes/groups.h"
#include "informers/shared_informer_factory_core.h"

namespace kube::kubernetes {

// Informers of all Kubernetes resources that can be listed and watched, by group and version,
// including those of apiextensions and kube-aggregator.
// (client-go: `informers.SharedInformerFactory`)
//
//   SharedInformerFactory factory(client,
//                                 {.default_resync = absl::Minutes(10), .namespace_name = "prod"});
//   const appsv1::DeploymentInformer deployments = factory.Apps().V1().Deployments();
//   ...
//   const Lister<appsv1::Deployment> lister = deployments.Lister();
//   KUBE_RETURN_IF_ERROR(factory.Start(ctx));
//   KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx));
//   KUBE_ASSIGN_OR_RETURN(const auto web, lister.Namespace("prod").Get("web"));
//
// groups.h has an accessor for each group and for each of its versions. Each version has its own
// header and Bazel target: to call Apps().V1(), include informers/kubernetes/apps/v1/informers.h
// from //informers/kubernetes:apps_v1. Without the header AppsV1Informers is an incomplete type and
// the call does not compile. A program therefore compiles and links only the groups that it
// includes.
//
// Generated kinds of other APIs (NAME_informers of kube_library) work with the same factory:
// example::v1::ExampleV1Informers(factory).Widgets(). One Start, WaitForCacheSync and Shutdown
// covers all of them.
//
// SharedInformerFactoryCore describes the behaviour and thread-safety. Accessors are handles: cheap
// to copy; the factory must outlive them.
class SharedInformerFactory : public InformerGroups {
 public:
  // Makes no request. (client-go: `NewSharedInformerFactoryWithOptions`)
  explicit SharedInformerFactory(const Clientset& clientset,
                                 informers::SharedInformerFactoryOptions options = {})
      : SharedInformerFactory(clientset.client(), std::move(options)) {}
  explicit SharedInformerFactory(rest::Client client,
                                 informers::SharedInformerFactoryOptions options = {})
      : InformerGroups(std::move(client), std::move(options)) {}
};

}  // namespace kube::kubernetes

#endif  // INFORMERS_KUBERNETES_SHARED_INFORMER_FACTORY_H_
