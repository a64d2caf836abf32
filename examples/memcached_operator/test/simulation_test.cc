// The operator while its requests fail, their answers are lost, and its watches break: whatever the
// order, everything agrees in the end, and then the operator is quiet.
#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "envtest/testing/eventually.h"
#include "examples/memcached_operator/memcached.kube.h"
#include "examples/memcached_operator/test/cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cache {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace fault = kube::apiserver::fault;
using kube::Context;
using kube::base::IsOk;
using kube::base::SleepFor;
using kube::envtest::EventuallyGet;
using kube::envtest::EventuallyGone;
using testing::Truly;
using v1alpha1::Memcached;

// Lets a part of the operator's requests fail; not those about its lease, without which it ends.
void AddTrouble(kube::apiserver::Faults faults) {
  const uint64_t seed = kube::base::Runtime::Current().Random();
  for (const char* group : {"apps", "cache.example.com"}) {
    faults.Add({.verbs = {"get", "patch"},
                .group = group,
                .user = kAccount,
                .probability = 0.2,
                .seed = seed,
                .fault = fault::Error{.status = kube::errors::ServiceUnavailable("busy")}});
    faults.Add({.verbs = {"patch"},
                .group = group,
                .user = kAccount,
                .probability = 0.2,
                .seed = seed,
                .fault = fault::Drop{.after_commit = true}});
    faults.Add({.verbs = {"watch"},
                .group = group,
                .user = kAccount,
                .probability = 0.1,
                .seed = seed,
                .fault = fault::BreakWatch{}});
  }
}

// Returns how many writes of its own resources the operator has sent.
int64_t Writes(Cluster& cluster) {
  const auto requests = cluster.server().Requests();
  return std::count_if(
      requests.begin(), requests.end(), [](const kube::apiserver::LoggedRequest& request) {
        return request.user == kAccount && request.verb == "patch" && request.resource != "events";
      });
}

absl::Status Await(Cluster& cluster, absl::string_view name, int32_t size) {
  const auto is_deployed = Truly([size](const Memcached& memcached) {
    return IsDeployed(memcached) && memcached.spec.size == size;
  });
  const auto has_replicas = Truly([size](const appsv1::Deployment& deployment) {
    return deployment.spec.replicas == size && deployment.status.available_replicas == size;
  });
  // A key that has failed often is tried again after a quarter of an hour.
  const kube::envtest::EventuallyOptions late = {.timeout = absl::Minutes(20)};
  KUBE_RETURN_IF_ERROR(EventuallyGet(cluster.deployments(), name, has_replicas, late));
  return EventuallyGet(cluster.memcacheds(), name, is_deployed, late).status();
}

absl::Status Live(Cluster& cluster) {
  KUBE_RETURN_IF_ERROR(cluster.Create("a", 1));
  KUBE_RETURN_IF_ERROR(cluster.Create("b", 2));
  const auto exists = Truly([](const appsv1::Deployment&) { return true; });
  KUBE_RETURN_IF_ERROR(EventuallyGet(cluster.deployments(), "a", exists, Soon()));
  KUBE_RETURN_IF_ERROR(cluster.Resize("a", 3));
  KUBE_RETURN_IF_ERROR(cluster.memcacheds().Delete(Context(), "b"));
  KUBE_RETURN_IF_ERROR(cluster.ResizeDeployment("a", 7));
  KUBE_RETURN_IF_ERROR(cluster.Create("c", 2));
  KUBE_RETURN_IF_ERROR(SleepFor(Context(), absl::Seconds(20)));
  cluster.server().faults().Clear();

  KUBE_RETURN_IF_ERROR(Await(cluster, "a", 3));
  KUBE_RETURN_IF_ERROR(Await(cluster, "c", 2));
  const kube::envtest::EventuallyOptions late = {.timeout = absl::Minutes(20)};
  KUBE_RETURN_IF_ERROR(EventuallyGone(cluster.memcacheds(), "b", late));
  KUBE_RETURN_IF_ERROR(EventuallyGone(cluster.deployments(), "b", late));

  KUBE_RETURN_IF_ERROR(SleepFor(Context(), absl::Minutes(1)));
  const int64_t before = Writes(cluster);
  KUBE_RETURN_IF_ERROR(SleepFor(Context(), absl::Minutes(2)));
  const int64_t more = Writes(cluster) - before;
  if (more == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(more, " writes although all is done"));
}

absl::Status LiveWithTrouble(kube::base::SimRuntime& sim) {
  absl::Status result;
  const absl::Status end = sim.Run([&result] {
    Cluster cluster;
    result = cluster.Start();
    if (!result.ok()) return;
    AddTrouble(cluster.server().faults());
    result = Live(cluster);
    result.Update(cluster.Stop());
  });
  return end.ok() ? result : end;
}

TEST(MemcachedOperatorSimulation, RequestsFailAndWatchesBreak_EverythingAgreesInTheEnd) {
  const kube::log::LogCapture quiet;
  EXPECT_THAT(kube::base::SearchSeeds(LiveWithTrouble, {.seeds = kube::base::SimulationSeeds(10)}),
              IsOk());
}

}  // namespace
}  // namespace cache
