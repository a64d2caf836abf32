#include "apiserver/validation/validate_pod.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/value.h"
#include "apiserver/errors/field_errors.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

using Names = std::set<std::string>;

void CheckPorts(ErrorList& wrong, const List<corev1::ContainerPort>& ports, const Path& path) {
  for (size_t i = 0; i < ports.size(); ++i) {
    const int32_t port = ports[i].container_port;
    const Path at = path.Index(i);
    if (port == 0) {
      wrong.push_back(field::Required(at.Child("containerPort"), ""));
    } else if (!validation::IsValidPortNum(port).empty()) {
      wrong.push_back(field::Invalid(at.Child("containerPort"), int64_t{port},
                                     validation::IsValidPortNum(port).front()));
    }
    CheckOneOf(wrong, at.Child("protocol"), ports[i].protocol.view(), {"SCTP", "TCP", "UDP"});
  }
}

void CheckEnvironment(ErrorList& wrong, const List<corev1::EnvVar>& variables, const Path& path) {
  for (size_t i = 0; i < variables.size(); ++i) {
    const Path name = path.Index(i).Child("name");
    if (variables[i].name.empty()) {
      wrong.push_back(field::Required(name, ""));
    } else {
      AppendInvalid(wrong, name, variables[i].name.view(),
                    validation::IsRelaxedEnvVarName(variables[i].name.view()));
    }
  }
}

void CheckMounts(ErrorList& wrong, const List<corev1::VolumeMount>& mounts, const Names& volumes,
                 const Path& path) {
  for (size_t i = 0; i < mounts.size(); ++i) {
    const Path at = path.Index(i);
    if (mounts[i].name.empty()) {
      wrong.push_back(field::Required(at.Child("name"), ""));
    } else if (volumes.count(std::string(mounts[i].name)) == 0) {
      wrong.push_back(field::NotFound(at.Child("name"), std::string(mounts[i].name)));
    }
    if (mounts[i].mount_path.empty()) wrong.push_back(field::Required(at.Child("mountPath"), ""));
  }
}

void CheckQuantities(ErrorList& wrong, const Map<Quantity>& quantities, const Path& path) {
  for (const auto& [name, quantity] : quantities) {
    if (quantity >= Quantity("0")) continue;
    wrong.push_back(field::Invalid(path.Key(name.view()), std::string(quantity.source()),
                                   "must be greater than or equal to 0"));
  }
}

void CheckResources(ErrorList& wrong, const corev1::ResourceRequirements& resources,
                    const Path& path) {
  CheckQuantities(wrong, resources.limits, path.Child("limits"));
  CheckQuantities(wrong, resources.requests, path.Child("requests"));
  for (const auto& [name, request] : resources.requests) {
    const Quantity* const limit = resources.limits.find(name);
    if (limit == nullptr || request <= *limit) continue;
    wrong.push_back(field::Invalid(path.Child("requests"), std::string(request.source()),
                                   absl::StrCat("must be less than or equal to ", name.view(),
                                                " limit of ", limit->source())));
  }
}

void CheckContainer(ErrorList& wrong, const corev1::Container& container, const Names& volumes,
                    const Path& path) {
  if (container.name.empty()) {
    wrong.push_back(field::Required(path.Child("name"), ""));
  } else {
    AppendInvalid(wrong, path.Child("name"), container.name.view(),
                  validation::IsDns1123Label(container.name.view()));
  }
  if (container.image.empty()) wrong.push_back(field::Required(path.Child("image"), ""));
  CheckOneOf(wrong, path.Child("terminationMessagePolicy"),
             container.termination_message_policy.view(), {"File", "FallbackToLogsOnError"});
  CheckPorts(wrong, container.ports, path.Child("ports"));
  CheckEnvironment(wrong, container.env, path.Child("env"));
  CheckMounts(wrong, container.volume_mounts, volumes, path.Child("volumeMounts"));
  CheckOneOf(wrong, path.Child("imagePullPolicy"), container.image_pull_policy.view(),
             {"Always", "IfNotPresent", "Never"});
  CheckResources(wrong, container.resources, path.Child("resources"));
}

void CheckContainers(ErrorList& wrong, const List<corev1::Container>& containers,
                     const Names& volumes, const Path& path, Names& names) {
  for (size_t i = 0; i < containers.size(); ++i) {
    const std::string name(containers[i].name);
    CheckContainer(wrong, containers[i], volumes, path.Index(i));
    if (!name.empty() && !names.insert(name).second) {
      wrong.push_back(field::Duplicate(path.Index(i).Child("name"), name));
    }
  }
}

Names CheckVolumes(ErrorList& wrong, const List<corev1::Volume>& volumes, const Path& path) {
  Names names;
  for (size_t i = 0; i < volumes.size(); ++i) {
    const std::string name(volumes[i].name);
    const Path at = path.Index(i).Child("name");
    if (name.empty()) {
      wrong.push_back(field::Required(at, ""));
      continue;
    }
    AppendInvalid(wrong, at, name, validation::IsDns1123Label(name));
    if (!names.insert(name).second) wrong.push_back(field::Duplicate(at, name));
  }
  return names;
}

void CheckNames(ErrorList& wrong, const corev1::PodSpec& spec, const Path& path) {
  const auto check = [&](absl::string_view member, const String& name, auto rule) {
    if (!name.empty()) AppendInvalid(wrong, path.Child(member), name.view(), rule(name.view()));
  };
  const auto subdomain = [](absl::string_view name) {
    return validation::IsDns1123Subdomain(name);
  };
  const auto label = [](absl::string_view name) { return validation::IsDns1123Label(name); };
  check("serviceAccountName", spec.service_account_name, subdomain);
  check("nodeName", spec.node_name, subdomain);
  check("hostname", spec.hostname, label);
  check("subdomain", spec.subdomain, label);
}

}  // namespace

void CheckRestartPolicy(ErrorList& wrong, const corev1::PodSpec& spec, const Path& path,
                        std::initializer_list<absl::string_view> policies) {
  CheckOneOf(wrong, path.Child("restartPolicy"), spec.restart_policy.view(), policies);
}

void CheckPodSpec(ErrorList& wrong, const corev1::PodSpec& spec, const Path& path,
                  const Names& volumes) {
  Names mountable = CheckVolumes(wrong, spec.volumes, path.Child("volumes"));
  mountable.insert(volumes.begin(), volumes.end());
  Names names;
  const Path containers = path.Child("containers");
  if (spec.containers.empty()) wrong.push_back(field::Required(containers, ""));
  CheckContainers(wrong, spec.containers, mountable, containers, names);
  CheckContainers(wrong, spec.init_containers, mountable, path.Child("initContainers"), names);
  CheckRestartPolicy(wrong, spec, path, {"Always", "OnFailure", "Never"});
  CheckOneOf(wrong, path.Child("dnsPolicy"), spec.dns_policy.view(),
             {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"});
  CheckNames(wrong, spec, path);
}

}  // namespace kube::apiserver::internal
