#include "clientset/rest/internal/span_name.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "clientset/rest/request.h"

namespace kube::rest::internal {

std::string SpanName(const Request& request) {
  if (!request.absolute_path.empty()) return request.verb;
  const schema::GroupVersionResource& resource = request.resource;
  std::string name =
      absl::StrCat(request.verb,
                   resource.group.empty() ? " /api/" : absl::StrCat(" /apis/", resource.group, "/"),
                   resource.version);
  if (!request.namespace_name.value_or("").empty())
    absl::StrAppend(&name, "/namespaces/{namespace}");
  if (!resource.resource.empty()) absl::StrAppend(&name, "/", resource.resource);
  if (request.name.has_value()) absl::StrAppend(&name, "/{name}");
  // The segments after "proxy" are an arbitrary path of the proxied program.
  if (!request.subresource.empty()) absl::StrAppend(&name, "/", request.subresource.front());
  return name;
}

}  // namespace kube::rest::internal
