#include "controller/testing/internal/world_replica.h"

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "controller/testing/internal/operator_setup.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

// Waits in each reconcile until it is let go, whatever its context says.
class Sleeper {
 public:
  Sleeper(Manager& manager, base::Event& go) : go_(go), maps_(manager) {
    maps_.Reconciles([this](Request<corev1::ConfigMap>&) { return go_.Wait(Context()); });
  }

 private:
  base::Event& go_;
  Controller<corev1::ConfigMap> maps_;
};

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&test] { test(); });
  EXPECT_THAT(end, IsOk());
}

ReplicaOptions OptionsFor(apiserver::ApiHandler& server, base::Event& go) {
  return {.config = envtest::InProcessConfig(server),
          .manager = TestedManagerOptions({}),
          .operators = {[&go](Manager& manager) -> std::shared_ptr<void> {
            return std::make_shared<Sleeper>(manager, go);
          }}};
}

void CreateMap(apiserver::ApiHandler& server) {
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  EXPECT_THAT(
      corev1::ConfigMapClient(client, "default").Create(Context(), {.metadata = {.name = "m"}}),
      IsOk());
}

void Sleep(absl::Duration time) { base::SleepFor(Context(), time).IgnoreError(); }

TEST(WorldReplicaTest, Restart_StartsANewProgram_WhoseRequestsHaveItsName) {
  Simulate([] {
    apiserver::ApiHandler server;
    base::Event go;
    go.Set();
    WorldReplica replica("replica-0", OptionsFor(server, go));
    EXPECT_THAT(replica.Start(), IsOk());
    Sleep(absl::Seconds(1));
    EXPECT_EQ(replica.program(), "replica-0#0");
    ASSERT_TRUE(replica.status().has_value());
    replica.Restart();
    Sleep(absl::Seconds(30));
    EXPECT_EQ(replica.program(), "replica-0#1");
    EXPECT_THAT(replica.last_end(), IsOk());
    EXPECT_THAT(server.Requests(),
                Contains(Field(&apiserver::LoggedRequest::user_agent, HasSubstr("replica-0#1"))));
    replica.RequestStop();
    EXPECT_TRUE(replica.AwaitEnd(absl::Minutes(1)));
    EXPECT_FALSE(replica.status().has_value());
  });
}

TEST(WorldReplicaTest, AReconcileThatDoesNotEnd_KeepsTheProgramFromEnding) {
  Simulate([] {
    apiserver::ApiHandler server;
    base::Event go;
    WorldReplica replica("replica-0", OptionsFor(server, go));
    EXPECT_THAT(replica.Start(), IsOk());
    CreateMap(server);
    Sleep(absl::Seconds(10));
    replica.RequestStop();
    EXPECT_FALSE(replica.AwaitEnd(absl::Minutes(10)));
    EXPECT_THAT(replica.StuckFor(absl::Minutes(5)),
                StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("replica-0#0")));
    EXPECT_THAT(replica.StuckFor(absl::Hours(1)), IsOk());
    go.Set();
    EXPECT_TRUE(replica.AwaitEnd(absl::Minutes(1)));
    EXPECT_THAT(replica.StuckFor(absl::ZeroDuration()), IsOk());
  });
}

}  // namespace
}  // namespace kube::controller::internal
