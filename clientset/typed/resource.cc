#include "clientset/typed/resource.h"

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"

namespace kube::typed {
namespace {

// Other groups cannot look like this: a CRD's group must contain a dot, and ".k8s.io" needs an
// approval.
bool IsKubernetesGroup(absl::string_view group) {
  return !absl::StrContains(group, '.') || absl::EndsWith(group, ".k8s.io");
}

}  // namespace

Resource ResourceOf(const KindInfo& kind) {
  return {.group = kind.group,
          .version = kind.version,
          .plural = kind.plural,
          .kind = kind.kind,
          .namespaced = kind.scope == Scope::kNamespaced,
          .built_in = kind.message->wire_count > 0 && IsKubernetesGroup(kind.group)};
}

}  // namespace kube::typed
