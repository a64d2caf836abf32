#include "apiserver/validation/validate.h"

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/certificates/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/cron/cron_schedule.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/object_meta.h"
#include "apimachinery/validation/value.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/ca_bundle.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/strategy/definition_status.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/validation/validate_job.h"
#include "apiserver/validation/validate_kinds.h"
#include "apiserver/validation/validate_pod.h"
#include "apiserver/validation/validate_pod_update.h"
#include "apiserver/validation/validate_request.h"
#include "apiserver/validation/webhook_url.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;
using api::apiextensions::v1::CustomResourceDefinition;
using api::certificates::v1::CertificateSigningRequest;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kImmutable = "field is immutable";

void CheckNonnegative(ErrorList& wrong, const Path& path, int64_t value) {
  field::Append(wrong, validation::ValidateNonnegativeField(value, path));
}

// ---- workloads

void CheckSelector(ErrorList& wrong, const Box<metav1::LabelSelector>& selector,
                   const Map<String>& labels, const Path& path, bool needs_selector) {
  const Path at = path.Child("selector");
  const bool empty =
      !selector || (selector->match_labels.empty() && selector->match_expressions.empty());
  if (!selector) {
    if (needs_selector) wrong.push_back(field::Required(at, ""));
  } else if (empty) {
    wrong.push_back(
        field::Invalid(at, field::JsonOf(*selector), "empty selector is invalid for deployment"));
  }
  const absl::StatusOr<labels::Selector> parsed = labels::LabelSelectorAsSelector(selector.get());
  if (parsed.ok() && parsed->Matches(labels) && !empty) return;
  if (selector && empty) return;
  wrong.push_back(field::Invalid(path.Child("template").Child("metadata").Child("labels"),
                                 LabelsJson(labels),
                                 "`selector` does not match template `labels`"));
}

template <typename Workload>
void CheckWorkload(ErrorList& wrong, const Workload& workload) {
  const Path spec("spec");
  if constexpr (requires { workload.spec.replicas; }) {
    CheckNonnegative(wrong, spec.Child("replicas"), workload.spec.replicas.value_or(0));
  }
  if constexpr (requires { workload.spec.min_ready_seconds; }) {
    CheckNonnegative(wrong, spec.Child("minReadySeconds"), workload.spec.min_ready_seconds);
  }
  if constexpr (requires { workload.spec.revision_history_limit; }) {
    CheckNonnegative(wrong, spec.Child("revisionHistoryLimit"),
                     workload.spec.revision_history_limit.value_or(0));
  }
  CheckSelector(wrong, workload.spec.selector, workload.spec.template_.metadata.labels, spec,
                !std::is_same_v<Workload, appsv1::DaemonSet>);
  std::set<std::string> claims;
  if constexpr (requires { workload.spec.volume_claim_templates; }) {
    for (const corev1::PersistentVolumeClaim& claim : workload.spec.volume_claim_templates) {
      claims.insert(std::string(claim.metadata.name));
    }
  }
  const Path pod = spec.Child("template").Child("spec");
  CheckPodSpec(wrong, workload.spec.template_.spec, pod, claims);
  CheckRestartPolicy(wrong, workload.spec.template_.spec, pod, {"Always"});
}

bool IsZero(const Opt<IntOrString>& value) {
  return !value.has_value() || *value == IntOrString(0) || *value == IntOrString("0%");
}

void CheckDeployment(ErrorList& wrong, const appsv1::Deployment& deployment) {
  CheckWorkload(wrong, deployment);
  const auto& rolling = deployment.spec.strategy.rolling_update;
  if (!rolling || !IsZero(rolling->max_unavailable) || !IsZero(rolling->max_surge)) return;
  wrong.push_back(
      field::Invalid(Path("spec").Child("strategy").Child("rollingUpdate").Child("maxUnavailable"),
                     int64_t{0}, "may not be 0 when `maxSurge` is 0"));
}

template <typename Workload>
void CheckSameSelector(ErrorList& wrong, const Workload& now, const Workload& old) {
  if (now.spec.selector == old.spec.selector) return;
  wrong.push_back(field::Invalid(
      Path("spec").Child("selector"),
      now.spec.selector ? field::JsonOf(*now.spec.selector) : field::JsonValue{"null"},
      kImmutable));
}

// ---- others

