#include "clientset/discovery/disk_cache.h"

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/discovery/testing/aging_discovery.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Mode = ScriptedServer::Mode;

std::shared_ptr<DiskCache> CacheOver(const ScriptedServer& server, const std::string& directory) {
  return std::make_shared<DiskCache>(
      std::make_shared<MemoryCache>(std::make_shared<DiscoveryClient>(server.client())),
      DiskCacheOptions{.directory = directory});
}

TEST(CacheDirectoryFor, CacheDirectoryFor_Host_IsThatOfKubectl) {
  EXPECT_EQ(CacheDirectoryFor("/c", "https://10.0.0.1:6443"), "/c/10.0.0.1_6443");
  EXPECT_EQ(CacheDirectoryFor("/c", "http://h/clusters/a-b?ä"), "/c/h/clusters/a_b__");
  EXPECT_EQ(CacheDirectoryFor("/c", "h(1).example"), "/c/h(1).example");
}

TEST(DiskCache, ServerGroupsAndResources_WrittenByAnotherCache_AreNotAskedFor) {
  for (const Mode mode : {Mode::kLegacy, Mode::kAggregated}) {
    const rest::TestFolder folder;
    ScriptedServer server(mode);
    const std::string directory = folder.Path("discovery/localhost");
    {
      const auto cache = CacheOver(server, directory);
      const absl::StatusOr<ServerResources> all = cache->ServerGroupsAndResources(Context());
      ASSERT_THAT(all, IsOk());
      EXPECT_THAT(all->resources, SizeIs(4));
      EXPECT_TRUE(cache->Fresh());
      EXPECT_THAT(server.TakePaths(), SizeIs(mode == Mode::kLegacy ? 6 : 2));
    }
    const auto cache = CacheOver(server, directory);
    const absl::StatusOr<ServerResources> all = cache->ServerGroupsAndResources(Context());
    ASSERT_THAT(all, IsOk());
    EXPECT_THAT(all->resources, SizeIs(4));
    EXPECT_THAT(server.TakePaths(), IsEmpty());
    EXPECT_FALSE(cache->Fresh());
    cache->Invalidate();
    EXPECT_TRUE(cache->Fresh());
    EXPECT_THAT(cache->ServerGroupsAndResources(Context()), IsOk());
    EXPECT_THAT(server.TakePaths(), SizeIs(mode == Mode::kLegacy ? 6 : 2));
    EXPECT_TRUE(cache->Fresh());
    EXPECT_THAT(cache->ServerGroups(Context()), IsOk());
    EXPECT_TRUE(cache->Fresh());
  }
}

// behaviour.md: DISC-4
TEST(DiskCache, ServerResources_WritesTheFilesOfKubectl) {
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kLegacy);
  const auto cache = CacheOver(server, folder.Path("d"));
  ASSERT_THAT(cache->ServerResourcesForGroupVersion(Context(), "apps/v1"), IsOk());
  EXPECT_EQ(folder.Read("d/apps/v1/serverresources.json"),
            R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1",)"
            R"("resources":[{"name":"deployments","singularName":"deployment","namespaced":true,)"
            R"("kind":"Deployment","verbs":["get"],"shortNames":["deploy"],)"
            R"("categories":["all"]}]})"
            "\n");
  ASSERT_THAT(cache->ServerGroups(Context()), IsOk());
  EXPECT_THAT(folder.Read("d/servergroups.json"),
              testing::StartsWith(R"({"kind":"APIGroupList","apiVersion":"v1","groups":[)"));
}

// behaviour.md: DISC-4
TEST(DiskCache, ServerGroups_FileOlderThanItsTtl_AsksAgain) {
  base::FakeClock clock(base::WallNow());
  base::RuntimeScope scope(clock);
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kAggregated);
  const auto read = [&] {
    EXPECT_THAT(CacheOver(server, folder.Path("d"))->ServerGroups(Context()), IsOk());
    return server.TakePaths();
  };
  EXPECT_THAT(read(), ElementsAre("/api", "/apis"));
  clock.Step(absl::Hours(5));
  EXPECT_THAT(read(), IsEmpty());
  clock.Step(absl::Hours(2));
  EXPECT_THAT(read(), ElementsAre("/api", "/apis"));
}

TEST(DiskCache, ServerGroups_UnreadableFile_AsksAndReplacesIt) {
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kAggregated);
  for (const char* content :
       {"", "{", "[]", R"({"kind":"APIGroupList","apiVersion":"v2","groups":[{"name":"x"}]})",
        R"({"kind":"APIResourceList","apiVersion":"v1"})"}) {
    SCOPED_TRACE(content);
    folder.Write("servergroups.json", content);
    const absl::StatusOr<GroupList> groups =
        CacheOver(server, folder.Path("."))->ServerGroups(Context());
    ASSERT_THAT(groups, IsOk());
    EXPECT_EQ((*groups)->groups.size(), 3);
    EXPECT_THAT(server.TakePaths(), SizeIs(2));
    EXPECT_THAT(folder.Read("servergroups.json"), testing::HasSubstr("metrics.k8s.io"));
  }
}

