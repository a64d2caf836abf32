#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_CONTROLLER_REVISIONS_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_CONTROLLER_REVISIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

// The ControllerRevisions of stateful sets and daemon sets; each stores a former pod template of
// its set. Pure functions. (Go: pkg/controller/history, and update.go of the daemon controller)
namespace kube::envtest::internal {

// The label with the revision of a pod: for stateful sets the name of the revision, for daemon sets
// the hash in that name.
inline constexpr absl::string_view kRevisionHashLabel = "controller-revision-hash";

using Revisions = Objects<api::apps::v1::ControllerRevision>;

// Returns the data that a revision stores for a template: a strategic merge patch of the set as
// JSON with sorted keys. (Go: `getPatch`)
std::string TemplatePatch(const api::core::v1::PodTemplateSpec& pod_template);

// Returns the template stored in a revision, or `otherwise` if the data is not such a patch.
// (Go: `ApplyRevision`)
api::core::v1::PodTemplateSpec TemplateOf(const api::apps::v1::ControllerRevision& revision,
                                          const api::core::v1::PodTemplateSpec& otherwise);

// How to change the revisions of a set so that one of them has the set's template.
struct RevisionPlan {
  // The revision of the template, as it must be written.
  api::apps::v1::ControllerRevision newest = {};
  bool create = false;
  // Whether the revision exists with an older number.
  bool update = false;
  // The other revisions of the set, sorted by number.
  Revisions others = {};
  // New value for the status; incremented for each name that is taken by another revision.
  std::optional<int32_t> collision_count = {};
};

// Plans the revisions of a set. `revisions` must contain those of the namespace. If the set had the
// template before, its old revision is reused with the next number.
//
// Names and hashes of a stateful set's revisions equal those of Kubernetes; those of a daemon set
// do not, see TemplateHash. (Go: `getStatefulSetRevisions`, `constructHistory`)
RevisionPlan PlanRevision(const api::apps::v1::StatefulSet& set, const Revisions& revisions);
RevisionPlan PlanRevision(const api::apps::v1::DaemonSet& set, const Revisions& revisions);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_CONTROLLER_REVISIONS_H_
