#include "apiserver/streaming/pod_target.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request_info.h"

namespace kube::apiserver::internal {

namespace corev1 = api::core::v1;

absl::StatusOr<ObjectPtr> PodOf(const Core& core, const Call& call) {
  Target target = call.target();
  target.subresource.clear();
  return core.registry.Get(target);
}

absl::Status ChooseContainer(const corev1::Pod& pod, std::string& name) {
  std::vector<std::string> all;
  for (const corev1::Container& each : pod.spec.init_containers) all.emplace_back(each.name);
  for (const corev1::Container& each : pod.spec.containers) all.emplace_back(each.name);
  for (const auto& each : pod.spec.ephemeral_containers) all.emplace_back(each.name);
  const absl::string_view pod_name = pod.metadata.name.view();
  if (name.empty() && pod.spec.containers.size() == 1) {
    name = std::string(pod.spec.containers[0].name.view());
  }
  if (name.empty()) {
    return errors::BadRequest(absl::StrCat("a container name must be specified for pod ", pod_name,
                                           ", choose one of: [", absl::StrJoin(all, " "), "]"));
  }
  if (std::find(all.begin(), all.end(), name) != all.end()) return absl::OkStatus();
  return errors::BadRequest(absl::StrCat("container ", name, " is not valid for pod ", pod_name));
}

absl::Status CheckHasNode(const corev1::Pod& pod) {
  if (!pod.spec.node_name.empty()) return absl::OkStatus();
  return errors::BadRequest(
      absl::StrCat("pod ", pod.metadata.name.view(), " does not have a host assigned"));
}

absl::Status CheckMayCreate(const Core& core, const Call& call) {
  if (call.info.verb == "create") return absl::OkStatus();
  RequestInfo create = call.info;
  create.verb = "create";
  if (core.authorize(call.user, create).allowed) return absl::OkStatus();
  // As upstream, the message has no cause: authorizers seldom give a reason.
  return errors::Forbidden({.group = call.info.group, .resource = call.info.resource},
                           call.info.name, "");
}

}  // namespace kube::apiserver::internal
