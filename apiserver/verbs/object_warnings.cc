#include "apiserver/verbs/object_warnings.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/messages.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"
#include "apiserver/strategy/custom.h"

namespace kube::apiserver::internal {

void AddWarnings(const Object& object, const Object* old, Call& call) {
  if (!object.is_custom() || !call.info.subresource.empty()) return;
  for (std::string& each : CustomWarnings(object, old)) call.warnings.push_back(std::move(each));
}

void AddNameWarning(absl::string_view name, Call& call) {
  if (!call.info.subresource.empty()) return;
  const KindInfo& kind = *call.resource->kind;
  const auto is_one_of = [&](absl::string_view group,
                             std::initializer_list<absl::string_view> kinds) {
    return kind.group == group && std::find(kinds.begin(), kinds.end(), kind.kind) != kinds.end();
  };
  const bool pod = is_one_of("", {"Pod"});
  if (!pod && !is_one_of("", {"ReplicationController"}) &&
      !is_one_of("apps", {"Deployment", "ReplicaSet"}) && !is_one_of("batch", {"CronJob", "Job"})) {
    return;
  }
  const validation::Messages wrong = validation::IsDns1123Label(name);
  if (wrong.empty()) return;
  call.warnings.push_back(absl::StrCat(
      "metadata.name: this is used in ", pod ? "the Pod's hostname" : "Pod names and hostnames",
      ", which can result in surprising behavior; a DNS label is recommended: [",
      absl::StrJoin(wrong, " "), "]"));
}

}  // namespace kube::apiserver::internal
