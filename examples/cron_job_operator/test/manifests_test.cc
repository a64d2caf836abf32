// The manifests that the operator prints, and a cluster in which it has no other rights.
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apiserver/handler.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "controller/manifests/testing/rule_use.h"
#include "controller/testing/operator_environment.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "examples/cron_job_operator/operator.h"
#include "examples/cron_job_operator/v1.client.kube.h"
#include "examples/cron_job_operator/v1.kube.h"
#include "examples/cron_job_operator/v2.client.kube.h"
#include "examples/cron_job_operator/v2.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tutorial {
namespace {

namespace manifests = kube::manifests;
using kube::Context;
using kube::base::IsOk;
using kube::controller::OperatorEnvironment;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kCrds[] = "examples/cron_job_operator/cron_job_crds.yaml";
constexpr char kSample[] = "examples/cron_job_operator/deploy/sample.yaml";
constexpr char kAccount[] =
    "system:serviceaccount:cron-job-operator-system:cron-job-operator-controller-manager";

std::string Read(const char* path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

// Returns what --print-manifests prints; the server is not asked.
std::string Manifests() {
  kube::apiserver::ApiHandler server;
  kube::controller::ManagerOptions options = {.name = "cron-job-operator"};
  options.health.reset();
  auto manager =
      kube::controller::Manager::Make(kube::envtest::InProcessConfig(server), std::move(options));
  EXPECT_THAT(manager, IsOk());
  if (!manager.ok()) return "";
  const CronJobOperator made(**manager);
  const auto text = manifests::InstallYaml({.name = "cron-job-operator",
                                            .access = (*manager)->RequiredRules(),
                                            .webhooks = (*manager)->webhooks().registrations()},
                                           {.definitions = Read(kCrds)});
  EXPECT_THAT(text, IsOk());
  return text.ok() ? *text : "";
}

TEST(CronJobManifests, TheWebhooks_AreThere) {
  const std::string text = Manifests();
  EXPECT_THAT(text, HasSubstr("path: /mutate-batch-tutorial-example-com-v1-cronjob"));
  EXPECT_THAT(text, HasSubstr("path: /validate-batch-tutorial-example-com-v1-cronjob"));
  EXPECT_THAT(text, HasSubstr("path: /convert"));
}

void Sleep(absl::Duration duration) {
  ASSERT_THAT(kube::base::SleepFor(Context(), duration), IsOk());
}

// Has the operator use all its rights: it replaces Jobs, and tells an event twice.
void Work(const v1::CronJobClient& cron_jobs) {
  v1::CronJob cron_job;
  cron_job.metadata.name = "hello";
  cron_job.spec.schedule = "* * * * *";
  cron_job.spec.concurrency_policy = "Replace";
  kube::api::core::v1::PodSpec& pod = cron_job.spec.job_template.spec.template_.spec;
  pod.restart_policy = "Never";
  kube::api::core::v1::Container& container = pod.containers.emplace_back();
  container.name = "hello";
  container.image = "busybox:1.36";
  ASSERT_THAT(cron_jobs.Create(Context(), cron_job), IsOk());
  Sleep(absl::Minutes(3));
  const auto suspend = [&](bool suspended) {
    const auto change = [suspended](v1::CronJob& edited) {
      edited.spec.suspend = suspended;
      return absl::OkStatus();
    };
    ASSERT_THAT(cron_jobs.Edit(Context(), "hello", change), IsOk());
  };
  suspend(true);
  Sleep(absl::Hours(3));
  for (int i = 0; i < 2; ++i) {
    suspend(false);
    Sleep(absl::Minutes(1));
    suspend(true);
    Sleep(absl::Minutes(1));
  }
}

TEST(CronJobManifests, WithItsRole_TheOperatorWorksAndUsesEachRight) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status simulated = sim.Run([] {
    kube::controller::OperatorEnvironmentOptions options;
    options.crds.paths = {kCrds};
    options.account = kube::envtest::ServiceAccountOptions{.manifest = Manifests(),
                                                           .token_lifetime = absl::Hours(24)};
    options.manager.name = "cron-job-operator";
    auto test = OperatorEnvironment::Make(std::move(options));
    ASSERT_THAT(test, IsOk());
    (*test)->Add<CronJobOperator>();
    ASSERT_THAT((*test)->Start(), IsOk());
    Work(v1::CronJobClient((*test)->client(), "default"));
    std::vector<std::string> forbidden;
    const std::vector<kube::apiserver::LoggedRequest> requests = (*test)->server()->Requests();
    for (const kube::apiserver::LoggedRequest& request : requests) {
      if (request.user == kAccount && request.decision == "forbid") {
        forbidden.push_back(absl::StrCat(request.method, " ", request.target));
      }
    }
    EXPECT_THAT(forbidden, IsEmpty());
    const manifests::RuleUse use =
        manifests::CompareWithRequests((*test)->manager().RequiredRules(), requests, kAccount);
    EXPECT_THAT(use.not_declared, IsEmpty());
    EXPECT_THAT(use.not_used, IsEmpty());
    EXPECT_THAT((*test)->Stop(), IsOk());
  });
  ASSERT_THAT(simulated, IsOk());
}

TEST(CronJobManifests, TheSample_IsAccepted) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status simulated = sim.Run([] {
    kube::controller::OperatorEnvironmentOptions options;
    options.crds.paths = {kCrds};
    auto test = OperatorEnvironment::Make(std::move(options));
    ASSERT_THAT(test, IsOk());
    (*test)->Add<CronJobOperator>();
    ASSERT_THAT((*test)->Start(), IsOk());
    const auto sample = kube::codec::DecodeYaml<v2::CronJob>(Read(kSample));
    ASSERT_THAT(sample, IsOk());
    EXPECT_EQ(sample->spec.schedule.minute, "*/1");
    EXPECT_THAT(v2::CronJobClient((*test)->client(), "default").Create(Context(), *sample), IsOk());
    EXPECT_THAT((*test)->Stop(), IsOk());
  });
  ASSERT_THAT(simulated, IsOk());
}

}  // namespace
}  // namespace tutorial
