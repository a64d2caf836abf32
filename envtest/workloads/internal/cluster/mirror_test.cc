#include "envtest/workloads/internal/cluster/mirror.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
using ConfigMaps = Mirror<corev1::ConfigMap, corev1::ConfigMapList>;

corev1::ConfigMap MapOf(absl::string_view name, absl::string_view value = "") {
  corev1::ConfigMap map;
  map.metadata.name = name;
  map.metadata.namespace_ = "default";
  map.data["value"] = value;
  return map;
}

template <typename ListT>
std::vector<std::string> Describe(const ListT& maps) {
  std::vector<std::string> lines;
  for (const auto& each : maps) {
    const corev1::ConfigMap& map = *each;
    lines.push_back(absl::StrCat(map.metadata.name.view(), "=",
                                 map.data.value_or("value", "").view(), "@",
                                 map.metadata.resource_version.view()));
  }
  return lines;
}

// A server, and a mirror of its config maps that has not begun yet.
struct Scene {
  apiserver::ApiHandler server{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(server));
  ConfigMaps::Client maps = ConfigMaps::Client(client, kConfigMaps).Namespace("default");
  std::atomic<int> changes = 0;
  ConfigMaps mirror = ConfigMaps(client, kConfigMaps, [this] { ++changes; });
  base::Thread thread;

  void Start() {
    EXPECT_THAT(thread.Start(Context(), "mirror", [this](const Context& ctx) { mirror.Run(ctx); }),
                IsOk());
  }
  // What the server has.
  std::vector<std::string> Stored() const {
    Objects<corev1::ConfigMap> all;
    const auto list = maps.List(Context());
    for (const corev1::ConfigMap& each : list->items) {
      all.push_back(std::make_shared<corev1::ConfigMap>(each));
    }
    return Describe(all);
  }
  // Returns false after a minute.
  bool CatchUp() const {
    for (int i = 0; i < 600; ++i) {
      if (Describe(mirror.All()) == Stored()) return true;
      base::SleepFor(Context(), absl::Milliseconds(100)).IgnoreError();
    }
    return false;
  }
};

TEST(Mirror, ShowsOnesOwnWritesAtOnce) {
  Scene scene;
  EXPECT_FALSE(scene.mirror.synced());
  ASSERT_THAT(scene.mirror.Create(Context(), MapOf("b", "1")), IsOk());
  ASSERT_THAT(scene.mirror.Create(Context(), MapOf("a", "1")), IsOk());
  EXPECT_EQ(Describe(scene.mirror.All()), scene.Stored());
  ASSERT_THAT(scene.mirror.Update(Context(), MapOf("b", "2")), IsOk());
  EXPECT_EQ(Describe(scene.mirror.All()), scene.Stored());
  EXPECT_EQ(scene.changes, 3);
  ASSERT_THAT(scene.mirror.Update(Context(), MapOf("b", "2")), IsOk());
  EXPECT_EQ(scene.changes, 3) << "it was so already";
  const auto all = scene.mirror.All();
  ASSERT_THAT(scene.mirror.Delete(Context(), *all[0]), IsOk());
  EXPECT_EQ(Describe(scene.mirror.All()), scene.Stored());
  EXPECT_THAT(scene.mirror.All(), testing::SizeIs(1));
  EXPECT_FALSE(scene.mirror.Delete(Context(), *all[0]).ok());
  EXPECT_FALSE(scene.mirror.Create(Context(), MapOf("b")).ok());
  EXPECT_EQ(scene.changes, 4);
}

TEST(Mirror, Delete_ObjectWasReplaced_DeletesNothing) {
  Scene scene;
  ASSERT_THAT(scene.mirror.Create(Context(), MapOf("a")), IsOk());
  const auto first = scene.mirror.All()[0];
  ASSERT_THAT(scene.maps.Delete(Context(), "a"), IsOk());
  ASSERT_THAT(scene.maps.Create(Context(), MapOf("a", "2")), IsOk());
  EXPECT_FALSE(scene.mirror.Delete(Context(), *first).ok());
  EXPECT_TRUE(scene.maps.Get(Context(), "a").ok());
}

