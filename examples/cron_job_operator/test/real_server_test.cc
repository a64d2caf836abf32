// The operator as a cluster runs it: its install.yaml in a real API server, its program as a
// process with a token of its service account, which makes its own certificate and tells the server
// of it. tests/real_server/run runs this test, which takes two or three minutes: no schedule has
// two runs within one.

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/batch/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/testing/deployed_operator.h"
#include "envtest/testing/eventually.h"
#include "envtest/workloads/workloads.h"
#include "examples/cron_job_operator/v1.client.kube.h"
#include "examples/cron_job_operator/v1.kube.h"
#include "examples/cron_job_operator/v2.client.kube.h"
#include "examples/cron_job_operator/v2.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tutorial {
namespace {

using kube::Context;
using kube::base::IsOk;
using kube::envtest::EventuallyOk;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;

constexpr char kProgram[] = "examples/cron_job_operator/cron_job_operator";
constexpr char kInstall[] = "examples/cron_job_operator/cron_job_operator_install.yaml";

kube::envtest::EventuallyOptions Soon() { return {.timeout = absl::Minutes(5)}; }

v1::CronJob Hello() {
  v1::CronJob cron_job;
  cron_job.metadata.name = "hello";
  cron_job.spec.schedule = "* * * * *";
  cron_job.spec.concurrency_policy = "Replace";
  kube::api::core::v1::PodSpec& pod = cron_job.spec.job_template.spec.template_.spec;
  pod.restart_policy = "Never";
  kube::api::core::v1::Container& container = pod.containers.emplace_back();
  container.name = "hello";
  container.image = "busybox:1.36";
  return cron_job;
}

// Asks all three webhooks. The first requests come before the program answers, or before the server
// trusts it.
void UseWebhooks(const kube::rest::Client& client) {
  const v1::CronJobClient cron_jobs(client, "default");
  ASSERT_THAT(EventuallyOk([&] { return cron_jobs.Create(Context(), Hello()).status(); }, Soon()),
              IsOk());
  const auto created = cron_jobs.Get(Context(), "hello");
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->spec.successful_jobs_history_limit, 3);
  v1::CronJob refused = Hello();
  refused.metadata.name = "refused";
  refused.spec.schedule = "at noon";
  EXPECT_THAT(cron_jobs.Create(Context(), refused).status().message(), HasSubstr("spec.schedule"));

  const v2::CronJobClient converted(client, "default");
  const auto read = [&]() -> absl::Status {
    const auto hello = converted.Get(Context(), "hello");
    if (!hello.ok()) return hello.status();
    EXPECT_EQ(hello->spec.concurrency_policy, "Replace");
    return absl::OkStatus();
  };
  EXPECT_THAT(EventuallyOk(read, Soon()), IsOk());
}

// Waits until a Job has replaced another one.
absl::Status AwaitReplacement(const kube::rest::Client& client) {
  const kube::api::batch::v1::JobClient jobs(client, "default");
  std::set<std::string> seen;
  const auto check = [&]() -> absl::Status {
    const auto list = jobs.List(Context());
    if (!list.ok()) return list.status();
    for (const kube::api::batch::v1::Job& job : list->items) {
      seen.emplace(job.metadata.name.view());
    }
    if (seen.size() >= 2 && list->items.size() == 1) return absl::OkStatus();
    return absl::NotFoundError(
        absl::StrCat("seen ", seen.size(), " jobs, of which ", list->items.size(), " are there"));
  };
  return EventuallyOk(check, Soon());
}

TEST(CronJobOnARealServerTest, TheProgram_HasTheRightsThatItNeedsAndNoOthers) {
  std::ifstream file(kInstall);
  ASSERT_TRUE(file.is_open());
  const std::string install((std::istreambuf_iterator<char>(file)), {});
  auto deployed = kube::controller::DeployedOperator::Start(
      kube::WithTimeout(Context(), absl::Minutes(3)), {.program = kProgram, .manifest = install});
  ASSERT_THAT(deployed, IsOk());
  // Jobs do not end, so they are replaced.
  const auto workloads = kube::envtest::Workloads::Start(
      (*deployed)->admin_config(), {.pod_ends_after = absl::InfiniteDuration()});
  ASSERT_THAT(workloads, IsOk());
  UseWebhooks((*deployed)->client());
  EXPECT_THAT(AwaitReplacement((*deployed)->client()), IsOk());
  EXPECT_THAT(EventuallyOk([&deployed] { return (*deployed)->ReadMetrics(Context()); }), IsOk());
  EXPECT_THAT((*deployed)->running(), IsOk());
  EXPECT_THAT((*deployed)->Stop(), IsOk());
  const auto rights = (*deployed)->Rights();
  ASSERT_THAT(rights, IsOk());
  EXPECT_THAT(rights->forbidden, IsEmpty());
  // An event is told again only after a hundred missed runs: manifests_test has the hours for it.
  EXPECT_THAT(rights->not_used, IsSubsetOf({"patch events"}));
  if (HasFailure()) ADD_FAILURE() << (*deployed)->Output();
}

}  // namespace
}  // namespace tutorial
