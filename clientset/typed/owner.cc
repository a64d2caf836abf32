#include "clientset/typed/owner.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/object_name.h"

namespace kube::typed::internal {

absl::Status CheckOwner(const Ownership& ownership, const api::meta::v1::ObjectMeta& owner,
                        const meta::ObjectName& object) {
  if (ownership.owner_namespaced && ownership.object_namespaced.has_value()) {
    if (!*ownership.object_namespaced) {
      return absl::InvalidArgumentError(absl::StrCat(
          "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ",
          owner.namespace_.view()));
    }
    // Otherwise the object would be taken for one of the cluster.
    if (object.namespace_name.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "set owner of \"", object.ToString(),
          "\": the object has no namespace, its owner's is \"", owner.namespace_.view(), "\""));
    }
  }
  if (owner.uid.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "set owner of \"", object.ToString(), "\": ", ownership.owner_kind.kind, " \"",
        meta::ObjectNameOf(owner).ToString(), "\" cannot be an owner, because it has no UID"));
  }
  return absl::OkStatus();
}

}  // namespace kube::typed::internal
