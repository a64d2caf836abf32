#ifndef CLIENTSET_EXPANSIONS_PROXY_H_
#define CLIENTSET_EXPANSIONS_PROXY_H_

#include "absl/strings/string_view.h"

namespace kube::expansions {

// The pod or service to which the API server forwards a request. (client-go: the first three
// parameters of `ProxyGet`)
struct ProxyTarget {
  // The name of the pod or service.
  absl::string_view name = {};
  // A port number or, for a service, the name of a port. Default: the service's only port, or the
  // port of the pod's first container.
  absl::string_view port = {};
  // "http" or "https". Default: http.
  absl::string_view scheme = {};
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_PROXY_H_
