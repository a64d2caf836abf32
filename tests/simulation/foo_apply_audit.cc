#include "tests/simulation/foo_apply_audit.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/watch/event.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "tests/simulation/foo_applier.h"
#include "tests/simulation/foo_audit.h"
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_history.h"
#include "tests/simulation/foo_writer.h"

namespace kube::simulation {

namespace appsv1 = api::apps::v1;
namespace metav1 = api::meta::v1;
using managedfields::FieldSet;
using managedfields::PathElement;
using samplecontroller::v1alpha1::Foo;
using samplecontroller::v1alpha1::FooList;

namespace {

template <typename... Text>
absl::Status Wrong(const metav1::ObjectMeta& metadata, const Text&... text) {
  return absl::DataLossError(absl::StrCat(meta::MetaNamespaceKey(metadata), ": ", text...));
}

// ---- requests

bool IsWrite(const apiserver::LoggedRequest& request) {
  return request.verb != "get" && request.verb != "list" && request.verb != "watch" &&
         (request.resource == "foos" || request.resource == "deployments");
}

bool IsForcedApply(const apiserver::LoggedRequest& request) {
  return request.content_type == "application/apply-patch+yaml" &&
         absl::StrContains(request.target, absl::StrCat("fieldManager=", kApplier)) &&
         absl::StrContains(request.target, "force=true");
}

// ---- managed fields

PathElement Field(absl::string_view name) { return PathElement::Field(name); }

// Returns what the controller owns of the Deployment that `foo` asks for.
FieldSet DeploymentFields(const Foo& foo) {
  const PathElement metadata = Field("metadata");
  const PathElement spec = Field("spec");
  const PathElement pod = Field("template");
  const PathElement labels = Field("labels");
  const PathElement containers = Field("containers");
  const PathElement nginx = PathElement::Key({{"name", "nginx"}});
  FieldSet fields = {
      {metadata, Field("ownerReferences"), PathElement::Key({{"uid", foo.metadata.uid.view()}})},
      {spec, Field("selector")},
      {spec, pod, metadata, labels, Field("app")},
      {spec, pod, metadata, labels, Field("controller")},
      {spec, pod, metadata, labels, Field(kFooUidLabel)},
      {spec, pod, spec, containers, nginx},
      {spec, pod, spec, containers, nginx, Field("image")},
      {spec, pod, spec, containers, nginx, Field("name")},
  };
  if (foo.spec.replicas.has_value()) fields.Insert({spec, Field("replicas")});
  for (const auto& label : foo.metadata.labels) {
    fields.Insert({metadata, labels, Field(label.key.view())});
  }
  return fields;
}

int64_t CountEntries(const metav1::ObjectMeta& metadata, absl::string_view manager) {
  return absl::c_count_if(metadata.managed_fields, [&](const metav1::ManagedFieldsEntry& entry) {
    return entry.manager == manager;
  });
}

// Returns the fields that `manager` has applied to the object or to its subresource. There must be
// no other entry of it.
absl::StatusOr<FieldSet> AppliedFields(const metav1::ObjectMeta& metadata,
                                       absl::string_view manager,
                                       absl::string_view subresource = "") {
  if (const int64_t entries = CountEntries(metadata, manager); entries != 1) {
    return Wrong(metadata, manager, " has ", entries, " entries");
  }
  for (const metav1::ManagedFieldsEntry& entry : metadata.managed_fields) {
    if (entry.manager != manager) continue;
    if (entry.operation != "Apply" || entry.subresource != subresource) {
      return Wrong(metadata, "the entry of ", manager, " is: ", entry.operation.view(), " ",
                   entry.subresource.view());
    }
    return managedfields::DecodeFieldsV1(entry.fields_v1->view());
  }
  return FieldSet();
}

absl::Status CheckFields(const metav1::ObjectMeta& metadata, absl::string_view manager,
                         absl::string_view subresource, const FieldSet& expected) {
  KUBE_ASSIGN_OR_RETURN(const FieldSet fields, AppliedFields(metadata, manager, subresource));
  if (fields == expected) return absl::OkStatus();
  return Wrong(metadata, manager, " owns\n", fields.ToString(), "\nand not\n", expected.ToString());
}

absl::Status CheckStatus(const Foo& foo) {
  const FieldSet expected = {{Field("status"), Field("availableReplicas")}};
  return CheckFields(foo.metadata, kApplier, "status", expected);
}

// Checks the Deployment that `foo` asks for and owns.
absl::Status CheckOwn(const Foo& foo, const appsv1::Deployment& deployment) {
  KUBE_RETURN_IF_ERROR(CheckFields(deployment.metadata, kApplier, "", DeploymentFields(foo)));
  Map<String> labels = deployment.metadata.labels;
  labels.erase(kHumanLabel);
  if (!(labels == foo.metadata.labels)) {
    return Wrong(deployment.metadata, "its labels are not those of its Foo");
  }
  return CheckStatus(foo);
}

absl::Status CheckHuman(const metav1::ObjectMeta& metadata) {
  if (!metadata.labels.contains(kHumanLabel)) {
    return CountEntries(metadata, kHuman) == 0
               ? absl::OkStatus()
               : Wrong(metadata, kHuman, " has an entry, but no label");
  }
  const FieldSet expected = {{Field("metadata"), Field("labels"), Field(kHumanLabel)}};
  return CheckFields(metadata, kHuman, "", expected);
}

// ---- history

// Makes `now` the last state of its object, and returns the state before it, or null.
template <typename T>
std::shared_ptr<const T> Replace(const std::shared_ptr<const T>& now,
                                 std::map<std::string, std::shared_ptr<const T>>& by_uid) {
  return std::exchange(by_uid[std::string(now->metadata.uid.view())], now);
}

template <typename T>
T WithoutVersion(T object) {
  object.metadata.resource_version = "";
  for (metav1::ManagedFieldsEntry& entry : object.metadata.managed_fields) entry.time.reset();
  return object;
}

template <typename T>
absl::Status CheckChange(watch::EventType type, const std::shared_ptr<const T>& before,
                         const std::shared_ptr<const T>& now) {
  if (type != watch::EventType::kModified || before == nullptr) return absl::OkStatus();
  if (!(WithoutVersion(*before) == WithoutVersion(*now))) return absl::OkStatus();
  return Wrong(now->metadata, "at ", now->metadata.resource_version.view(),
               " nothing changed but the version");
}

}  // namespace

Rights FooApplierRights() {
  return {
      {"foos", {"list", "watch"}},
      {"foos/status", {"patch"}},
      {"deployments", {"list", "patch", "watch"}},
      {"events", {"create", "patch"}},
      {"leases", {"create", "get", "update"}},
  };
}

absl::Status CheckApplies(const FooCluster& cluster) {
  for (const apiserver::LoggedRequest& request : cluster.server().Requests()) {
    if (IsOfController(request) && IsWrite(request) && !IsForcedApply(request)) {
      return RequestError("no forced apply", request);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<OwnershipCounts> CheckOwnership(const FooCluster& cluster) {
  KUBE_ASSIGN_OR_RETURN(const FooList foos, cluster.foos().List(Context()));
  KUBE_ASSIGN_OR_RETURN(const appsv1::DeploymentList deployments,
                        cluster.deployments().List(Context()));
  std::map<std::string, const Foo*> by_uid;
  for (const Foo& foo : foos.items) {
    by_uid[std::string(foo.metadata.uid.view())] = &foo;
    if (CountEntries(foo.metadata, kApplier) != 0) KUBE_RETURN_IF_ERROR(CheckStatus(foo));
  }
  OwnershipCounts counts;
  for (const appsv1::Deployment& deployment : deployments.items) {
    const metav1::ObjectMeta& metadata = deployment.metadata;
    KUBE_RETURN_IF_ERROR(CheckHuman(metadata));
    if (metadata.labels.contains(kHumanLabel)) ++counts.by_human;
    const metav1::OwnerReference* const owner = meta::GetControllerOf(metadata);
    if (owner == nullptr) {
      if (CountEntries(metadata, kApplier) != 0) return Wrong(metadata, "it is foreign");
      continue;
    }
    const auto foo = by_uid.find(std::string(owner->uid.view()));
    if (foo == by_uid.end() || foo->second->spec.deployment_name != metadata.name) {
      KUBE_RETURN_IF_ERROR(AppliedFields(metadata, kApplier).status());
      continue;
    }
    KUBE_RETURN_IF_ERROR(CheckOwn(*foo->second, deployment));
    ++counts.deployments;
    if (!foo->second->metadata.labels.empty()) ++counts.labelled;
  }
  return counts;
}

absl::Status CheckApplyHistory(const std::vector<Happened>& history) {
  std::map<std::string, std::shared_ptr<const Foo>> foos;
  std::map<std::string, std::shared_ptr<const appsv1::Deployment>> deployments;
  for (const Happened& each : history) {
    if (each.foo != nullptr) {
      KUBE_RETURN_IF_ERROR(CheckChange(each.type, Replace(each.foo, foos), each.foo));
      continue;
    }
    const auto before = Replace(each.deployment, deployments);
    KUBE_RETURN_IF_ERROR(CheckChange(each.type, before, each.deployment));
    const metav1::ObjectMeta& metadata = each.deployment->metadata;
    if (before != nullptr && before->metadata.labels.contains(kHumanLabel) &&
        !metadata.labels.contains(kHumanLabel)) {
      return Wrong(metadata, "at ", metadata.resource_version.view(), " the label of ", kHuman,
                   " is gone");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFewApplies(const FooCluster& cluster, const std::vector<Happened>& history) {
  size_t done = 0;
  size_t failed = 0;
  for (const apiserver::LoggedRequest& request : cluster.server().Requests()) {
    if (!IsOfController(request) || !IsForcedApply(request)) continue;
    ++(request.code / 100 == 2 ? done : failed);
  }
  if (done <= 2 * (history.size() + failed)) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat(done, " applies for ", history.size(), " changes and ", failed, " failures"));
}

}  // namespace kube::simulation
