#include "controller/manager/testing/manager_world.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/runnable.h"
#include "controller/manager/testing/fake_controller.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace kube::controller {

using base::IsOk;

ManagerWorld::ManagerWorld(ManagerOptions options) {
  options.name = "operator";
  options.health.reset();
  absl::StatusOr<std::unique_ptr<Manager>> made =
      Manager::Make(envtest::InProcessConfig(server), std::move(options));
  EXPECT_THAT(made, IsOk());
  manager = *std::move(made);
}

void ManagerWorld::AddRunnable(const std::string& name, Phase phase) {
  const auto noted = [this, name](const Context& ctx) {
    journal.Add(absl::StrCat(name, " begins"));
    const absl::Status done = base::WaitUntilDone(ctx);
    journal.Add(absl::StrCat(name, " ends"));
    return done;
  };
  EXPECT_THAT(manager->Add(name, noted, {.phase = phase}), IsOk());
}

FakeController& ManagerWorld::AddController(FakeControllerOptions options) {
  controllers.push_back(std::make_unique<FakeController>(journal, std::move(options)));
  EXPECT_THAT(manager->Register(*controllers.back()), IsOk());
  return *controllers.back();
}

std::string ManagerWorld::Holder() {
  const auto client = kubernetes::Clientset::Make(envtest::InProcessConfig(server));
  const auto lease = client->CoordinationV1().Leases("default").Get(Context(), "operator");
  return lease.ok() ? std::string(lease->spec.holder_identity->view()) : "no lease";
}

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&test] { test(); });
  EXPECT_THAT(end, IsOk());
}

ManagerOptions WithElection() {
  return {.leader_election =
              LeaseOptions{.lease = {.namespace_name = "default", .identity = "me"}}};
}

}  // namespace kube::controller
