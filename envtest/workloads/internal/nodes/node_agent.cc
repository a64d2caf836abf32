#include "envtest/workloads/internal/nodes/node_agent.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/nodes/node.h"
#include "envtest/workloads/internal/nodes/scheduler.h"
#include "envtest/workloads/pod_run.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr absl::string_view kScheduler = "default-scheduler";

// Returns how long something has been true, counted from the first call for which it was.
absl::Duration Since(std::optional<base::MonotonicTime>& start, bool holds) {
  if (!holds) return absl::ZeroDuration();
  const base::MonotonicTime now = base::Now();
  if (!start.has_value()) start = now;
  return now - *start;
}

// Returns the internal addresses by node name.
std::map<std::string, std::string> AddressesOf(const Objects<corev1::Node>& nodes) {
  std::map<std::string, std::string> addresses;
  for (const auto& node : nodes) {
    for (const corev1::NodeAddress& each : node->status.addresses) {
      if (each.type != "InternalIP") continue;
      addresses.emplace(std::string(node->metadata.name), std::string(each.address));
    }
  }
  return addresses;
}

bool WantsNode(const corev1::Pod& pod) {
  return pod.spec.node_name.empty() && IsActive(pod) && pod.spec.scheduling_gates.empty() &&
         pod.spec.scheduler_name == kScheduler;
}

}  // namespace

// Returns whether all nodes exist and have a status.
bool NodeAgent::SyncNodes(const Context& ctx, Outcome& outcome) {
  const Objects<corev1::Node> nodes = cluster_.nodes.All();
  bool complete = true;
  for (size_t i = 0; i < options_.nodes.size(); ++i) {
    const std::string& name = options_.nodes[i];
    const auto found = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const auto& each) { return each->metadata.name == name; });
    if (found == nodes.end()) {
      complete = false;
      outcome.Note(cluster_.nodes.Create(ctx, NewNode(name)), "a node");
    } else if ((*found)->status.conditions.empty()) {
      complete = false;
      corev1::Node node = **found;
      node.status = ReadyNodeStatus(name, absl::StrCat("10.0.0.", i % 254 + 1), base::WallNow());
      outcome.Note(cluster_.nodes.UpdateStatus(ctx, node), "the status of a node");
    }
  }
  return complete;
}

void NodeAgent::Bind(const Context& ctx, const corev1::Pod& pod, absl::string_view node, Seen& seen,
                     Outcome& outcome) {
  corev1::Binding binding;
  binding.metadata.name = pod.metadata.name;
  binding.metadata.namespace_ = pod.metadata.namespace_;
  binding.metadata.uid = pod.metadata.uid;
  binding.target.kind = "Node";
  binding.target.name = node;
  const auto client = cluster_.pods.client().Namespace(pod.metadata.namespace_.view());
  seen.bound =
      outcome.Note(client
                       .CreateSubresource<corev1::Binding, metav1::Status>(
                           ctx, pod.metadata.name.view(),
                           {.name = "binding", .version = "v1", .kind = "Binding"}, binding)
                       .status(),
                   "a binding");
  if (!seen.bound) return;
  events_.Write(ctx, kScheduler, ReferenceTo("v1", "Pod", pod.metadata),
                {.reason = "Scheduled",
                 .message = absl::StrCat("Successfully assigned ", pod.metadata.namespace_.view(),
                                         "/", pod.metadata.name.view(), " to ", node),
                 .action = "Binding"});
}

// Tells why no node fits, once for each reason. (Go: `handleSchedulingFailure`)
void NodeAgent::Refuse(const Context& ctx, const corev1::Pod& pod, absl::string_view failure,
                       Seen& seen, Outcome& outcome) {
  if (seen.failure != failure) {
    seen.failure = std::string(failure);
    events_.Write(ctx, kScheduler, ReferenceTo("v1", "Pod", pod.metadata),
                  {.warning = true,
                   .reason = "FailedScheduling",
                   .message = seen.failure,
                   .action = "Scheduling"});
  }
  corev1::Pod changed = pod;
  changed.status = UnschedulableStatus(pod, failure, base::WallNow());
  if (changed.status != pod.status) {
    outcome.Note(cluster_.pods.UpdateStatus(ctx, changed), "the status of a pod");
  }
}

void NodeAgent::Schedule(const Context& ctx, Outcome& outcome) {
  const Objects<corev1::Node> nodes = cluster_.nodes.All();
  const Objects<corev1::Pod> pods = cluster_.pods.All();
  std::map<std::string, int> pods_by_node;
  for (const auto& pod : pods) {
    if (IsActive(*pod)) ++pods_by_node[std::string(pod->spec.node_name)];
  }
  for (const auto& pod : pods) {
    if (!WantsNode(*pod)) continue;
    Seen& seen = seen_[std::string(pod->metadata.uid)];
    if (seen.bound) continue;
    const Placement placement = PlacePod(*pod, nodes, pods_by_node, base::WallNow());
    if (placement.failure.empty()) {
      Bind(ctx, *pod, placement.node, seen, outcome);
    } else {
      Refuse(ctx, *pod, placement.failure, seen, outcome);
    }
  }
}

PodRun NodeAgent::RunOf(const corev1::Pod& pod) const {
  PodRun run = {.ready_after = options_.pod_ready_after, .stops_after = options_.pod_stops_after};
  if (pod.spec.restart_policy != "Always") run.ends_after = options_.pod_ends_after;
  return options_.pod_run ? options_.pod_run(pod, run) : run;
}

void NodeAgent::Run(const Context& ctx, const corev1::Pod& pod, absl::string_view node_ip,
                    Seen& seen, Outcome& outcome) {
  const bool deleted = pod.metadata.deletion_timestamp.has_value();
  PodAge age;
  age.scheduled = Since(seen.scheduled, true);
  age.running = Since(seen.running, pod.status.phase == "Running");
  age.deleted = Since(seen.deleted, deleted);
  if (seen.ip.empty()) {
    seen.ip = absl::StrCat("10.244.", addresses_ / 254 % 256, ".", addresses_ % 254 + 1);
    ++addresses_;
  }
  PodPlan plan = PlanPod(pod, RunOf(pod), age, seen.ip, node_ip, base::WallNow());
  outcome.LookAgainAfter(plan.again);
  if (plan.remove) {
    outcome.Note(cluster_.pods.Delete(ctx, pod, {.grace_period_seconds = 0}), "the end of a pod");
  } else if (plan.status.has_value()) {
    corev1::Pod changed = pod;
    changed.status = *std::move(plan.status);
    outcome.Note(cluster_.pods.UpdateStatus(ctx, changed), "the status of a pod");
  }
}

void NodeAgent::Sync(const Context& ctx, Outcome& outcome) {
  ++pass_;
  // Pods that come first wait for the nodes, rather than hear that there are none.
  if (SyncNodes(ctx, outcome)) Schedule(ctx, outcome);
  const std::map<std::string, std::string> addresses = AddressesOf(cluster_.nodes.All());
  for (const auto& pod : cluster_.pods.All()) {
    if (ctx.done()) return;
    Seen& seen = seen_[std::string(pod->metadata.uid)];
    seen.pass = pass_;
    if (pod->spec.node_name.empty()) continue;
    const auto address = addresses.find(std::string(pod->spec.node_name));
    Run(ctx, *pod, address == addresses.end() ? "10.0.0.254" : address->second, seen, outcome);
  }
  for (auto it = seen_.begin(); it != seen_.end();) {
    it = it->second.pass == pass_ ? std::next(it) : seen_.erase(it);
  }
}

}  // namespace kube::envtest::internal
