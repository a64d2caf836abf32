#include "clientset/podlogs/targets.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"

namespace kube::podlogs {

namespace corev1 = api::core::v1;

namespace {

constexpr char kDefaultContainer[] = "kubectl.kubernetes.io/default-container";

template <typename Containers>
std::vector<std::string> NamesOf(const Containers& containers) {
  std::vector<std::string> names;
  for (const auto& each : containers) names.emplace_back(each.name);
  return names;
}

void Append(std::vector<std::string>& to, std::vector<std::string> from) {
  for (std::string& each : from) to.push_back(std::move(each));
}

// Returns all names, as kubectl lists them in errors.
std::string ListOf(const corev1::Pod& pod) {
  std::vector<std::string> all = NamesOf(pod.spec.containers);
  for (const std::string& name : NamesOf(pod.spec.ephemeral_containers)) {
    all.push_back(absl::StrCat(name, " (ephem)"));
  }
  for (const std::string& name : NamesOf(pod.spec.init_containers)) {
    all.push_back(absl::StrCat(name, " (init)"));
  }
  return absl::StrJoin(all, ", ");
}

// Returns all names, in the order in which the containers are started.
std::vector<std::string> AllOf(const corev1::Pod& pod) {
  std::vector<std::string> all = NamesOf(pod.spec.init_containers);
  Append(all, NamesOf(pod.spec.containers));
  Append(all, NamesOf(pod.spec.ephemeral_containers));
  return all;
}

absl::StatusOr<std::vector<std::string>> Choose(const corev1::Pod& pod,
                                                const ContainerChoice& choice) {
  const std::vector<std::string> all = AllOf(pod);
  if (choice.all_containers) {
    if (choice.container.empty()) return all;
    return absl::InvalidArgumentError(absl::StrCat(
        "all_containers should not be specified with container name ", choice.container));
  }
  const auto exists = [&all](const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  if (!choice.container.empty()) {
    if (exists(choice.container)) return std::vector<std::string>{choice.container};
    return absl::InvalidArgumentError(
        absl::StrCat("container ", choice.container, " is not valid for pod ",
                     pod.metadata.name.view(), " out of: ", ListOf(pod)));
  }
  if (const auto* const name = pod.metadata.annotations.find(kDefaultContainer);
      name != nullptr && exists(std::string(*name))) {
    return std::vector<std::string>{std::string(*name)};
  }
  if (pod.spec.containers.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("pod ", pod.metadata.name.view(), " does not have any containers"));
  }
  return std::vector<std::string>{std::string(pod.spec.containers[0].name)};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.namespace_name << "/" << target.pod << "/" << target.container;
}

absl::StatusOr<std::vector<Target>> TargetsOf(const corev1::Pod& pod,
                                              const ContainerChoice& choice) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> containers, Choose(pod, choice));
  std::vector<Target> targets;
  for (const std::string& container : containers) {
    targets.push_back({.namespace_name = std::string(pod.metadata.namespace_),
                       .pod = std::string(pod.metadata.name),
                       .container = container});
  }
  return targets;
}

absl::StatusOr<std::vector<Target>> SelectTargets(const Context& ctx, const rest::Client& client,
                                                  absl::string_view namespace_name,
                                                  absl::string_view label_selector,
                                                  const ContainerChoice& choice) {
  const auto pods =
      typed::TypedClient<corev1::Pod, corev1::PodList>(
          client, {.version = "v1", .plural = "pods", .kind = "Pod", .built_in = true})
          .Namespace(namespace_name);
  KUBE_ASSIGN_OR_RETURN(const corev1::PodList list,
                        pods.List(ctx, {.label_selector = std::string(label_selector)}));
  std::vector<Target> targets;
  for (const corev1::Pod& pod : list.items) {
    KUBE_ASSIGN_OR_RETURN(std::vector<Target> chosen, TargetsOf(pod, choice));
    for (Target& target : chosen) targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace kube::podlogs
