#include "apiserver/registry/admission.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/scheduling/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace schedulingv1 = api::scheduling::v1;

constexpr absl::string_view kPriorityClasses = "scheduling.k8s.io/priorityclasses";

// ---- Priority

// The values of a priority class.
struct Priority {
  std::string class_name = {};
  int32_t value = 0;
  std::string preemption_policy = "PreemptLowerPriority";
};

Priority PriorityOf(const schedulingv1::PriorityClass& of) {
  return {.class_name = std::string(of.metadata.name),
          .value = of.value,
          .preemption_policy =
              std::string(of.preemption_policy.has_value() ? of.preemption_policy->view() : "")};
}

// Returns the class for pods that name none: of several defaults the one with the lowest value, or
// null (kube-apiserver: `getDefaultPriorityClass`).
ObjectPtr DefaultClass(const Storage& storage) {
  const absl::StatusOr<ListResult> classes = storage.List(kPriorityClasses, {});
  ObjectPtr found;
  if (!classes.ok()) return found;
  for (const ListItem& item : classes->items) {
    const auto& each = *item.object->object().As<schedulingv1::PriorityClass>();
    if (!each.global_default) continue;
    const bool lower =
        found == nullptr || each.value < found->object().As<schedulingv1::PriorityClass>()->value;
    if (lower) found = item.object;
  }
  return found;
}

absl::StatusOr<Priority> FindPriority(const Storage& storage, const Resource& resource,
                                      const corev1::Pod& pod) {
  const std::string name(pod.spec.priority_class_name);
  ObjectPtr found;
  if (name.empty()) {
    found = DefaultClass(storage);
    if (found == nullptr) return Priority{};
  } else {
    found = storage.Get(kPriorityClasses, name);
  }
  if (found != nullptr) {
    return PriorityOf(*found->object().As<schedulingv1::PriorityClass>());
  }
  // Every cluster has these two.
  if (name == "system-cluster-critical")
    return Priority{.class_name = name, .value = 2'000'000'000};
  if (name == "system-node-critical") return Priority{.class_name = name, .value = 2'000'001'000};
  return errors::Forbidden(resource.group_resource(), pod.metadata.name.view(),
                           absl::StrCat("no PriorityClass with name ", name, " was found"));
}

absl::Status SetPriority(const Storage& storage, const Resource& resource, corev1::Pod& pod) {
  KUBE_ASSIGN_OR_RETURN(const Priority priority, FindPriority(storage, resource, pod));
  corev1::PodSpec& spec = pod.spec;
  const auto forbidden = [&](absl::string_view message) {
    return errors::Forbidden(resource.group_resource(), pod.metadata.name.view(), message);
  };
  constexpr absl::string_view kComputed =
      " must not be provided in pod spec; priority admission controller computed ";
  constexpr absl::string_view kFrom = " from the given PriorityClass name";
  spec.priority_class_name = priority.class_name;
  if (spec.priority.has_value() && *spec.priority != priority.value) {
    return forbidden(absl::StrCat("the integer value of priority (", *spec.priority, ")", kComputed,
                                  priority.value, kFrom));
  }
  spec.priority = priority.value;
  if (priority.preemption_policy.empty()) return absl::OkStatus();
  if (spec.preemption_policy.has_value() && *spec.preemption_policy != priority.preemption_policy) {
    return forbidden(absl::StrCat("the string value of PreemptionPolicy (",
                                  spec.preemption_policy->view(), ")", kComputed,
                                  priority.preemption_policy, kFrom));
  }
  spec.preemption_policy = priority.preemption_policy;
  return absl::OkStatus();
}

// ---- DefaultTolerationSeconds

void AddToleration(corev1::PodSpec& spec, absl::string_view key) {
  for (const corev1::Toleration& each : spec.tolerations) {
    const bool same_key = each.key == key || each.key.empty();
    if (same_key && (each.effect == "NoExecute" || each.effect.empty())) return;
  }
  corev1::Toleration toleration;
  toleration.key = key;
  toleration.operator_ = "Exists";
  toleration.effect = "NoExecute";
  toleration.toleration_seconds = 300;
  spec.tolerations.push_back(toleration);
}

void AddTolerations(corev1::PodSpec& spec) {
  AddToleration(spec, "node.kubernetes.io/not-ready");
  AddToleration(spec, "node.kubernetes.io/unreachable");
}

// ---- TaintNodesByCondition

// Keeps pods away until the node is known to be ready.
void TaintNotReady(corev1::Node& node) {
  constexpr absl::string_view kKey = "node.kubernetes.io/not-ready";
  for (const corev1::Taint& each : node.spec.taints) {
    if (each.key == kKey && each.effect == "NoSchedule") return;
  }
  corev1::Taint taint;
  taint.key = kKey;
  taint.effect = "NoSchedule";
  node.spec.taints.push_back(std::move(taint));
}

}  // namespace

absl::Status AdmitCreate(const Storage& storage, const Resource& resource, Object& object) {
  if (auto* pod = object.As<corev1::Pod>()) {
    KUBE_RETURN_IF_ERROR(SetPriority(storage, resource, *pod));
    AddTolerations(pod->spec);
  }
  if (auto* node = object.As<corev1::Node>()) TaintNotReady(*node);
  return absl::OkStatus();
}

void AdmitUpdate(const Object& old, Object& object) {
  if (auto* pod = object.As<corev1::Pod>()) {
    const corev1::PodSpec& before = old.As<corev1::Pod>()->spec;
    // Validation rejects other changes of these fields.
    if (!pod->spec.priority.has_value()) pod->spec.priority = before.priority;
    if (!pod->spec.preemption_policy.has_value()) {
      pod->spec.preemption_policy = before.preemption_policy;
    }
    AddTolerations(pod->spec);
  }
}

absl::Status AdmitValid(const Storage& storage, const Resource& resource, const Object& object,
                        bool is_new) {
  // A second default would make the priority of pods ambiguous (kube-apiserver:
  // `validatePriorityClass`).
  const auto* const wanted = object.As<schedulingv1::PriorityClass>();
  if (wanted == nullptr || !wanted->global_default) return absl::OkStatus();
  const ObjectPtr other = DefaultClass(storage);
  if (other == nullptr) return absl::OkStatus();
  const absl::string_view name = other->metadata().name.view();
  if (!is_new && name == wanted->metadata.name) return absl::OkStatus();
  return errors::Forbidden(resource.group_resource(), wanted->metadata.name.view(),
                           absl::StrCat("PriorityClass ", name,
                                        " is already marked as default. Only one default can "
                                        "exist"));
}

}  // namespace kube::apiserver::internal
