#include "tests/controllers/operator_cluster.h"

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controllers/cluster_audit.h"
#include "tests/controllers/operator.h"

namespace kube::controllers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using corev1::ConfigMap;
using testing::HasSubstr;

void Sleep(absl::Duration time) { EXPECT_THAT(base::SleepFor(Context(), time), IsOk()); }

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

ConfigMap SetOf(const std::string& count) {
  ConfigMap set;
  set.metadata.name = "set";
  set.metadata.labels[kRole] = kSet;
  set.data[kCount] = count;
  return set;
}

// Changes a set while the watches of its children are behind.
void ChangeASetBehindTheCache(OperatorCluster& cluster) {
  const apiserver::FaultId lag =
      cluster.server().faults().Add({.verbs = {"watch"},
                                     .resource = "secrets",
                                     .user_agent = kAgent,
                                     .fault = apiserver::fault::Lag{.revisions = 1'000'000}});
  const auto maps = cluster.admin().CoreV1().ConfigMaps("default");
  EXPECT_THAT(maps.Create(Context(), SetOf("1")), IsOk());
  Sleep(absl::Seconds(2));
  EXPECT_THAT(maps.Edit(Context(), "set",
                        [](ConfigMap& set) {
                          set.data[kCount] = "2";
                          return absl::OkStatus();
                        }),
              IsOk());
  Sleep(absl::Seconds(2));
  cluster.server().faults().Remove(lag);
}

TEST(OperatorClusterTest, ACacheThatLags) {
  const struct {
    const char* name;
    absl::Duration own_writes_timeout;
    const char* mistake;  // empty: none
  } kRows[] = {
      {"keys wait for their own writes", absl::Seconds(10), ""},
      {"keys do not wait", absl::ZeroDuration(), "although set-"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Simulate([&row] {
      OperatorCluster cluster({.creates_once = true, .own_writes_timeout = row.own_writes_timeout});
      EXPECT_THAT(cluster.Start(), IsOk());
      Sleep(absl::Seconds(10));
      ChangeASetBehindTheCache(cluster);
      Sleep(absl::Minutes(1));
      EXPECT_THAT(CheckConverged(cluster), IsOk());
      cluster.Stop();
      if (std::string(row.mistake).empty()) {
        EXPECT_THAT(cluster.recorder().status(), IsOk());
      } else {
        EXPECT_THAT(cluster.recorder().status(),
                    StatusIs(absl::StatusCode::kDataLoss, HasSubstr(row.mistake)));
      }
    });
  }
}

TEST(OperatorClusterTest, AReplicaThatEnds_StartsAgain) {
  Simulate([] {
    OperatorCluster cluster;
    EXPECT_THAT(cluster.Start(), IsOk());
    Sleep(absl::Seconds(10));
    for (size_t i = 0; i < cluster.replicas(); ++i) {
      EXPECT_EQ(cluster.replica(i).program(), cluster.replica(i).user() + " #0");
      cluster.replica(i).Restart();
    }
    Sleep(absl::Minutes(1));
    for (size_t i = 0; i < cluster.replicas(); ++i) {
      EXPECT_EQ(cluster.replica(i).program(), cluster.replica(i).user() + " #1");
    }
    EXPECT_THAT(CheckConverged(cluster), IsOk());
    EXPECT_THAT(CheckQuiet(cluster), IsOk());
    cluster.Stop();
    EXPECT_EQ(cluster.replica(0).program(), "");
    EXPECT_EQ(cluster.recorder().programs(), 4);
    EXPECT_THAT(cluster.recorder().status(), IsOk());
  });
}

}  // namespace
}  // namespace kube::controllers
