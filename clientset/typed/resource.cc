#include "clientset/typed/resource.h"

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"

namespace kube::typed {
namespace {

// Others cannot have such groups: a CRD needs a dot in its group, and an approval for k8s.io.
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
