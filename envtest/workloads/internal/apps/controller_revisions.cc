#include "envtest/workloads/internal/apps/controller_revisions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "envtest/workloads/internal/apps/template_hash.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using unstructured::Value;

// (Go: `ControllerRevisionHashLabel`)
constexpr absl::string_view kDataHashLabel = "controller.kubernetes.io/hash";
// Longer names of sets are truncated. (Go: `ControllerRevisionName`)
constexpr size_t kMaxPrefix = 223;

// Uses FNV-1, not FNV-1a. (Go: `HashControllerRevision`)
std::string DataHash(absl::string_view data, int32_t collision_count) {
  uint32_t hash = 2166136261;
  for (const char byte : absl::StrCat(data, collision_count)) {
    hash = (hash * 16777619) ^ static_cast<uint8_t>(byte);
  }
  return base::SafeEncodeString(absl::StrCat(hash));
}

std::string HashOf(const appsv1::StatefulSet&, absl::string_view data,
                   std::optional<int32_t> collision_count) {
  return DataHash(data, collision_count.value_or(0));
}

std::string HashOf(const appsv1::DaemonSet& set, absl::string_view,
                   std::optional<int32_t> collision_count) {
  return TemplateHash(set.spec.template_, collision_count);
}

absl::string_view HashLabelOf(const appsv1::StatefulSet&) { return kDataHashLabel; }
absl::string_view HashLabelOf(const appsv1::DaemonSet&) { return kRevisionHashLabel; }
absl::string_view KindOf(const appsv1::StatefulSet&) { return "StatefulSet"; }
absl::string_view KindOf(const appsv1::DaemonSet&) { return "DaemonSet"; }

// (Go: `SortControllerRevisions`)
void SortByNumber(Revisions& revisions) {
  const auto key = [](const appsv1::ControllerRevision& revision) {
    return std::make_tuple(revision.revision, revision.metadata.creation_timestamp,
                           revision.metadata.name.view());
  };
  std::sort(revisions.begin(), revisions.end(),
            [&](const auto& a, const auto& b) { return key(*a) < key(*b); });
}

template <typename Set>
appsv1::ControllerRevision NewRevision(const Set& set, absl::string_view data,
                                       std::optional<int32_t> collision_count) {
  const std::string hash = HashOf(set, data, collision_count);
  appsv1::ControllerRevision revision;
  revision.metadata.name = absl::StrCat(set.metadata.name.view().substr(0, kMaxPrefix), "-", hash);
  revision.metadata.namespace_ = set.metadata.namespace_;
  revision.metadata.labels = set.spec.template_.metadata.labels;
  revision.metadata.labels[HashLabelOf(set)] = hash;
  revision.metadata.annotations = set.metadata.annotations;
  revision.metadata.owner_references.push_back(meta::NewControllerRef(
      set.metadata, {.group = "apps", .version = "v1", .kind = std::string(KindOf(set))}));
  revision.data = data;
  return revision;
}

// Finds the stored revision of `data`, or plans a new one with a name that is not taken.
template <typename Set>
void PlanNewest(const Set& set, absl::string_view data, const Revisions& revisions,
                RevisionPlan& plan) {
  while (true) {
    plan.newest = NewRevision(set, data, plan.collision_count);
    const auto taken = std::find_if(revisions.begin(), revisions.end(), [&](const auto& each) {
      return each->metadata.name == plan.newest.metadata.name;
    });
    if (taken == revisions.end()) break;
    if ((*taken)->data.view() == data) {
      plan.newest = **taken;
      return;
    }
    plan.collision_count = plan.collision_count.value_or(0) + 1;
  }
  plan.create = true;
}

template <typename Set>
RevisionPlan Plan(const Set& set, const Revisions& revisions,
                  std::optional<int32_t> collision_count) {
  RevisionPlan plan;
  plan.collision_count = collision_count;
  const std::string data = TemplatePatch(set.spec.template_);
  Revisions own;
  for (const auto& each : revisions) {
    if (meta::IsControlledBy(each->metadata, set.metadata)) own.push_back(each);
  }
  SortByNumber(own);
  std::shared_ptr<const appsv1::ControllerRevision> equal;
  for (const auto& each : own) {
    if (each->data.view() == data) equal = each;
  }
  int64_t next = 1;
  for (const auto& each : own) {
    if (each == equal) continue;
    plan.others.push_back(each);
    next = each->revision + 1;
  }
  if (equal == nullptr) {
    PlanNewest(set, data, revisions, plan);
  } else {
    plan.newest = *equal;
    plan.update = equal->revision < next;
  }
  if (plan.create || plan.update) plan.newest.revision = next;
  return plan;
}

}  // namespace

std::string TemplatePatch(const corev1::PodTemplateSpec& pod_template) {
  // Objects from a server can always be encoded.
  const std::string json = codec::EncodeJson(pod_template).value_or("{}");
  const Value value = unstructured::ParseJson(json).value_or(Value());
  Map<Value> fields = value.object() == nullptr ? Map<Value>() : *value.object();
  fields["$patch"] = "replace";
  const Value patch = Map<Value>{{"spec", Map<Value>{{"template", std::move(fields)}}}};
  return unstructured::EncodeJson(patch).value_or("");
}

corev1::PodTemplateSpec TemplateOf(const appsv1::ControllerRevision& revision,
                                   const corev1::PodTemplateSpec& otherwise) {
  // The directive "$patch" is not a field and is ignored.
  const auto set = codec::DecodeJson<appsv1::StatefulSet>(revision.data.view());
  return set.ok() ? set->spec.template_ : otherwise;
}

RevisionPlan PlanRevision(const appsv1::StatefulSet& set, const Revisions& revisions) {
  return Plan(set, revisions, set.status.collision_count.value_or(0));
}

RevisionPlan PlanRevision(const appsv1::DaemonSet& set, const Revisions& revisions) {
  std::optional<int32_t> collision_count;
  if (set.status.collision_count.has_value()) collision_count = *set.status.collision_count;
  return Plan(set, revisions, collision_count);
}

}  // namespace kube::envtest::internal
