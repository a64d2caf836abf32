#ifndef ENVTEST_WORKLOADS_INTERNAL_CONTROLLER_REVISIONS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CONTROLLER_REVISIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/pods.h"

// The ControllerRevisions of stateful sets and daemon sets: each keeps a pod template that the set
// once had. Pure functions. (pkg/controller/history, and update.go of the daemon controller)
namespace kube::envtest::internal {

// The label of a pod that says its revision: of a stateful set's pod the name of the revision, of a
// daemon set's pod the hash in that name.
inline constexpr absl::string_view kRevisionHashLabel = "controller-revision-hash";

using Revisions = Objects<api::apps::v1::ControllerRevision>;

// What a revision keeps of a template: a strategic merge patch of the set, as JSON with sorted
// keys. (getPatch)
std::string TemplatePatch(const api::core::v1::PodTemplateSpec& pod_template);

// The template that a revision keeps; `otherwise` if its data is no such patch. (ApplyRevision)
api::core::v1::PodTemplateSpec TemplateOf(const api::apps::v1::ControllerRevision& revision,
                                          const api::core::v1::PodTemplateSpec& otherwise);

// What is to be done about the revisions of a set, so that one of them has its template.
struct RevisionPlan {
  // The revision of the template, as it is to be written.
  api::apps::v1::ControllerRevision newest = {};
  bool create = false;
  // It exists, and has an older number.
  bool update = false;
  // The other revisions of the set, by their numbers.
  Revisions others = {};
  // For the status: grows with each name that a revision of something else has.
  std::optional<int32_t> collision_count = {};
};

// `revisions` are those of the namespace. A template that the set had before gets its old revision
// back, with the next number.
//
// Names and hashes of a stateful set's revisions are upstream's. Those of a daemon set's are not:
// see TemplateHash. (getStatefulSetRevisions; constructHistory)
RevisionPlan PlanRevision(const api::apps::v1::StatefulSet& set, const Revisions& revisions);
RevisionPlan PlanRevision(const api::apps::v1::DaemonSet& set, const Revisions& revisions);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CONTROLLER_REVISIONS_H_
