// The snippets about managers of docs/controllers.md and docs/production.md, and the examples of
// controller/manager, in functions that the tests call.

#include "controller/manager/manager.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/run_operator.h"
#include "controller/manager/runnable.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

using kube::Context;
using kube::controller::ManagerOptions;

namespace {

absl::Status CleanUpEachHour(const Context& ctx) {
  while (true) KUBE_RETURN_IF_ERROR(kube::base::SleepFor(ctx, absl::Hours(1)));
}

// Stands for a class with controllers.
class WebsiteOperator {
 public:
  explicit WebsiteOperator(kube::controller::Manager& manager)
      : added_(manager.Add("websites", CleanUpEachHour)) {
    EXPECT_THAT(added_, kube::base::IsOk());
  }

 private:
  const absl::Status added_;
};

absl::Status RunWebsites(const Context& ctx, const kube::rest::Config& config) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<kube::controller::Manager> manager,
                        kube::controller::Manager::Make(config, {.name = "website-operator"}));
  KUBE_RETURN_IF_ERROR(manager->Add("janitor", CleanUpEachHour));
  const WebsiteOperator websites(*manager);  // its controllers register themselves
  return manager->Run(ctx);
}

ManagerOptions Replicated() {
  ManagerOptions options = {.name = "website-operator"};
  options.leader_election = kube::controller::LeaseOptions{.lease = {.namespace_name = "websites"}};
  options.cache.namespaces = {"websites"};
  options.controllers.workers = 4;
  options.drain_timeout = absl::Seconds(15);  // the sum is below the pod's grace period
  options.stop_timeout = absl::Seconds(10);
  return options;
}

absl::Status AddPhases(kube::controller::Manager& manager) {
  using kube::controller::Phase;
  KUBE_RETURN_IF_ERROR(manager.Add("converts", CleanUpEachHour, {.phase = Phase::kBeforeCaches}));
  KUBE_RETURN_IF_ERROR(manager.Add("serves", CleanUpEachHour, {.phase = Phase::kAlways}));
  manager.BeforeWork([](const Context& ctx) { return ctx.status(); });  // migrates, say
  return manager.Add("janitor", CleanUpEachHour);                       // only as leader
}

int Program(int argc, char** argv) {
  return kube::controller::RunOperator<WebsiteOperator>(argc, argv, {.name = "website-operator"});
}

TEST(ManagerGuide, RunWebsites_ItsContextIsDone_IsOk) {
  const kube::log::LogCapture quiet;
  kube::apiserver::ApiHandler server;
  kube::CancelScope scope = kube::WithCancel(Context());
  scope.Cancel();  // so that no port is taken
  EXPECT_THAT(RunWebsites(scope.context(), kube::envtest::InProcessConfig(server)),
              kube::base::IsOk());
}

TEST(ManagerGuide, OptionsAndPhasesAreValid) {
  kube::apiserver::ApiHandler server;
  const auto manager =
      kube::controller::Manager::Make(kube::envtest::InProcessConfig(server), Replicated());
  ASSERT_THAT(manager, kube::base::IsOk());
  EXPECT_THAT(AddPhases(**manager), kube::base::IsOk());
}

TEST(ManagerGuide, Program_ABadFlag_EndsWithOne) {
  const kube::log::LogCapture quiet;
  std::string name = "website-operator";
  std::string flag = "--metrics-bind-address=everywhere";
  char* argv[] = {name.data(), flag.data(), nullptr};
  EXPECT_EQ(Program(2, argv), 1);
}

}  // namespace
