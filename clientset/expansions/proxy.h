#ifndef CLIENTSET_EXPANSIONS_PROXY_H_
#define CLIENTSET_EXPANSIONS_PROXY_H_

#include "absl/strings/string_view.h"

namespace kube::expansions {

// What the API server is to send a request to. (The first three parameters of client-go's ProxyGet)
struct ProxyTarget {
  // Of the pod or service.
  absl::string_view name = {};
  // A number, or of a service a port's name. Default: the only one, or that of a pod's first
  // container.
  absl::string_view port = {};
  // "http" or "https". Default: http.
  absl::string_view scheme = {};
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_PROXY_H_
