#ifndef CLIENTSET_CLIENTCMD_INTERNAL_MERGE_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_MERGE_H_

#include "clientset/clientcmd/kubeconfig.h"

// What `from` says goes into `to`: fields that are not empty replace those that are there, maps are
// united, and of equal keys that of `from` stays. (merge)
namespace kube::clientcmd::internal {

void Merge(ClusterInfo& to, const ClusterInfo& from);
void Merge(AuthInfo& to, const AuthInfo& from);
void Merge(ContextInfo& to, const ContextInfo& from);
void Merge(Kubeconfig& to, const Kubeconfig& from);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_MERGE_H_