void CheckCronJob(ErrorList& wrong, const batchv1::CronJobSpec& job, const Path& path) {
  const Path schedule = path.Child("schedule");
  if (job.schedule.empty()) {
    wrong.push_back(field::Required(schedule, ""));
  } else if (const auto parsed = cron::CronSchedule::Parse(job.schedule.view()); !parsed.ok()) {
    wrong.push_back(field::Invalid(schedule, std::string(job.schedule),
                                   std::string(parsed.status().message())));
  }
  CheckOneOf(wrong, path.Child("concurrencyPolicy"), job.concurrency_policy.view(),
             {"Allow", "Forbid", "Replace"});
  CheckJobSpec(wrong, job.job_template.spec, path.Child("jobTemplate").Child("spec"));
}

// Validates the content of an object. `old` is null for a new one.
ErrorList CheckContent(const Object& object, const Object* old) {
  ErrorList wrong;
  const Path spec("spec");
  if (const auto* of = object.As<corev1::Pod>()) CheckPodSpec(wrong, of->spec, spec);
  if (const auto* of = object.As<appsv1::Deployment>()) CheckDeployment(wrong, *of);
  if (const auto* of = object.As<appsv1::ReplicaSet>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<appsv1::StatefulSet>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<appsv1::DaemonSet>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<batchv1::Job>()) CheckJob(wrong, *of);
  if (const auto* of = object.As<batchv1::CronJob>()) {
    CheckCronJob(wrong, of->spec, spec);
  }
  CheckOtherKinds(wrong, object, old);
  return wrong;
}

constexpr absl::string_view kStatefulSetStays =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
    "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
    "'minReadySeconds' are forbidden";

bool SameImmutableSetSpec(const appsv1::StatefulSetSpec& spec, const appsv1::StatefulSetSpec& old) {
  appsv1::StatefulSetSpec changed = spec;
  changed.replicas = old.replicas;
  changed.ordinals = old.ordinals;
  changed.template_ = old.template_;
  changed.update_strategy = old.update_strategy;
  changed.revision_history_limit = old.revision_history_limit;
  changed.persistent_volume_claim_retention_policy = old.persistent_volume_claim_retention_policy;
  changed.min_ready_seconds = old.min_ready_seconds;
  return changed == old;
}

// Checks that an update keeps the immutable fields.
ErrorList CheckImmutable(const Object& object, const Object& old) {
  ErrorList wrong;
  if (const auto* now = object.As<corev1::Pod>()) {
    CheckPodStays(wrong, now->spec, old.As<corev1::Pod>()->spec);
  }
  if (const auto* now = object.As<appsv1::Deployment>()) {
    CheckSameSelector(wrong, *now, *old.As<appsv1::Deployment>());
  }
  if (const auto* now = object.As<appsv1::ReplicaSet>()) {
    CheckSameSelector(wrong, *now, *old.As<appsv1::ReplicaSet>());
  }
  if (const auto* now = object.As<appsv1::DaemonSet>()) {
    CheckSameSelector(wrong, *now, *old.As<appsv1::DaemonSet>());
  }
  if (const auto* now = object.As<appsv1::StatefulSet>()) {
    if (!SameImmutableSetSpec(now->spec, old.As<appsv1::StatefulSet>()->spec)) {
      wrong.push_back(field::Forbidden(Path("spec"), kStatefulSetStays));
    }
  }
  if (const auto* now = object.As<batchv1::Job>()) {
    CheckJobStays(wrong, *now, *old.As<batchv1::Job>());
  }
  CheckOtherKindsStay(wrong, object, old);
  return wrong;
}

// Finalizers must be one of three standard names, or have a domain (kube-apiserver:
// `ValidateFinalizerName` of core).
void CheckFinalizer(ErrorList& wrong, absl::string_view name, const Path& path) {
  const bool standard = name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
  // Malformed names are reported for all kinds.
  if (standard || absl::StrContains(name, "/")) return;
  wrong.push_back(
      field::Invalid(path, std::string(name),
                     "name is neither a standard finalizer name nor is it fully qualified"));
}

void CheckEphemeralStay(ErrorList& wrong, const Object& object, const Object& old) {
  std::set<std::string> names;
  for (const auto& each : object.As<corev1::Pod>()->spec.ephemeral_containers) {
    names.insert(std::string(each.name));
  }
  for (const auto& each : old.As<corev1::Pod>()->spec.ephemeral_containers) {
    if (names.count(std::string(each.name)) != 0) continue;
    wrong.push_back(field::Forbidden(Path("spec").Child("ephemeralContainers"),
                                     absl::StrCat("existing ephemeral containers \"",
                                                  each.name.view(), "\" may not be removed\n")));
  }
}

