#include "clientset/kubernetes/clientset.h"

#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"

namespace kube::kubernetes {

absl::StatusOr<Clientset> Clientset::Make(const rest::Config& config) {
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(config));
  return Clientset(std::move(client));
}

}  // namespace kube::kubernetes
