#ifndef INFORMERS_KUBERNETES_SHARED_INFORMER_FACTORY_H_
#define INFORMERS_KUBERNETES_SHARED_INFORMER_FACTORY_H_

#include <utility>

#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/client.h"
#include "informers/kubernetes/groups.h"
#include "informers/shared_informer_factory_core.h"

namespace kube::kubernetes {

// Informers of every resource of Kubernetes that can be listed and watched, by group and version.
// (client-go's informers.SharedInformerFactory; also those of apiextensions and kube-aggregator)
//
//   #include "informers/kubernetes/apps/v1/informers.h"
//   #include "informers/kubernetes/shared_informer_factory.h"
//
//   kubernetes::SharedInformerFactory factory(client, {.default_resync = absl::Minutes(10)});
//   const appsv1::DeploymentInformer deployments = factory.Apps().V1().Deployments();
//   const listers::Lister<appsv1::Deployment> lister = deployments.Lister();
//   KUBE_RETURN_IF_ERROR(factory.Start(ctx));
//   KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx));
//
// There is an accessor for each group, and for each of its versions, in groups.h, and a header,
// with a Bazel target of its own, behind each version: Apps().V1() needs
// informers/kubernetes/apps/v1/informers.h, of //informers/kubernetes:apps_v1, and without it does
// not compile, as AppsV1Informers is an incomplete type. So a program depends on, compiles and
// links the groups that it includes.
// Kinds of others (kube_library's NAME_informers) have informers of the same factory:
// example::v1::ExampleV1Informers(factory).Widgets(). So one Start, wait and Shutdown is for all.
//
// What it does is SharedInformerFactoryCore's; so is its thread-safety. Accessors are handles:
// cheap to copy; the factory outlives them.
class SharedInformerFactory : public InformerGroups {
 public:
  // Sends nothing. (NewSharedInformerFactoryWithOptions)
  explicit SharedInformerFactory(const Clientset& clientset,
                                 informers::SharedInformerFactoryOptions options = {})
      : SharedInformerFactory(clientset.client(), std::move(options)) {}
  explicit SharedInformerFactory(rest::Client client,
                                 informers::SharedInformerFactoryOptions options = {})
      : InformerGroups(std::move(client), std::move(options)) {}
};

}  // namespace kube::kubernetes

#endif  // INFORMERS_KUBERNETES_SHARED_INFORMER_FACTORY_H_
