#include "controller/leaderelection/flags.h"

#include <string>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

ABSL_DECLARE_FLAG(bool, leader_elect);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_lease_duration);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_renew_deadline);
ABSL_DECLARE_FLAG(absl::Duration, leader_elect_retry_period);
ABSL_DECLARE_FLAG(std::string, leader_elect_resource_name);
ABSL_DECLARE_FLAG(std::string, leader_elect_resource_namespace);

namespace kube::leaderelection {
namespace {

namespace coordinationv1 = api::coordination::v1;
using base::IsOk;
using base::StatusIs;

class FlagsTest : public testing::Test {
 protected:
  // What RunAsLeaderIfAsked returns, and in `leases_` which there are while it works.
  absl::Status Run() {
    const log::LogCapture quiet;
    base::SimRuntime sim;
    absl::Status status;
    EXPECT_THAT(sim.Run([&] {
      apiserver::ApiHandler server({.cluster_objects = false});
      const auto config = envtest::InProcessConfig(server);
      const auto client = kubernetes::Clientset::Make(config);
      status = RunAsLeaderIfAsked(WithTimeout(Context(), absl::Minutes(1)), config,
                                  {.namespace_name = "default", .name = "lock", .identity = "me"},
                                  [&](const Context&) {
                                    leases_ = *client->CoordinationV1().Leases("").List(Context());
                                    return absl::DataLossError("the work's own");
                                  });
    }),
                IsOk());
    return status;
  }

  const absl::FlagSaver saver_;
  coordinationv1::LeaseList leases_;
};

TEST_F(FlagsTest, Run_WithoutLeaderElect_WorksWithoutALease) {
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kDataLoss, "the work's own"));
  EXPECT_TRUE(leases_.items.empty());
}

TEST_F(FlagsTest, Run_LeaderElectAlone_UsesTheLeaseOfTheProgram) {
  absl::SetFlag(&FLAGS_leader_elect, true);
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kDataLoss, "the work's own"));
  ASSERT_EQ(leases_.items.size(), 1u);
  EXPECT_EQ(leases_.items[0].metadata.namespace_, "default");
  EXPECT_EQ(leases_.items[0].metadata.name, "lock");
  EXPECT_EQ(leases_.items[0].spec.holder_identity, "me");
  EXPECT_EQ(leases_.items[0].spec.lease_duration_seconds, 15);
}

TEST_F(FlagsTest, Run_FlagsOfLeaseAndTimes_OverrideThoseOfTheProgram) {
  absl::SetFlag(&FLAGS_leader_elect, true);
  absl::SetFlag(&FLAGS_leader_elect_lease_duration, absl::Seconds(60));
  absl::SetFlag(&FLAGS_leader_elect_renew_deadline, absl::Seconds(40));
  absl::SetFlag(&FLAGS_leader_elect_resource_name, "another");
  absl::SetFlag(&FLAGS_leader_elect_resource_namespace, "kube-system");
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kDataLoss));
  ASSERT_EQ(leases_.items.size(), 1u);
  EXPECT_EQ(leases_.items[0].metadata.namespace_, "kube-system");
  EXPECT_EQ(leases_.items[0].metadata.name, "another");
  EXPECT_EQ(leases_.items[0].spec.lease_duration_seconds, 60);
}

TEST_F(FlagsTest, Run_InvalidFlags_IsInvalidArgument) {
  absl::SetFlag(&FLAGS_leader_elect, true);
  absl::SetFlag(&FLAGS_leader_elect_retry_period, absl::Seconds(30));
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(leases_.items.empty());
}

}  // namespace
}  // namespace kube::leaderelection
