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

// What ServiceClient has besides the verbs. (client-go's ServiceExpansion) Thread-safe.
class ServiceExpansion {
 public:
  ServiceExpansion(rest::Client client, absl::string_view namespace_name)
      : client_(std::move(client)), namespace_name_(namespace_name) {}

  // GETs `path` of a service, through the API server. Blocks until the whole answer is there.
  // Errors: the service's, as the server's own, from status 400 on; INVALID_ARGUMENT for a path
  // with "..", "." or "%" in it.
  absl::StatusOr<rest::Result> ProxyGet(const Context& ctx, const ProxyTarget& service,
                                        absl::string_view path,
                                        const queryparams::Values& params = {}) const;

 private:
  rest::Client client_;
  std::string namespace_name_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_SERVICE_H_