// Adds the errors of an update of a built-in kind to those of its metadata.
ErrorList CheckBuiltIn(ErrorList wrong, absl::string_view subresource, const Object& object,
                       const Object& old) {
  ErrorList again(wrong);
  if (const auto* request = object.As<CertificateSigningRequest>()) {
    CheckRequestStatus(wrong, subresource, *request, *old.As<CertificateSigningRequest>());
  }
  field::Append(wrong, std::move(again));
  if (subresource == "ephemeralcontainers") CheckEphemeralStay(wrong, object, old);
  if (!subresource.empty()) return wrong;
  if (object.As<corev1::Service>() != nullptr) {
    // For services the immutable fields are checked first.
    field::Append(wrong, CheckImmutable(object, old));
    field::Append(wrong, CheckContent(object, &old));
    return wrong;
  }
  field::Append(wrong, CheckContent(object, &old));
  field::Append(wrong, CheckImmutable(object, old));
  return wrong;
}

// A new definition may have an invalid bundle, which keeps it from being established; later only
// one that already has such a bundle may (apiextensions-apiserver: `allowInvalidCABundle`).
bool MayHaveInvalidBundle(const CustomResourceDefinition* old) {
  return old == nullptr || !IsConditionTrue(*old, "Established") ||
         !CheckCaBundle(ConversionBundle(*old)).ok();
}

// The rules of definitions that need more than apimachinery has: parsers of URLs and certificates.
// `old` is null for a new definition.
void CheckConversionClient(const CustomResourceDefinition& definition,
                           const CustomResourceDefinition* old, ErrorList& wrong) {
  const auto& conversion = definition.spec.conversion;
  if (!conversion || conversion->strategy != "Webhook" || !conversion->webhook) return;
  const auto& client = conversion->webhook->client_config;
  if (!client) return;
  const Path path = Path("spec").Child("conversion").Child("webhookClientConfig");
  if (client->url.has_value() && !client->service.has_value()) {
    field::Append(wrong, ValidateWebhookUrl(client->url->view(), path.Child("url")));
  }
  if (MayHaveInvalidBundle(old)) return;
  const absl::Status checked = CheckCaBundle(client->ca_bundle.view());
  if (checked.ok()) return;
  wrong.push_back(field::Invalid(path.Child("caBundle"),
                                 field::JsonText(absl::Base64Escape(client->ca_bundle.view())),
                                 checked.message()));
}

}  // namespace

ErrorList ValidateCreate(const Resource& resource, const Object& object) {
  if (resource.custom != nullptr) return ValidateCustomCreate(*resource.custom, object);
  if (const auto* crd = object.As<CustomResourceDefinition>()) {
    ErrorList wrong = crd_schema::ValidateDefinition(*crd);
    CheckConversionClient(*crd, nullptr, wrong);
    return wrong;
  }
  const Strategy& strategy = StrategyOf(*resource.kind);
  const auto rule =
      strategy.name_rule == nullptr ? validation::NameIsDnsSubdomain : strategy.name_rule;
  ErrorList wrong = validation::ValidateObjectMeta(object.metadata(), resource.namespaced(), rule,
                                                   Path("metadata"));
  for (size_t i = 0; i < object.metadata().finalizers.size(); ++i) {
    CheckFinalizer(wrong, object.metadata().finalizers[i].view(),
                   Path("metadata").Child("finalizers").Index(i));
  }
  field::Append(wrong, CheckContent(object, nullptr));
  return wrong;
}

ValidatedUpdate ValidateUpdate(const Resource& resource, absl::string_view subresource,
                               const Object& object, const Object& old) {
  // A real server reports these errors twice: for all kinds, and by the kind's own rules.
  ErrorList wrong =
      validation::ValidateObjectMetaUpdate(object.metadata(), old.metadata(), Path("metadata"));
  if (resource.custom != nullptr) {
    crd_schema::UpdateFindings findings =
        ValidateCustomUpdate(*resource.custom, subresource, object, old);
    field::Append(wrong, std::move(findings.errors));
    return {.errors = std::move(wrong), .warnings = std::move(findings.warnings)};
  }
  if (const auto* crd = object.As<CustomResourceDefinition>();
      crd != nullptr && subresource.empty()) {
    field::Append(wrong,
                  crd_schema::ValidateDefinitionUpdate(*crd, *old.As<CustomResourceDefinition>()));
    CheckConversionClient(*crd, old.As<CustomResourceDefinition>(), wrong);
    return {.errors = std::move(wrong)};
  }
  return {.errors = CheckBuiltIn(std::move(wrong), subresource, object, old)};
}

}  // namespace kube::apiserver::internal
