// The operator as a cluster runs it: its install.yaml in a real API server, its program as a
// process with a token of its service account. tests/real_server/run runs this test.

#include <fstream>
#include <iterator>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"
#include "controller/testing/deployed_operator.h"
#include "envtest/testing/eventually.h"
#include "envtest/workloads/workloads.h"
#include "examples/website_operator/test/users.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sites {
namespace {

using kube::Context;
using kube::base::IsOk;
using testing::IsEmpty;

constexpr char kProgram[] = "examples/website_operator/website_operator";
constexpr char kInstall[] = "examples/website_operator/website_operator_install.yaml";

TEST(WebsiteOnARealServerTest, TheProgram_HasTheRightsThatItNeedsAndNoOthers) {
  std::ifstream file(kInstall);
  ASSERT_TRUE(file.is_open());
  const std::string install((std::istreambuf_iterator<char>(file)), {});
  auto deployed = kube::controller::DeployedOperator::Start(
      kube::WithTimeout(Context(), absl::Minutes(3)), {.program = kProgram, .manifest = install});
  ASSERT_THAT(deployed, IsOk());
  const kube::rest::Config& admin = (*deployed)->admin_config();
  const auto workloads =
      kube::envtest::Workloads::Start(admin, {.pod_ready_after = absl::Seconds(1)});
  ASSERT_THAT(workloads, IsOk());
  const Users users(*kube::kubernetes::Clientset::Make(admin));
  users.Work();
  EXPECT_THAT(
      kube::envtest::EventuallyOk([&deployed] { return (*deployed)->ReadMetrics(Context()); }),
      IsOk());
  EXPECT_THAT((*deployed)->running(), IsOk());
  EXPECT_THAT((*deployed)->Stop(), IsOk());
  const auto rights = (*deployed)->Rights();
  ASSERT_THAT(rights, IsOk());
  EXPECT_THAT(rights->forbidden, IsEmpty());
  EXPECT_THAT(rights->not_used, IsEmpty());
  if (HasFailure()) ADD_FAILURE() << (*deployed)->Output();
}

}  // namespace
}  // namespace sites
