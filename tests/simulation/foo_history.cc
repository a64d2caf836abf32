#include "tests/simulation/foo_history.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/watch/event.h"
#include "examples/sample_controller/foo.kube.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

namespace appsv1 = api::apps::v1;
namespace metav1 = api::meta::v1;
using samplecontroller::v1alpha1::Foo;
using watch::EventType;

namespace {

// Reads events until no more arrive.
template <typename Client, typename OnEvent>
absl::Status ReadAll(const Client& client, const std::string& start, OnEvent on_event) {
  KUBE_ASSIGN_OR_RETURN(const auto watcher, client.Watch(Context(), {.resource_version = start}));
  while (true) {
    const auto event = watcher->Next(WithTimeout(Context(), absl::Seconds(1)));
    if (absl::IsDeadlineExceeded(event.status())) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(event.status());
    if (!event->has_value() || (*event)->object == nullptr) {
      return absl::DataLossError("the history ends too early");
    }
    Happened happened = {.type = (*event)->type};
    if (!absl::SimpleAtoi((*event)->object->metadata.resource_version.view(), &happened.version)) {
      return absl::DataLossError("a version is no number");
    }
    on_event(std::move(happened), (*event)->object);
  }
}

class HistoryCheck {
 public:
  absl::Status Apply(EventType type, const Foo& foo) {
    FooPast& past = foos_[std::string(foo.metadata.uid.view())];
    past.key = meta::MetaNamespaceKey(foo);
    past.asked_for.insert(std::string(foo.spec.deployment_name.view()));
    past.gone = type == EventType::kDeleted;
    if (type == EventType::kAdded) ++counts_.foos;
    return absl::OkStatus();
  }

  absl::Status Apply(EventType type, const std::shared_ptr<const appsv1::Deployment>& deployment) {
    auto& before = deployments_[meta::MetaNamespaceKey(*deployment)];
    absl::Status status;
    if (type == EventType::kAdded) {
      status = before == nullptr ? Made(*deployment) : absl::DataLossError("it is there twice");
    } else if (before == nullptr || before->metadata.uid != deployment->metadata.uid) {
      status = absl::DataLossError("it was not there");
    } else {
      status = Changed(*before, *deployment);
    }
    before = type == EventType::kDeleted ? nullptr : deployment;
    return base::Annotate(status,
                          absl::StrCat("deployment ", meta::MetaNamespaceKey(*deployment), " at ",
                                       deployment->metadata.resource_version.view()));
  }

  const HistoryCounts& counts() const { return counts_; }

 private:
  struct FooPast {
    std::string key = {};
    std::set<std::string> asked_for = {};
    bool gone = false;
    int64_t orphans = 0;
  };

  absl::Status Made(const appsv1::Deployment& deployment) {
    const metav1::ObjectMeta& metadata = deployment.metadata;
    if (!uids_.insert(std::string(metadata.uid.view())).second) {
      return absl::DataLossError("its UID came before");
    }
    const metav1::OwnerReference* const owner = meta::GetControllerOf(metadata);
    if (owner == nullptr) {
      ++counts_.foreign;
      return absl::OkStatus();
    }
    ++counts_.deployments;
    const auto found = foos_.find(std::string(owner->uid.view()));
    if (found == foos_.end()) return absl::DataLossError("there was no such Foo");
    FooPast& foo = found->second;
    if (foo.key != absl::StrCat(metadata.namespace_.view(), "/", owner->name.view())) {
      return absl::DataLossError(absl::StrCat("its owner is ", foo.key));
    }
    if (foo.asked_for.count(std::string(metadata.name.view())) == 0) {
      return absl::DataLossError(absl::StrCat(foo.key, " has not asked for that name"));
    }
    if (!foo.gone) return absl::OkStatus();
    ++counts_.orphans;
    if (++foo.orphans <= kMaxOrphans) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat("number ", foo.orphans, " after the end of ", foo.key));
  }

  static absl::Status Changed(const appsv1::Deployment& before, const appsv1::Deployment& now) {
    if (now.metadata.owner_references != before.metadata.owner_references) {
      return absl::DataLossError("it has other owners");
    }
    if (meta::GetControllerOf(now.metadata) == nullptr) {
      if (now.spec == before.spec && now.metadata.labels == before.metadata.labels) {
        return absl::OkStatus();
      }
      return absl::DataLossError("it is foreign, and was changed");
    }
    appsv1::DeploymentSpec expected = before.spec;
    expected.replicas = now.spec.replicas;
    if (now.spec == expected) return absl::OkStatus();
    return absl::DataLossError("more was changed than its size");
  }

  std::map<std::string, FooPast> foos_;  // by UID
  // The existing Deployments by namespace and name, so no two have the same owner and name.
  std::map<std::string, std::shared_ptr<const appsv1::Deployment>> deployments_;
  std::set<std::string> uids_;
  HistoryCounts counts_;
};

}  // namespace

absl::StatusOr<std::vector<Happened>> ReadHistory(const FooCluster& cluster) {
  std::vector<Happened> history;
  KUBE_RETURN_IF_ERROR(ReadAll(cluster.foos(), cluster.start(), [&](Happened happened, auto foo) {
    happened.foo = std::move(foo);
    history.push_back(std::move(happened));
  }));
  KUBE_RETURN_IF_ERROR(
      ReadAll(cluster.deployments(), cluster.start(), [&](Happened happened, auto deployment) {
        happened.deployment = std::move(deployment);
        history.push_back(std::move(happened));
      }));
  std::sort(history.begin(), history.end(),
            [](const Happened& a, const Happened& b) { return a.version < b.version; });
  return history;
}

absl::StatusOr<HistoryCounts> CheckHistory(const std::vector<Happened>& history) {
  HistoryCheck check;
  for (const Happened& each : history) {
    KUBE_RETURN_IF_ERROR(each.foo != nullptr ? check.Apply(each.type, *each.foo)
                                             : check.Apply(each.type, each.deployment));
  }
  return check.counts();
}

}  // namespace kube::simulation