TEST(DiskCache, ServerResources_ErrorOrEmptyList_IsNotWritten) {
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kLegacy);
  server.Set("/apis/apps/v1", rest::JsonReply("{}"));
  server.Set("/apis/apps/v1beta1", rest::StatusReply(403, "Forbidden", "no"));
  DiskCache cache(std::make_shared<DiscoveryClient>(server.client()),
                  {.directory = folder.Path("d")});
  EXPECT_THAT(cache.ServerResourcesForGroupVersion(Context(), "apps/v1"), IsOk());
  EXPECT_THAT(cache.ServerResourcesForGroupVersion(Context(), "apps/v1beta1"),
              StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_EQ(folder.Read("d/apps/v1/serverresources.json"), "");
  EXPECT_EQ(folder.Read("d/apps/v1beta1/serverresources.json"), "");
  server.TakePaths();
  EXPECT_THAT(cache.ServerResourcesForGroupVersion(Context(), "apps/v1"), IsOk());
  EXPECT_THAT(server.TakePaths(), SizeIs(1));
}

TEST(DiskCache, ServerGroupsAndResources_FolderCannotBeMade_AsksTheServer) {
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kLegacy);
  const auto cache = CacheOver(server, folder.Write("file", "text"));
  EXPECT_THAT(cache->ServerGroupsAndResources(Context()), IsOk());
}

TEST(DiskCache, ServerResources_GroupVersionWithDots_WritesNoFileOutside) {
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kLegacy);
  for (const char* name : {"../x", "..", "a/..", "a/b/c", "/etc", "a/", "."}) {
    SCOPED_TRACE(name);
    server.Set(absl::StrCat("/apis/", name),
               rest::JsonReply(R"({"resources":[{"name":"pods","kind":"Pod"}]})"));
    DiskCache cache(std::make_shared<DiscoveryClient>(server.client()),
                    {.directory = folder.Path("a/b")});
    cache.ServerResourcesForGroupVersion(Context(), name).IgnoreError();
    EXPECT_EQ(folder.Read("a/serverresources.json"), "");
    EXPECT_EQ(folder.Read("a/x/serverresources.json"), "");
    EXPECT_EQ(folder.Read("a/b/serverresources.json"), "");
  }
}

std::string GroupVersionIn(const DiskCache& cache) {
  const absl::StatusOr<GroupList> groups = cache.ServerGroups(Context());
  if (!groups.ok()) return groups.status().ToString();
  return std::string((*groups)->groups[0].versions[0].group_version.view());
}

// An answer that arrives after another thread has called Invalidate is neither used again nor left
// for other programs.
TEST(DiskCache, WhatWasAskedForBeforeInvalidateIsNotWritten) {
  const rest::TestFolder folder;
  const auto delegate = std::make_shared<AgingDiscovery>();
  DiskCache cache(delegate, {.directory = folder.Path("d")});
  delegate->SetAfterAnswer([&] { cache.Invalidate(); });
  EXPECT_THAT(cache.ServerGroups(Context()), IsOk());
  EXPECT_EQ(folder.Read("d/servergroups.json"), "");
  // Nor is its temporary file left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.Path("d")), {}), 0);
  EXPECT_EQ(GroupVersionIn(cache), "batch/v1");
  EXPECT_THAT(folder.Read("d/servergroups.json"), testing::HasSubstr("batch/v1\""));
}

// Another thread asks before the delegate has forgotten.
TEST(DiskCache, InvalidateForgetsWhatIsAskedForMeanwhile) {
  const rest::TestFolder folder;
  const auto delegate = std::make_shared<AgingDiscovery>();
  DiskCache cache(delegate, {.directory = folder.Path("d")});
  delegate->SetBeforeInvalidate([&] { EXPECT_EQ(GroupVersionIn(cache), "batch/v1beta1"); });
  cache.Invalidate();
  EXPECT_EQ(GroupVersionIn(cache), "batch/v1");
}

TEST(DiskCache, SharedFolder_ManyThreads_ReadCompleteLists) {
  const rest::TestFolder folder;
  ScriptedServer server(Mode::kLegacy);
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("reader", [&](const Context& ctx) -> absl::Status {
      const auto cache = CacheOver(server, folder.Path("d"));
      for (int n = 0; n < 10; ++n) {
        const absl::StatusOr<ServerResources> all = cache->ServerGroupsAndResources(ctx);
        if (!all.ok()) return all.status();
        if (all->resources.size() != 4) return absl::InternalError("lists are missing");
        cache->Invalidate();
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST(MakeCachedDiscovery, Make_MissingHostOrDirectory_IsInvalidArgument) {
  EXPECT_THAT(MakeCachedDiscovery({.host = "http://localhost"}, {.directory = "/tmp/x"}), IsOk());
  EXPECT_THAT(MakeCachedDiscovery({.host = "http://localhost"}, {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MakeCachedDiscovery({}, {.directory = "/tmp/x"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::discovery
