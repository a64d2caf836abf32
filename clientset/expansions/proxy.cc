#include "clientset/expansions/proxy.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/queryparams/values.h"
#include "clientset/expansions/internal/proxy_get.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"

namespace kube::expansions::internal {
namespace {

// (client-go: `net.JoinSchemeNamePort`)
std::string NameOf(const ProxyTarget& target) {
  if (!target.scheme.empty()) {
    return absl::StrCat(target.scheme, ":", target.name, ":", target.port);
  }
  if (!target.port.empty()) return absl::StrCat(target.name, ":", target.port);
  return std::string(target.name);
}

}  // namespace

absl::StatusOr<rest::Result> ProxyGet(const Context& ctx, const rest::Client& client,
                                      absl::string_view resource, absl::string_view namespace_name,
                                      const ProxyTarget& target, absl::string_view path,
                                      const queryparams::Values& params) {
  rest::Request request;
  request.resource = {.version = "v1", .resource = std::string(resource)};
  request.namespace_name = std::string(namespace_name);
  request.name = NameOf(target);
  request.subresource = {"proxy"};
  for (const absl::string_view part : absl::StrSplit(path, '/', absl::SkipEmpty())) {
    request.subresource.emplace_back(part);
  }
  request.params = params;
  return client.Do(ctx, request);
}

}  // namespace kube::expansions::internal
