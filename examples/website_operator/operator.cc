#include "examples/website_operator/operator.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_types.h"
#include "controller/triggers/enqueue_by_index.h"

namespace sites {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace metav1 = kube::api::meta::v1;
using kube::controller::Result;
using kube::meta::ObjectName;
using v1::Website;

// Changes with the content, so that the Deployment replaces its pods.
constexpr char kContentVersion[] = "sites.example.com/content-version";

absl::StatusOr<std::vector<std::string>> ContentOf(const Website& website) {
  return std::vector<std::string>{std::string(website.spec.content.view())};
}

ObjectName DirectoryName() { return {.namespace_name = kOperatorNamespace, .name = kDirectory}; }
std::string EntryOf(const ObjectName& name) {
  return absl::StrCat(name.namespace_name, ".", name.name);
}
std::string AddressOf(const ObjectName& name) {
  return absl::StrCat(name.name, ".", name.namespace_name, ".sites.example.com");
}

kube::ApplyOf<appsv1::Deployment> DeploymentOf(const Website& website,
                                               const corev1::ConfigMap& content) {
  const kube::Map<kube::String> labels = {{"website", website.metadata.name}};
  const kube::ApplyOf<corev1::Volume> files = {.name = "files",
                                               .config_map = {{.name = website.spec.content}}};
  const kube::ApplyOf<corev1::Container> server = {
      .name = "server",
      .image = website.spec.image,
      .volume_mounts = {{.name = "files", .mount_path = "/usr/share/nginx/html"}}};
  const kube::ApplyOf<corev1::PodTemplateSpec> pod = {
      .metadata = {{.labels = labels,
                    .annotations = {{kContentVersion, content.metadata.resource_version}}}},
      .spec = {{.volumes = {files}, .containers = {server}}}};
  return {.metadata = {{.name = website.metadata.name, .labels = labels}},
          .spec = {{.replicas = website.spec.replicas,
                    .selector = {{.match_labels = labels}},
                    .template_ = pod}}};
}

metav1::Condition ReadinessOf(const Website& website, const appsv1::Deployment& deployment) {
  const int32_t wanted = website.spec.replicas.value_or(1);
  const appsv1::DeploymentStatus& status = deployment.status;
  const bool is_ready = status.observed_generation >= deployment.metadata.generation &&
                        status.updated_replicas == wanted && status.available_replicas == wanted;
  return {.type = kReady,
          .status = is_ready ? metav1::kConditionTrue : metav1::kConditionFalse,
          .reason = is_ready ? "AllReplicasReady" : "RollingOut",
          .message = absl::StrCat(status.available_replicas, " of ", wanted, " replicas")};
}

}  // namespace

WebsiteOperator::WebsiteOperator(kube::controller::Manager& manager)
    : client_(manager.client()),
      websites_(manager),
      deployments_(websites_.Owns<appsv1::Deployment>()),
      by_content_(websites_.primary().AddIndex("content", &ContentOf)),
      // A change of a ConfigMap enqueues the Websites that have its name in the index.
      config_maps_(websites_.Watches<corev1::ConfigMap>(
          kube::controller::EnqueueByIndex<corev1::ConfigMap>(by_content_))),
      directory_(websites_.Writes<corev1::ConfigMap>(
          {.access = {.namespaces = {kOperatorNamespace}, .names = {kDirectory}}})) {
  websites_.Finalizes(kFinalizer, [this](Request& request) { return Unregister(request); });
  websites_.Reconciles([this](Request& request) { return Reconcile(request); });
}

absl::StatusOr<Result> WebsiteOperator::Reconcile(Request& request) {
  const Website& website = *request.object();
  KUBE_RETURN_IF_ERROR(Register(request));
  const absl::StatusOr<std::shared_ptr<const corev1::ConfigMap>> content =
      config_maps_.Get(request, website.spec.content.view());
  if (errors::IsNotFound(content.status())) {
    // What runs goes on. The index calls this function again when the ConfigMap is there.
    const std::string message =
        absl::StrCat("there is no ConfigMap \"", website.spec.content.view(), "\"");
    return WriteStatus(request, website.status.ready_replicas,
                       {.type = kReady,
                        .status = metav1::kConditionFalse,
                        .reason = "ContentMissing",
                        .message = message});
  }
  if (!content.ok()) return content.status();
  KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment deployment,
                        deployments_.Apply(request, DeploymentOf(website, **content)));
  // The Deployment's next change calls this function again, too.
  return WriteStatus(request, deployment.status.ready_replicas, ReadinessOf(website, deployment));
}

absl::StatusOr<Result> WebsiteOperator::WriteStatus(Request& request, int32_t ready_replicas,
                                                    const metav1::Condition& condition) {
  const int64_t generation = request.object()->metadata.generation;
  const bool was_ready =
      kube::meta::IsStatusConditionTrue(request.object()->status.conditions, kReady);
  metav1::Condition observed = condition;
  observed.observed_generation = generation;
  const auto change = [&](v1::WebsiteStatus& status) {
    status.observed_generation = generation;
    status.ready_replicas = ready_replicas;
    kube::meta::SetStatusCondition(status.conditions, observed);
  };
  KUBE_RETURN_IF_ERROR(websites_.EditStatus(request, change));
  if (!was_ready && observed.status == metav1::kConditionTrue) {
    request.Event(kube::events::kEventTypeNormal, "Ready", observed.message.view());
  }
  return Result();
}

absl::Status WebsiteOperator::Register(Request& request) const {
  const std::string entry = EntryOf(request.name());
  const std::string address = AddressOf(request.name());
  const absl::StatusOr<std::shared_ptr<const corev1::ConfigMap>> known =
      config_maps_.Get(request, DirectoryName());
  if (known.ok() && (*known)->data.value_or(entry, "") == address) return absl::OkStatus();
  // The cache of a replica that has just begun to lead may have a Website that the last leader has
  // finalized. Nobody would remove its entry a second time, so the server has to confirm it.
  const v1::WebsiteClient websites(client_, request.name().namespace_name);
  KUBE_ASSIGN_OR_RETURN(const Website now, websites.Get(request.context(), request.name().name));
  if (now.metadata.uid.view() != request.uid() || kube::meta::IsBeingDeleted(now)) {
    return absl::AbortedError("register website: the cache is behind its deletion");
  }
  const auto add = [&](corev1::ConfigMap& directory) {
    directory.data[entry] = address;
    return absl::OkStatus();
  };
  return directory_.Ensure(request, DirectoryName(), add).status();
}

absl::Status WebsiteOperator::Unregister(Request& request) const {
  const auto remove = [&](corev1::ConfigMap& directory) {
    directory.data.erase(EntryOf(request.name()));
    return absl::OkStatus();
  };
  return errors::IgnoreNotFound(directory_.Edit(request, DirectoryName(), remove).status());
}

}  // namespace sites
