#include "clientset/expansions/service.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/queryparams/values.h"
#include "clientset/expansions/internal/proxy_get.h"
#include "clientset/expansions/proxy.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

absl::StatusOr<rest::Result> ServiceExpansion::ProxyGet(const Context& ctx,
                                                        const ProxyTarget& service,
                                                        absl::string_view path,
                                                        const queryparams::Values& params) const {
  return internal::ProxyGet(ctx, client_, "services", namespace_name_, service, path, params);
}

}  // namespace kube::expansions
