#include "tests/simulation/foo_audit.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using samplecontroller::v1alpha1::Foo;
using samplecontroller::v1alpha1::FooList;

namespace {

template <typename... Text>
absl::Status NotYet(const api::meta::v1::ObjectMeta& metadata, const Text&... text) {
  return absl::UnavailableError(absl::StrCat(meta::MetaNamespaceKey(metadata), text...));
}

absl::Status CheckOwn(const Foo& foo, const appsv1::Deployment& deployment) {
  const int32_t size = *deployment.spec.replicas;
  if (foo.spec.replicas.has_value() && foo.spec.replicas != size) {
    return NotYet(foo.metadata, ": its deployment has the size ", size);
  }
  if (foo.status.available_replicas != deployment.status.available_replicas) {
    return NotYet(foo.metadata, ": its status says ", foo.status.available_replicas, ", not ",
                  deployment.status.available_replicas);
  }
  return absl::OkStatus();
}

bool IsTold(const Foo& foo, const corev1::EventList& events) {
  return absl::c_any_of(events.items, [&](const corev1::Event& event) {
    return event.reason == "ErrResourceExists" &&
           event.involved_object.namespace_ == foo.metadata.namespace_ &&
           event.involved_object.name == foo.metadata.name &&
           absl::StrContains(event.message.view(), foo.spec.deployment_name.view());
  });
}

std::string ResourceOf(const apiserver::LoggedRequest& request) {
  return request.subresource.empty() ? request.resource
                                     : absl::StrCat(request.resource, "/", request.subresource);
}

}  // namespace

absl::StatusOr<Converged> CheckConverged(const FooCluster& cluster) {
  KUBE_ASSIGN_OR_RETURN(const FooList foos, cluster.foos().List(Context()));
  KUBE_ASSIGN_OR_RETURN(const appsv1::DeploymentList deployments,
                        cluster.deployments().List(Context()));
  std::map<std::string, const appsv1::Deployment*> by_name;
  for (const appsv1::Deployment& each : deployments.items) {
    by_name[meta::MetaNamespaceKey(each)] = &each;
    if (each.metadata.deletion_timestamp.has_value()) return NotYet(each.metadata, ": still there");
    if (each.status.available_replicas != *each.spec.replicas) {
      return NotYet(each.metadata, ": not available");
    }
  }
  std::set<std::string> uids;
  std::vector<const Foo*> taken;
  for (const Foo& foo : foos.items) {
    uids.insert(std::string(foo.metadata.uid.view()));
    if (foo.metadata.deletion_timestamp.has_value()) return NotYet(foo.metadata, ": still there");
    const auto deployment = by_name.find(
        absl::StrCat(foo.metadata.namespace_.view(), "/", foo.spec.deployment_name.view()));
    if (deployment == by_name.end()) return NotYet(foo.metadata, ": no deployment");
    if (meta::IsControlledBy(deployment->second->metadata, foo.metadata)) {
      KUBE_RETURN_IF_ERROR(CheckOwn(foo, *deployment->second));
    } else {
      taken.push_back(&foo);
    }
  }
  for (const appsv1::Deployment& each : deployments.items) {
    const auto* const owner = meta::GetControllerOf(each.metadata);
    if (owner != nullptr && uids.count(std::string(owner->uid.view())) == 0) {
      return NotYet(each.metadata, ": its Foo is gone");
    }
  }
  if (taken.empty()) return Converged();
  KUBE_ASSIGN_OR_RETURN(const corev1::EventList events, cluster.events().List(Context()));
  return Converged{
      .taken = static_cast<int64_t>(taken.size()),
      .told = absl::c_count_if(taken, [&](const Foo* foo) { return IsTold(*foo, events); })};
}

absl::Status CheckQuiet(FooCluster& cluster, int64_t taken) {
  cluster.server().ClearRequests();
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Minutes(1)));
  int64_t events = 0;
  int64_t reads = 0;
  for (const apiserver::LoggedRequest& request : cluster.server().Requests()) {
    if (!IsOfController(request) || request.resource == "leases") continue;
    if (request.resource == "events") {
      if (++events > 2 * taken) return RequestError("an event of nothing new", request);
    } else if (request.verb == "get" || request.verb == "list" || request.verb == "watch") {
      if (++reads > 4 * static_cast<int64_t>(cluster.processes())) {
        return RequestError("it reads without end", request);
      }
    } else {
      return RequestError("a write without a reason", request);
    }
  }
  return absl::OkStatus();
}

Rights SampleControllerRights() {
  return {
      {"foos", {"get", "list", "watch"}},
      {"foos/status", {"update"}},
      {"deployments", {"create", "list", "update", "watch"}},
      {"events", {"create", "patch"}},
      {"leases", {"create", "get", "update"}},
  };
}

absl::Status CheckRequests(const FooCluster& cluster, const Rights& rights) {
  for (const apiserver::LoggedRequest& request : cluster.server().Requests()) {
    if (!IsOfController(request)) continue;
    const auto of_resource = rights.find(ResourceOf(request));
    if (of_resource == rights.end() || of_resource->second.count(request.verb) == 0) {
      return RequestError("no role allows that", request);
    }
  }
  return absl::OkStatus();
}

bool IsOfController(const apiserver::LoggedRequest& request) {
  return absl::StartsWith(request.user_agent, kControllerAgent);
}

absl::Status RequestError(absl::string_view what, const apiserver::LoggedRequest& request) {
  return absl::DataLossError(absl::StrCat(what, ": ", request.user, " ", request.method, " ",
                                          request.target, " ", request.code));
}

}  // namespace kube::simulation
