#include "clientset/typed/resource_traits.h"

#include <string>

#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource.h"

namespace kube::typed {

schema::GroupVersionKind KindOf(const Resource& resource) {
  return {.group = std::string(resource.group),
          .version = std::string(resource.version),
          .kind = std::string(resource.kind)};
}

schema::GroupVersionResource GroupVersionResourceOf(const Resource& resource) {
  return {.group = std::string(resource.group),
          .version = std::string(resource.version),
          .resource = std::string(resource.plural)};
}

}  // namespace kube::typed
