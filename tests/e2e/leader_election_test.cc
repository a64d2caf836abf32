// Two replicas of the controller with --leader-elect, as in its Deployment: one of them works at a
// time, whichever is killed.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/replica.h"
#include "tests/e2e/seen_deployments.h"

namespace kube::e2e {
namespace {

using base::IsOk;

// What they log.
constexpr char kIsCandidate[] = "attempting to acquire leader lease";
constexpr char kLeads[] = "started leading";
constexpr char kWorks[] = "starting workers";
constexpr char kWorked[] = "\"synced\"";

// A third of the defaults, so that nobody waits for long; enough for a busy machine.
std::vector<std::string> Flags() {
  return {"--leader-elect", "--leader-elect-lease-duration=5s", "--leader-elect-renew-deadline=4s",
          "--leader-elect-retry-period=500ms"};
}

class LeaderElectionTest : public E2eTest {
 protected:
  void Start(Replica& replica) {
    ASSERT_THAT(replica.Start(), IsOk());
    ASSERT_THAT(Await(absl::StrCat(replica.name(), " to be a candidate"),
                      [&] {
                        return replica.Says(kIsCandidate)
                                   ? absl::OkStatus()
                                   : absl::UnavailableError("it does not say so");
                      }),
                IsOk());
  }

  // Returns the running replica that has logged that it leads, or null after an error. A leader
  // stays the leader as long as it runs.
  Replica* AwaitLeader() {
    Replica* leader = nullptr;
    const absl::Status led = Await("a leader", [&] {
      leader = nullptr;
      for (const auto& replica : replicas()) {
        if (!replica->running() || !replica->Says(kLeads)) continue;
        if (leader != nullptr) return absl::InternalError("two lead");
        leader = replica.get();
      }
      return leader != nullptr ? absl::OkStatus() : absl::UnavailableError("nobody leads");
    });
    EXPECT_THAT(led, IsOk());
    return led.ok() ? leader : nullptr;
  }

  // By their logs since their starts, and by the lease.
  void ExpectThatOnlyItWorks(const Replica& leader, int leaders_before) {
    const auto lease =
        cluster().client().CoordinationV1().Leases(kController).Get(Soon(), kController);
    ASSERT_THAT(lease, IsOk());
    const std::string holder(lease->spec.holder_identity.value_or(""));
    EXPECT_FALSE(holder.empty());
    EXPECT_EQ(lease->spec.lease_transitions.value_or(0), leaders_before);
    for (const auto& replica : replicas()) {
      if (!replica->running()) continue;
      SCOPED_TRACE(replica->name());
      const bool leads = replica.get() == &leader;
      EXPECT_THAT(replica->ended(), IsOk());
      EXPECT_EQ(replica->Says(kLeads), leads);
      EXPECT_EQ(replica->Says(kWorks), leads);
      EXPECT_EQ(replica->Says(kWorked), leads);
      EXPECT_EQ(replica->Says(absl::StrCat("identity=\"", holder, "\"")), leads);
    }
  }
};

TEST_F(LeaderElectionTest, OneWorksAtATimeWhoeverIsKilled) {
  SeenDeployments seen(cluster().client(), kFoos);
  ASSERT_THAT(seen.Start(), IsOk());
  Replica& one = AddReplica(Flags());
  Replica& two = AddReplica(Flags());
  ASSERT_NO_FATAL_FAILURE(Start(one));
  ASSERT_NO_FATAL_FAILURE(Start(two));
  ASSERT_THAT(MakeFoos(0, 10), IsOk());
  Replica* const first = AwaitLeader();
  ASSERT_NE(first, nullptr);
  ASSERT_THAT(Await("the first Foos", [&] { return HaveConverged(10); }), IsOk());
  ExpectThatOnlyItWorks(*first, 0);

  // It is killed at its work; the other one takes over.
  ASSERT_THAT(MakeFoos(10, 20), IsOk());
  first->Kill();
  Replica* const second = AwaitLeader();
  ASSERT_NE(second, nullptr);
  EXPECT_NE(second, first);
  ASSERT_NO_FATAL_FAILURE(Start(*first));
  ASSERT_THAT(MakeFoos(20, 25), IsOk());
  ASSERT_THAT(Await("the Foos of the second leader", [&] { return HaveConverged(25); }), IsOk());
  ExpectThatOnlyItWorks(*second, 1);

  // All are.
  ASSERT_THAT(MakeFoos(25, 30), IsOk());
  one.Kill();
  two.Kill();
  ASSERT_NO_FATAL_FAILURE(Start(one));
  ASSERT_NO_FATAL_FAILURE(Start(two));
  Replica* const third = AwaitLeader();
  ASSERT_NE(third, nullptr);
  ASSERT_THAT(Await("the last Foos", [&] { return HaveConverged(30); }), IsOk());
  ExpectThatOnlyItWorks(*third, 2);
  EXPECT_EQ(seen.Uids().size(), 30u);
}

}  // namespace
}  // namespace kube::e2e
