#include "apiserver/defaults/pod_defaults.h"

#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apiserver/defaults/overlaid.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

// rw-r--r--
constexpr int32_t kDefaultMode = 0644;

void Default(String& member, absl::string_view value) {
  if (member.empty()) member = value;
}
template <typename T, typename U>
void Default(Opt<T>& member, U value) {
  if (!member.has_value()) member = value;
}
void Default(int32_t& member, int32_t value) {
  if (member == 0) member = value;
}

// Returns whether the image has no tag and no digest, or the tag "latest".
bool IsLatest(absl::string_view image) {
  if (image.find('@') != absl::string_view::npos) return false;
  const size_t slash = image.rfind('/');
  const absl::string_view name = slash == absl::string_view::npos ? image : image.substr(slash + 1);
  return name.find(':') == absl::string_view::npos || absl::EndsWith(name, ":latest");
}

void SetHttpGetDefaults(Box<corev1::HTTPGetAction>& get) {
  if (!get) return;
  Default(get->path, "/");
  Default(get->scheme, "HTTP");
}

void SetProbeDefaults(Box<corev1::Probe>& probe) {
  if (!probe) return;
  SetHttpGetDefaults(probe->http_get);
  if (probe->grpc && !probe->grpc->service.has_value()) probe->grpc->service = "";
  Default(probe->timeout_seconds, 1);
  Default(probe->period_seconds, 10);
  Default(probe->success_threshold, 1);
  Default(probe->failure_threshold, 3);
}

template <typename Container>
void SetContainerDefaults(Container& container) {
  Default(container.image_pull_policy,
          IsLatest(container.image.view()) ? "Always" : "IfNotPresent");
  Default(container.termination_message_path, "/dev/termination-log");
  Default(container.termination_message_policy, "File");
  for (corev1::ContainerPort& port : container.ports) Default(port.protocol, "TCP");
  for (corev1::EnvVar& variable : container.env) {
    if (variable.value_from && variable.value_from->field_ref) {
      Default(variable.value_from->field_ref->api_version, "v1");
    }
  }
  SetProbeDefaults(container.liveness_probe);
  SetProbeDefaults(container.readiness_probe);
  SetProbeDefaults(container.startup_probe);
  if (container.lifecycle) {
    if (container.lifecycle->post_start)
      SetHttpGetDefaults(container.lifecycle->post_start->http_get);
    if (container.lifecycle->pre_stop) SetHttpGetDefaults(container.lifecycle->pre_stop->http_get);
  }
}

template <typename Files>
void SetFieldRefDefaults(Files& files) {
  for (corev1::DownwardAPIVolumeFile& file : files) {
    if (file.field_ref) Default(file.field_ref->api_version, "v1");
  }
}

bool HasSource(const corev1::Volume& volume) {
  corev1::Volume nameless = volume;
  nameless.name = "";
  return !(nameless == corev1::Volume());
}

void SetVolumeDefaults(corev1::Volume& volume) {
  if (!HasSource(volume)) volume.empty_dir.emplace();
  if (volume.secret) Default(volume.secret->default_mode, kDefaultMode);
  if (volume.config_map) Default(volume.config_map->default_mode, kDefaultMode);
  if (volume.downward_api) {
    Default(volume.downward_api->default_mode, kDefaultMode);
    SetFieldRefDefaults(volume.downward_api->items);
  }
  if (volume.host_path && !volume.host_path->type.has_value()) volume.host_path->type = "";
  if (!volume.projected) return;
  Default(volume.projected->default_mode, kDefaultMode);
  for (corev1::VolumeProjection& source : volume.projected->sources) {
    if (source.downward_api) SetFieldRefDefaults(source.downward_api->items);
    if (source.service_account_token) {
      Default(source.service_account_token->expiration_seconds, 3600);
    }
  }
}

// Limits without a request are requested too.
void SetRequests(List<corev1::Container>& containers) {
  for (corev1::Container& container : containers) {
    corev1::ResourceRequirements& resources = container.resources;
    if (resources.limits.empty()) continue;
    resources.requests = Overlaid(resources.limits, resources.requests);
  }
}

// `podIP` is the first of `podIPs`. If they differ, the former counts.
void SetPodAddresses(corev1::PodStatus& status) {
  if (status.pod_ip.empty()) {
    if (!status.pod_ips.empty()) status.pod_ip = status.pod_ips[0].ip;
    return;
  }
  if (!status.pod_ips.empty() && status.pod_ips[0].ip == status.pod_ip) return;
  status.pod_ips = {corev1::PodIP{.ip = status.pod_ip}};
}

}  // namespace

void SetPodSpecDefaults(corev1::PodSpec& spec) {
  for (corev1::Container& container : spec.init_containers) SetContainerDefaults(container);
  for (corev1::Container& container : spec.containers) SetContainerDefaults(container);
  for (corev1::EphemeralContainer& container : spec.ephemeral_containers) {
    SetContainerDefaults(container);
  }
  for (corev1::Volume& volume : spec.volumes) SetVolumeDefaults(volume);
  Default(spec.restart_policy, "Always");
  Default(spec.dns_policy, "ClusterFirst");
  Default(spec.scheduler_name, "default-scheduler");
  Default(spec.termination_grace_period_seconds, 30);
  if (!spec.security_context) spec.security_context.emplace();
  // `serviceAccount` is the deprecated name of `serviceAccountName`.
  if (spec.service_account_name.empty()) {
    spec.service_account_name = spec.service_account;
  } else {
    spec.service_account = spec.service_account_name;
  }
  if (!spec.host_network) return;
  for (corev1::Container& container : spec.containers) {
    for (corev1::ContainerPort& port : container.ports)
      Default(port.host_port, port.container_port);
  }
}

void SetPodDefaults(corev1::Pod& pod) {
  SetPodSpecDefaults(pod.spec);
  SetRequests(pod.spec.init_containers);
  SetRequests(pod.spec.containers);
  Default(pod.spec.enable_service_links, true);
  SetPodAddresses(pod.status);
}

void SetGatedCondition(corev1::Pod& pod, absl::Time now) {
  if (pod.spec.scheduling_gates.empty()) return;
  corev1::PodCondition gated;
  gated.type = "PodScheduled";
  gated.status = "False";
  gated.last_transition_time = Time(now);
  gated.reason = "SchedulingGated";
  gated.message = "Scheduling is blocked due to non-empty scheduling gates";
  pod.status.conditions.push_back(std::move(gated));
}

absl::string_view QosClassOf(const corev1::PodSpec& spec) {
  bool any = false;
  bool all_limited = !spec.containers.empty();
  const auto look_at = [&](const List<corev1::Container>& containers) {
    for (const corev1::Container& container : containers) {
      for (absl::string_view name : {"cpu", "memory"}) {
        const Quantity* limit = container.resources.limits.find(name);
        const Quantity* request = container.resources.requests.find(name);
        any |= limit != nullptr || request != nullptr;
        all_limited &= limit != nullptr && request != nullptr && *limit == *request;
      }
    }
  };
  look_at(spec.init_containers);
  look_at(spec.containers);
  if (!any) return "BestEffort";
  return all_limited ? "Guaranteed" : "Burstable";
}

}  // namespace kube::apiserver::internal
