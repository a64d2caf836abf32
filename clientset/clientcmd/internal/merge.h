#ifndef CLIENTSET_CLIENTCMD_INTERNAL_MERGE_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_MERGE_H_

#include "clientset/clientcmd/kubeconfig.h"

// Merges `from` into `to`: fields of `from` that are not empty replace those of `to`; maps are
// united, and for equal keys the value of `from` is kept. (client-go: `clientcmd.merge`)
namespace kube::clientcmd::internal {

void Merge(ClusterInfo& to, const ClusterInfo& from);
void Merge(AuthInfo& to, const AuthInfo& from);
void Merge(ContextInfo& to, const ContextInfo& from);
void Merge(Kubeconfig& to, const Kubeconfig& from);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_MERGE_H_
