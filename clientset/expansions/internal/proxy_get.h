#ifndef CLIENTSET_EXPANSIONS_INTERNAL_PROXY_GET_H_
#define CLIENTSET_EXPANSIONS_INTERNAL_PROXY_GET_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/queryparams/values.h"
#include "clientset/expansions/proxy.h"
#include "clientset/rest/client.h"

namespace kube::expansions::internal {

// Implements ProxyGet for the resources "pods" and "services".
absl::StatusOr<rest::Result> ProxyGet(const Context& ctx, const rest::Client& client,
                                      absl::string_view resource, absl::string_view namespace_name,
                                      const ProxyTarget& target, absl::string_view path,
                                      const queryparams::Values& params);

}  // namespace kube::expansions::internal

#endif  // CLIENTSET_EXPANSIONS_INTERNAL_PROXY_GET_H_
