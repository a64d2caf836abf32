#ifndef CLIENTSET_EXPANSIONS_SERVICE_H_
#define CLIENTSET_EXPANSIONS_SERVICE_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/queryparams/values.h"
#include "clientset/expansions/proxy.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

// Methods of ServiceClient in addition to the verbs. Thread-safe. (client-go: `ServiceExpansion`)
class ServiceExpansion {
 public:
  ServiceExpansion(rest::Client client, absl::string_view namespace_name)
      : client_(std::move(client)), namespace_name_(namespace_name) {}

  // Sends a GET for `path` to a service through the API server. Blocks until the whole response has
  // arrived. A status of 400 or more from the service is returned as if it were the API server's
  // own error. Returns INVALID_ARGUMENT if `path` has a segment "." or "..", or contains "%".
  absl::StatusOr<rest::Result> ProxyGet(const Context& ctx, const ProxyTarget& service,
                                        absl::string_view path,
                                        const queryparams::Values& params = {}) const;

 private:
  rest::Client client_;
  std::string namespace_name_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_SERVICE_H_
