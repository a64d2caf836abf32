#include "apiserver/validation/validate_job.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/validation/validate_pod.h"

namespace kube::apiserver::internal {
namespace {

namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kImmutable = "field is immutable";

void CheckNonnegative(ErrorList& wrong, const Path& path, int64_t value) {
  field::Append(wrong, validation::ValidateNonnegativeField(value, path));
}

template <typename T>
field::BadValue ValueOrNull(const T& value) {
  if (!value) return field::JsonValue{"null"};
  return field::JsonOf(*value);
}
field::BadValue ValueOrNull(const Opt<int32_t>& value) {
  if (!value.has_value()) return field::JsonValue{"null"};
  return int64_t{*value};
}
field::BadValue ValueOrNull(const Opt<String>& value) {
  if (!value.has_value()) return field::JsonValue{"null"};
  return field::JsonText(value->view());
}

template <typename T>
void CheckStays(ErrorList& wrong, const Path& path, const T& now, const T& old) {
  if (!(now == old)) wrong.push_back(field::Invalid(path, ValueOrNull(now), kImmutable));
}

void CheckLabel(ErrorList& wrong, const Map<String>& labels, absl::string_view key,
                const String& expected) {
  const Path path = Path("spec").Child("template").Child("metadata").Child("labels");
  const String* const actual = labels.find(key);
  if (actual == nullptr) {
    wrong.push_back(
        field::Required(path.Key(key), absl::StrCat("must be '", expected.view(), "'")));
  } else if (*actual != expected) {
    wrong.push_back(field::Invalid(path.Key(key), LabelsJson(labels),
                                   absl::StrCat("must be '", expected.view(), "'")));
  }
}

// The selector must be the generated one, unless the client manages it (kube-apiserver:
// `validateGeneratedSelector`).
void CheckGeneratedSelector(ErrorList& wrong, const batchv1::Job& job) {
  const batchv1::JobSpec& spec = job.spec;
  if (spec.manual_selector.value_or(false) || !spec.selector) return;
  const Map<String>& labels = spec.template_.metadata.labels;
  Map<String> expected;
  for (absl::string_view prefix : {"", "batch.kubernetes.io/"}) {
    const std::string uid = absl::StrCat(prefix, "controller-uid");
    const std::string name = absl::StrCat(prefix, "job-name");
    CheckLabel(wrong, labels, uid, job.metadata.uid);
    CheckLabel(wrong, labels, name, job.metadata.name);
    expected[uid] = job.metadata.uid;
    expected[name] = job.metadata.name;
  }
  const absl::StatusOr<labels::Selector> parsed =
      labels::LabelSelectorAsSelector(spec.selector.get());
  if (!parsed.ok() || parsed->Matches(expected)) return;
  wrong.push_back(field::Invalid(Path("spec").Child("selector"), field::JsonOf(*spec.selector),
                                 "`selector` not auto-generated"));
}

// kube-apiserver: `ValidateJobSpec`.
void CheckSpecAndSelector(ErrorList& wrong, const batchv1::JobSpec& job) {
  const Path spec("spec");
  CheckJobSpec(wrong, job, spec);
  if (!job.selector) wrong.push_back(field::Required(spec.Child("selector"), ""));
  const Map<String>& labels = job.template_.metadata.labels;
  const absl::StatusOr<labels::Selector> parsed =
      labels::LabelSelectorAsSelector(job.selector.get());
  if (!parsed.ok() || parsed->Matches(labels)) return;
  wrong.push_back(field::Invalid(spec.Child("template").Child("metadata").Child("labels"),
                                 LabelsJson(labels),
                                 "`selector` does not match template `labels`"));
}

void CheckCompletions(ErrorList& wrong, const batchv1::JobSpec& now, const batchv1::JobSpec& old) {
  const Path path = Path("spec").Child("completions");
  if (now.completion_mode != "Indexed") {
    CheckStays(wrong, path, now.completions, old.completions);
    return;
  }
  // An indexed job may change it together with its parallelism.
  if (!now.completions.has_value() || now.completions == old.completions ||
      now.completions == now.parallelism) {
    return;
  }
  wrong.push_back(field::Invalid(path, int64_t{*now.completions},
                                 "can only be modified in tandem with spec.parallelism"));
}

// Returns whether the job may have had pods. Before that, the template's scheduling and resources
// may change (kube-apiserver: `shouldAllowMutablePodTemplate`).
bool MayHavePods(const batchv1::Job& job) {
  bool suspended = false;
  for (const batchv1::JobCondition& each : job.status.conditions) {
    suspended |= each.type == "Suspended" && each.status == "True";
  }
  const bool idle = !job.status.start_time.has_value() || suspended;
  return !job.spec.suspend.value_or(false) || !idle || job.status.active != 0;
}

void CheckTemplateStays(ErrorList& wrong, const batchv1::Job& job, const batchv1::Job& old) {
  corev1::PodTemplateSpec before = old.spec.template_;
  const corev1::PodTemplateSpec& now = job.spec.template_;
  if (!MayHavePods(old)) {
    if (now.spec.affinity && now.spec.affinity->node_affinity) {
      if (!before.spec.affinity) before.spec.affinity.emplace();
      before.spec.affinity->node_affinity = now.spec.affinity->node_affinity;
    } else if (before.spec.affinity) {
      before.spec.affinity->node_affinity.reset();
      if (!now.spec.affinity && *before.spec.affinity == corev1::Affinity()) {
        before.spec.affinity.reset();
      }
    }
    before.spec.node_selector = now.spec.node_selector;
    before.spec.tolerations = now.spec.tolerations;
    before.spec.scheduling_gates = now.spec.scheduling_gates;
    const auto keep_resources = [](const auto& from, auto& to) {
      for (size_t i = 0; i < to.size() && i < from.size(); ++i) {
        if (from[i].name == to[i].name) to[i].resources = from[i].resources;
      }
    };
    keep_resources(now.spec.containers, before.spec.containers);
    keep_resources(now.spec.init_containers, before.spec.init_containers);
    // The template's metadata may change as long as there are no pods.
    if (now.spec == before.spec) return;
    wrong.push_back(
        field::Invalid(Path("spec").Child("template.spec"), field::JsonOf(now.spec), kImmutable));
    return;
  }
  if (now == before) return;
  wrong.push_back(field::Invalid(Path("spec").Child("template"), field::JsonOf(now), kImmutable));
}

}  // namespace

field::JsonValue LabelsJson(const Map<String>& labels) {
  if (labels.is_null()) return {.json = "null"};
  Map<unstructured::Value> values;
  for (const auto& [key, value] : labels) values[key] = unstructured::Value(value);
  absl::StatusOr<std::string> json = unstructured::EncodeJson(unstructured::Value(values));
  return {.json = json.ok() ? *json : "null"};
}

void CheckJobSpec(ErrorList& wrong, const batchv1::JobSpec& job, const Path& path) {
  CheckNonnegative(wrong, path.Child("parallelism"), job.parallelism.value_or(0));
  CheckNonnegative(wrong, path.Child("completions"), job.completions.value_or(0));
  CheckNonnegative(wrong, path.Child("activeDeadlineSeconds"),
                   job.active_deadline_seconds.value_or(0));
  CheckNonnegative(wrong, path.Child("backoffLimit"), job.backoff_limit.value_or(0));
  CheckNonnegative(wrong, path.Child("ttlSecondsAfterFinished"),
                   job.ttl_seconds_after_finished.value_or(0));
  const Path pod = path.Child("template").Child("spec");
  CheckPodSpec(wrong, job.template_.spec, pod);
  // A job's pods must end, so the default "Always" counts as missing.
  if (job.template_.spec.restart_policy == "Always") {
    wrong.push_back(
        field::Required(pod.Child("restartPolicy"), "valid values: \"OnFailure\", \"Never\""));
  }
}

void CheckJob(ErrorList& wrong, const batchv1::Job& job) {
  CheckGeneratedSelector(wrong, job);
  CheckSpecAndSelector(wrong, job.spec);
}

void CheckJobStays(ErrorList& wrong, const batchv1::Job& job, const batchv1::Job& old) {
  const batchv1::JobSpec& now = job.spec;
  const Path spec("spec");
  CheckSpecAndSelector(wrong, now);
  CheckCompletions(wrong, now, old.spec);
  CheckStays(wrong, spec.Child("selector"), now.selector, old.spec.selector);
  CheckTemplateStays(wrong, job, old);
  CheckStays(wrong, spec.Child("completionMode"), now.completion_mode, old.spec.completion_mode);
  CheckStays(wrong, spec.Child("podFailurePolicy"), now.pod_failure_policy,
             old.spec.pod_failure_policy);
  CheckStays(wrong, spec.Child("backoffLimitPerIndex"), now.backoff_limit_per_index,
             old.spec.backoff_limit_per_index);
  CheckStays(wrong, spec.Child("managedBy"), now.managed_by, old.spec.managed_by);
  CheckStays(wrong, spec.Child("successPolicy"), now.success_policy, old.spec.success_policy);
}

}  // namespace kube::apiserver::internal