TEST(Mirror, WritesOfOthers_AreSeen) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Scene scene;
    ASSERT_THAT(scene.maps.Create(Context(), MapOf("a")), IsOk());
    scene.Start();
    EXPECT_TRUE(scene.CatchUp());
    EXPECT_TRUE(scene.mirror.synced());
    ASSERT_THAT(scene.maps.Create(Context(), MapOf("b")), IsOk());
    ASSERT_THAT(scene.maps.Update(Context(), MapOf("a", "2")), IsOk());
    EXPECT_TRUE(scene.CatchUp());
    ASSERT_THAT(scene.maps.Delete(Context(), "a"), IsOk());
    EXPECT_TRUE(scene.CatchUp());
    EXPECT_THAT(scene.mirror.All(), testing::SizeIs(1));
  }),
              IsOk());
}

TEST(Mirror, ListOrWatchFails_BeginsAgain) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Scene scene;
    scene.server.SetDenyRules({{.verb = "watch"}});
    scene.Start();
    ASSERT_THAT(scene.maps.Create(Context(), MapOf("a")), IsOk());
    EXPECT_TRUE(scene.CatchUp()) << "by lists";
    scene.server.SetDenyRules({{.verb = "list"}});
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    scene.server.SetDenyRules({});
    ASSERT_THAT(scene.maps.Delete(Context(), "a"), IsOk());
    EXPECT_TRUE(scene.CatchUp());
  }),
              IsOk());
}

// What is being deleted and held by a finalizer is hidden only until that can be seen.
TEST(Mirror, Delete_HeldByAFinalizer_IsShownAsBeingDeleted) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Scene scene;
    corev1::ConfigMap held = MapOf("a");
    held.metadata.finalizers.push_back("example.com/hold");
    ASSERT_THAT(scene.mirror.Create(Context(), held), IsOk());
    ASSERT_THAT(scene.mirror.Delete(Context(), *scene.mirror.All()[0]), IsOk());
    EXPECT_THAT(scene.mirror.All(), IsEmpty());
    scene.Start();
    EXPECT_TRUE(scene.CatchUp());
    ASSERT_THAT(scene.mirror.All(), testing::SizeIs(1));
    EXPECT_TRUE(scene.mirror.All()[0]->metadata.deletion_timestamp.has_value());
  }),
              IsOk());
}

// Two write the same objects, one through the mirror: it ends with what the server has, and never
// shows less of its own writes than was written.
absl::Status WriteFromTwoSides(base::SimRuntime& sim) {
  absl::Status result;
  const absl::Status end = sim.Run([&result] {
    Scene scene;
    scene.Start();
    base::Thread other;
    result = other.Start(Context(), "other", [&scene](const Context& ctx) {
      for (int i = 0; i < 20; ++i) {
        const std::string name = absl::StrCat("m", base::UniformInt(0, 2));
        if (base::UniformInt(0, 2) == 0) {
          scene.maps.Delete(ctx, name).IgnoreError();
        } else if (!scene.maps.Update(ctx, MapOf(name, absl::StrCat("other", i))).ok()) {
          scene.maps.Create(ctx, MapOf(name, absl::StrCat("other", i))).IgnoreError();
        }
      }
    });
    for (int i = 0; i < 20; ++i) {
      const corev1::ConfigMap map =
          MapOf(absl::StrCat("m", base::UniformInt(0, 2)), absl::StrCat("own", i));
      const Objects<corev1::ConfigMap> all = scene.mirror.All();
      if (base::UniformInt(0, 2) == 0 && !all.empty()) {
        scene.mirror.Delete(Context(), *all[0]).IgnoreError();
      } else if (!scene.mirror.Update(Context(), map).ok()) {
        scene.mirror.Create(Context(), map).IgnoreError();
      }
    }
    other.Join();
    if (!scene.CatchUp()) {
      result = absl::InternalError(
          absl::StrCat("the mirror has ", absl::StrJoin(Describe(scene.mirror.All()), " "),
                       ", the server ", absl::StrJoin(scene.Stored(), " ")));
    }
  });
  KUBE_RETURN_IF_ERROR(end);
  return result;
}

TEST(Mirror, WritesFromTwoSides_EndWithWhatTheServerHas) {
  EXPECT_THAT(base::SearchSeeds(WriteFromTwoSides, {.seeds = base::SimulationSeeds(50)}), IsOk());
}

}  // namespace
}  // namespace kube::envtest::internal
