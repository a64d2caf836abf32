// 200 Foos get what they want, and never two Deployments, while the controller is killed again and
// again at random points of its work, and the API server twice.
//
// The seed is printed, and E2E_SEED=N takes another one. It decides when and what is killed; what
// was done by then differs from run to run.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/replica.h"
#include "tests/e2e/seen_deployments.h"

namespace kube::e2e {
namespace {

using base::IsOk;

constexpr int kFooCount = 200;
constexpr int kKills = 20;
constexpr int kOutages = 2;

uint64_t Seed() {
  uint64_t seed = 0;
  const char* const given = std::getenv("E2E_SEED");
  if (given != nullptr && absl::SimpleAtoi(given, &seed)) return seed;
  return static_cast<uint64_t>(base::UniformInt(0, 1'000'000'000));
}

class ConvergenceTest : public E2eTest {
 protected:
  // Sleeps for a random time of up to `most`.
  void Pause(absl::Duration most) {
    const auto microseconds = static_cast<size_t>(absl::ToInt64Microseconds(most));
    const auto pause = absl::Microseconds(dice_.Below(microseconds));
    base::SleepFor({}, pause).IgnoreError();
  }

  // At once, or while it does something.
  absl::Status KillAndRestart(Replica& controller) {
    Pause(absl::Milliseconds(400));
    KUBE_RETURN_IF_ERROR(MayHaveEnded(controller), "before it was killed");
    controller.Kill();
    server_was_away_ = false;
    return controller.Start();
  }

  // The controller is there while the server goes, and while it comes.
  absl::Status RestartServer(Replica& controller) {
    cluster().StopApiServer();
    KUBE_RETURN_IF_ERROR(KillAndRestart(controller));
    server_was_away_ = true;
    Pause(absl::Milliseconds(400));
    return cluster().StartApiServer();
  }

  // A kube-apiserver that begins refuses everybody, until it has read the roles. A controller that
  // begins at that moment believes it, and ends; a kubelet starts it again. Otherwise it does not
  // end by itself.
  absl::Status MayHaveEnded(const Replica& controller) const {
    const bool refused = server_was_away_ && controller.Says("\"controller ended\"") &&
                         controller.Says("is forbidden");
    return refused ? absl::OkStatus() : controller.ended();
  }

  const uint64_t seed_ = Seed();
  oracle::Dice dice_{seed_};
  bool server_was_away_ = false;  // when the controller began its present life
};

TEST_F(ConvergenceTest, EachFooGetsItsDeploymentWhoeverIsKilled) {
  std::cout << "E2E_SEED=" << seed_ << "\n";
  SCOPED_TRACE(absl::StrCat("E2E_SEED=", seed_));
  SeenDeployments seen(cluster().client(), kFoos);
  ASSERT_THAT(seen.Start(), IsOk());
  Replica& controller = AddReplica();
  ASSERT_THAT(controller.Start(), IsOk());

  std::set<size_t> outages;
  while (outages.size() < kOutages) outages.insert(dice_.Below(kKills));
  for (int kill = 0; kill < kKills; ++kill) {
    SCOPED_TRACE(absl::StrCat("kill ", kill));
    ASSERT_THAT(MakeFoos(kFooCount * kill / kKills, kFooCount * (kill + 1) / kKills), IsOk());
    if (outages.count(static_cast<size_t>(kill)) != 0) {
      ASSERT_THAT(RestartServer(controller), IsOk());
    }
    ASSERT_THAT(KillAndRestart(controller), IsOk());
  }
  ASSERT_THAT(Await("all Foos", [&] { return HaveConverged(kFooCount); }), IsOk());

  // What there is, and what there ever was.
  const auto there = deployments().List(Soon());
  ASSERT_THAT(there, IsOk());
  std::set<std::string> uids;
  for (const auto& deployment : there->items) uids.insert(std::string(deployment.metadata.uid));
  EXPECT_EQ(uids.size(), static_cast<size_t>(kFooCount));
  ASSERT_THAT(Await("the watch",
                    [&] {
                      return seen.Uids().size() >= uids.size()
                                 ? absl::OkStatus()
                                 : absl::UnavailableError("it is behind");
                    }),
              IsOk());
  EXPECT_EQ(seen.Uids(), uids);
}

}  // namespace
}  // namespace kube::e2e
