#include "tests/controllers/cluster_audit.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controllers/operator.h"
#include "tests/controllers/operator_cluster.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using corev1::ConfigMap;
using corev1::Secret;
using testing::HasSubstr;

void Simulate(const std::function<void(OperatorCluster&)>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] {
    OperatorCluster cluster;  // its replicas do not run
    test(cluster);
  }),
              IsOk());
}

ConfigMap MapOf(absl::string_view name, absl::string_view role, absl::string_view key,
                absl::string_view value) {
  ConfigMap map;
  map.metadata.name = name;
  map.metadata.labels[kRole] = role;
  map.data[key] = value;
  return map;
}

// Creates the config map and returns its UID.
std::string Create(const OperatorCluster& cluster, const ConfigMap& map) {
  const absl::StatusOr<ConfigMap> created =
      cluster.admin().CoreV1().ConfigMaps("default").Create(Context(), map);
  EXPECT_THAT(created, IsOk());
  return std::string(created->metadata.uid.view());
}

void Create(const OperatorCluster& cluster, const Secret& secret) {
  EXPECT_THAT(cluster.admin().CoreV1().Secrets("default").Create(Context(), secret), IsOk());
}

void CreateChild(const OperatorCluster& cluster, absl::string_view name, absl::string_view set_uid,
                 absl::string_view slot) {
  api::meta::v1::OwnerReference owner;
  owner.api_version = "v1";
  owner.kind = "ConfigMap";
  owner.name = "set";
  owner.uid = set_uid;
  owner.controller = true;
  Secret child;
  child.metadata.name = name;
  child.metadata.labels[kRole] = kChild;
  child.metadata.labels[kSlot] = slot;
  child.metadata.owner_references.push_back(owner);
  Create(cluster, child);
}

// Lets the census of both replicas, which have no program, be complete.
void CompleteCensus(OperatorCluster& cluster) {
  const absl::StatusOr<corev1::ConfigMapList> maps =
      cluster.admin().CoreV1().ConfigMaps("").List(Context());
  ASSERT_THAT(maps, IsOk());
  std::map<std::string, Versions> seen;
  for (const ConfigMap& map : maps->items) {
    seen[std::string(map.metadata.namespace_.view())][std::string(map.metadata.name.view())] =
        std::string(map.metadata.resource_version.view());
  }
  for (const auto& [namespace_name, versions] : seen) {
    cluster.recorder().NoteSeen("", namespace_name, versions);
  }
}

struct Row {
  const char* name;
  std::function<void(OperatorCluster&)> happens;
  const char* missing;  // empty: nothing
};

std::vector<Row> Rows() {
  return {
      {"a set with its children",
       [](OperatorCluster& cluster) {
         const std::string uid = Create(cluster, MapOf("set", kSet, kCount, "1"));
         CreateChild(cluster, "set-a", uid, "0");
       },
       ""},
      {"a set without a child",
       [](OperatorCluster& cluster) { Create(cluster, MapOf("set", kSet, kCount, "1")); },
       "default/set: it has 0 children, not 1"},
      {"a child too many",
       [](OperatorCluster& cluster) {
         const std::string uid = Create(cluster, MapOf("set", kSet, kCount, "1"));
         CreateChild(cluster, "set-a", uid, "0");
         CreateChild(cluster, "set-b", uid, "1");
       },
       "default/set: it has 2 children, not 1"},
      {"two children in a slot",
       [](OperatorCluster& cluster) {
         const std::string uid = Create(cluster, MapOf("set", kSet, kCount, "1"));
         CreateChild(cluster, "set-a", uid, "0");
         CreateChild(cluster, "set-b", uid, "0");
       },
       "default/set-b: the second child in slot 0"},
      {"a mirror of nothing",
       [](OperatorCluster& cluster) {
         Create(cluster, MapOf("mirror", kMirror, kSourceName, "source-1"));
       },
       "default/mirror: it has , not none"},
      {"an old mirror",
       [](OperatorCluster& cluster) {
         ConfigMap mirror = MapOf("mirror", kMirror, kSourceName, "source-1");
         mirror.data[kCopy] = "v1";
         Create(cluster, mirror);
         Secret source;
         source.metadata.name = "source-1";
         source.metadata.labels[kRole] = kSource;
         source.metadata.annotations[kValue] = "v2";
         Create(cluster, source);
       },
       "default/mirror: it has v1, not v2"},
      {"a record without an address",
       [](OperatorCluster& cluster) {
         Create(cluster, MapOf("record", kRecord, kAddress, "10.0.0.1"));
       },
       "has not 10.0.0.1"},
      {"an object that is being deleted",
       [](OperatorCluster& cluster) {
         ConfigMap map = MapOf("plain", "none", kCount, "1");
         map.metadata.finalizers = {"example.com/a"};
         Create(cluster, map);
         EXPECT_THAT(cluster.admin().CoreV1().ConfigMaps("default").Delete(Context(), "plain"),
                     IsOk());
       },
       "default/plain: still there"},
  };
}

TEST(ClusterAuditTest, CheckConverged) {
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.name);
    Simulate([&row](OperatorCluster& cluster) {
      row.happens(cluster);
      CompleteCensus(cluster);
      if (std::string(row.missing).empty()) {
        EXPECT_THAT(CheckConverged(cluster), IsOk());
      } else {
        EXPECT_THAT(CheckConverged(cluster),
                    StatusIs(absl::StatusCode::kUnavailable, HasSubstr(row.missing)));
      }
    });
  }
}

TEST(ClusterAuditTest, CheckConverged_ALostKey_IsFound) {
  Simulate([](OperatorCluster& cluster) {
    Create(cluster, MapOf("plain", "none", kCount, "1"));
    EXPECT_THAT(CheckConverged(cluster),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("census of replica-0")));
    CompleteCensus(cluster);
    EXPECT_THAT(CheckConverged(cluster), IsOk());
    EXPECT_THAT(cluster.admin().CoreV1().ConfigMaps("default").Delete(Context(), "plain"), IsOk());
    EXPECT_THAT(CheckConverged(cluster),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("census of replica-0")));
  });
}

TEST(ClusterAuditTest, CheckQuiet_AWriteOfAReplica_IsFound) {
  Simulate([](OperatorCluster& cluster) {
    EXPECT_THAT(CheckQuiet(cluster), IsOk());
    rest::Config config = envtest::InProcessConfig(cluster.server());
    config.user_agent = kAgent;
    const absl::StatusOr<kubernetes::Clientset> client = kubernetes::Clientset::Make(config);
    ASSERT_THAT(client, IsOk());
    base::Thread writer;
    ASSERT_THAT(writer.Start(Context(), "writer",
                             [&client](const Context& ctx) {
                               EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(30)), IsOk());
                               EXPECT_THAT(client->CoreV1().ConfigMaps("default").Create(
                                               ctx, MapOf("plain", "none", kCount, "1")),
                                           IsOk());
                             }),
                IsOk());
    EXPECT_THAT(CheckQuiet(cluster), StatusIs(absl::StatusCode::kDataLoss,
                                              HasSubstr("a write without a reason: admin POST")));
    writer.Join();
  });
}

}  // namespace
}  // namespace kube::controllers
