// An operator, by nothing but //controller:operator and the client of its group: a controller with
// children, a second kind that it finds by an index, a writer, a finalizer, and a manager.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/index.h"
#include "controller/cache/watched.h"
#include "controller/events/event_types.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/run_operator.h"
#include "controller/manager/runnable.h"
#include "controller/metrics/metrics_server.h"
#include "controller/predicates/predicates.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/writer.h"
#include "controller/triggers/enqueue_by_index.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using corev1::ConfigMap;
using corev1::Secret;

absl::StatusOr<std::vector<std::string>> AccountOf(const ConfigMap& map) {
  return std::vector<std::string>{std::string(map.metadata.name.view())};
}

// Keeps a Secret for each config map.
class Operator {
 public:
  explicit Operator(Manager& manager)
      : maps_(manager,
              {.name = "maps", .workers = 2, .predicate = SpecOrMetadataChanged<ConfigMap>()}),
        secrets_(maps_.Owns<Secret>()),
        by_account_(maps_.primary().AddIndex("account", &AccountOf)),
        accounts_(maps_.Watches<corev1::ServiceAccount>(
            EnqueueByIndex<corev1::ServiceAccount>(by_account_))),
        pods_(maps_.Writes<corev1::Pod>()) {
    maps_.Finalizes("example.com/pods",
                    [this](Request<ConfigMap>& request) { return pods_.DeleteAll(request, {}); });
    maps_.Reconciles([this](Request<ConfigMap>& request) { return Reconcile(request); });
  }

  std::string name() const { return maps_.status().name; }

 private:
  absl::StatusOr<Result> Reconcile(Request<ConfigMap>& request) const {
    if (!accounts_.Get(request, request.name()).ok()) return Result();
    const auto change = [](Secret& secret) {
      secret.type = "example.com/token";
      return absl::OkStatus();
    };
    KUBE_ASSIGN_OR_RETURN(const Outcome outcome,
                          secrets_.Ensure(request, request.name().name, change));
    request.Event(events::kEventTypeNormal, "Kept", OutcomeName(outcome));
    return Result{.requeue_after = absl::Minutes(10)};
  }

  Controller<ConfigMap> maps_;
  const Owned<Secret> secrets_;
  const Index<ConfigMap> by_account_;
  const Watched<corev1::ServiceAccount> accounts_;
  const Writer<corev1::Pod> pods_;
};

TEST(OperatorBundle, HasWhatAnOperatorNeeds) {
  ManagerOptions options = {.name = "operator"};
  options.leader_election = LeaseOptions{.lease = {.namespace_name = "default"}};
  options.metrics = kube::metrics::MetricsOptions{};
  const absl::StatusOr<std::unique_ptr<Manager>> manager =
      Manager::Make({.host = "http://127.0.0.1:1"}, std::move(options));
  ASSERT_THAT(manager, IsOk());
  const Operator made(**manager);
  EXPECT_EQ(made.name(), "maps");
  EXPECT_THAT((*manager)->Add("serves", [](const Context& ctx) { return ctx.status(); },
                              {.phase = Phase::kAlways}),
              IsOk());
}

TEST(OperatorBundle, HasWhatMainNeeds) {
  int (*const main_of_operator)(int, char**) = [](int argc, char** argv) {
    return RunOperator<Operator>(argc, argv, {.name = "operator"});
  };
  EXPECT_NE(main_of_operator, nullptr);
}

}  // namespace
}  // namespace kube::controller
