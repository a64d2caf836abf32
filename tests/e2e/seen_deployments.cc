#include "tests/e2e/seen_deployments.h"

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "clientset/kubernetes/clientset.h"
#include "informers/kubernetes/apps/v1/informers.h"

namespace kube::e2e {

SeenDeployments::SeenDeployments(const kubernetes::Clientset& client,
                                 const std::string& namespace_name)
    : factory_(client, {.namespace_name = namespace_name}) {}

absl::Status SeenDeployments::Start() {
  const auto see = [this](const auto& event) {
    base::MutexLock lock(mutex_);
    uids_.insert(std::string(event.object->metadata.uid));
  };
  KUBE_RETURN_IF_ERROR(factory_.Apps().V1().Deployments().Informer().AddEventHandler(
      {.on_add = see, .on_update = see, .on_delete = see}));
  KUBE_RETURN_IF_ERROR(factory_.Start({}));
  return factory_.WaitForCacheSync(WithTimeout({}, absl::Minutes(1)));
}

std::set<std::string> SeenDeployments::Uids() const {
  base::MutexLock lock(mutex_);
  return uids_;
}

}  // namespace kube::e2e
