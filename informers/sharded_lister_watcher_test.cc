#include "informers/sharded_lister_watcher.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/sharding/selector.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"

namespace kube::informers {
namespace {

using base::IsOk;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kReplicas = 3;
constexpr int kObjects = 30;

// The example of the header.
template <typename Client>
absl::StatusOr<std::unique_ptr<SharedInformer<ConfigMap>>> MakeInformer(const Client& client,
                                                                        int replica, int replicas) {
  KUBE_ASSIGN_OR_RETURN(const sharding::Selector mine, sharding::ShardOf(replica, replicas));
  KUBE_ASSIGN_OR_RETURN(auto all, MakeListerWatcher(client));
  return std::make_unique<SharedInformer<ConfigMap>>(
      MakeShardedListerWatcher(std::move(all), mine));
}

// The informer of one replica, and the thread that runs it.
struct Replica {
  Replica(const TestCluster& cluster, int index)
      : informer(*MakeInformer(cluster.config_maps(), index, kReplicas)) {
    EXPECT_THAT(thread.Start(Context(), "replica",
                             [this](const Context& ctx) { informer->Run(ctx).IgnoreError(); }),
                IsOk());
    Await([this] { return informer->HasSynced(); });
  }
  ~Replica() {
    thread.RequestStop();
    thread.Join();
  }

  const std::unique_ptr<SharedInformer<ConfigMap>> informer;
  base::Thread thread;
};

// Returns the objects of all replicas. Fails the test if two have the same one.
std::map<std::string, std::string> UnionOf(const std::vector<std::unique_ptr<Replica>>& replicas) {
  std::map<std::string, std::string> all;
  for (const std::unique_ptr<Replica>& replica : replicas) {
    for (const auto& [key, value] : ContentOf(*replica->informer->store())) {
      EXPECT_TRUE(all.emplace(key, value).second) << key << " is in two shards";
    }
  }
  return all;
}

// behaviour.md: COD-12
TEST(ShardedListerWatcher, CachesOfAllShards_HoldEachObjectOnce) {
  for (const bool server_evaluates : {true, false}) {
    SCOPED_TRACE(server_evaluates);
    Simulate([server_evaluates] {
      TestCluster cluster(apiserver::HandlerOptions{.sharded_lists = server_evaluates});
      for (int i = 0; i < kObjects; ++i) cluster.Create(absl::StrCat("first-", i));
      std::vector<std::unique_ptr<Replica>> replicas;
      for (int i = 0; i < kReplicas; ++i) {
        replicas.push_back(std::make_unique<Replica>(cluster, i));
      }
      EXPECT_EQ(UnionOf(replicas), cluster.Content());
      for (const auto& replica : replicas) {
        EXPECT_THAT(ContentOf(*replica->informer->store()), Not(IsEmpty()));
      }

      // And what happens later, which watches tell.
      for (int i = 0; i < kObjects; ++i) {
        cluster.Create(absl::StrCat("later-", i));
        cluster.Set(absl::StrCat("first-", i), "2");
        if (i % 5 == 0) cluster.Delete(absl::StrCat("first-", i));
      }
      Pass(absl::Minutes(2));
      EXPECT_EQ(UnionOf(replicas), cluster.Content());
      EXPECT_THAT(cluster.transport().Requests(),
                  Each(HasSubstr("shardSelector=shardRange%28object.metadata.uid")));
    });
  }
}

// Sends an object again and again, without a pause.
class EndlessWatcher final : public watch::Watcher<void> {
 public:
  EndlessWatcher(std::shared_ptr<const ConfigMap> object, int* sent)
      : object_(std::move(object)), sent_(sent) {}

  absl::StatusOr<std::optional<watch::Event<void>>> Next(const Context&) override {
    ++*sent_;
    std::optional<watch::Event<void>> event;
    event.emplace().object = object_;
    return event;
  }
  bool HasNext() const override { return true; }
  void Stop() override {}

 private:
  const std::shared_ptr<const ConfigMap> object_;
  int* const sent_;  // outlives the watcher
};

class EndlessSource final : public ListerWatcher {
 public:
  explicit EndlessSource(int* sent) : sent_(sent) {}

  absl::StatusOr<ListHeader> List(const Context&, const api::meta::v1::ListOptions&,
                                  OnObject) override {
    return absl::UnimplementedError("list");
  }
  absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> Watch(
      const Context&, const api::meta::v1::ListOptions&) override {
    auto object = std::make_shared<ConfigMap>();
    object->metadata.uid = "u";
    return std::make_unique<EndlessWatcher>(std::move(object), sent_);
  }
  std::string description() const override { return "endless"; }

 private:
  int* const sent_;  // outlives the source
};

TEST(ShardedListerWatcher, EventsOfOtherShardsWithoutEnd_DoNotKeepTheCaller) {
  const uint64_t hash = sharding::HashOf("u");
  const struct {
    const char* name;
    sharding::HashRange range;
    bool has_next;
  } rows[] = {{"another shard", {.start = 0, .end = hash}, false},
              {"this shard", {.start = hash}, true}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    int sent = 0;
    const auto shard = sharding::Selector::Make(sharding::ShardField::kUid, {row.range});
    ASSERT_THAT(shard, IsOk());
    const TypedListerWatcher<ConfigMap> source = MakeShardedListerWatcher(
        TypedListerWatcher<ConfigMap>{.any = std::make_shared<EndlessSource>(&sent)}, *shard);
    const auto watcher = source.any->Watch(Context(), {});
    ASSERT_THAT(watcher, IsOk());
    EXPECT_EQ((*watcher)->HasNext(), row.has_next);
    EXPECT_GT(sent, 0);
    if (!row.has_next) continue;
    EXPECT_TRUE((*watcher)->HasNext());
    const auto event = (*watcher)->Next(Context());
    ASSERT_THAT(event, IsOk());
    EXPECT_TRUE(event->has_value());
    EXPECT_EQ(sent, 1) << "the event was lost";
  }
}

TEST(ShardedListerWatcher, AServerThatEvaluates_SendsOnlyTheShard) {
  Simulate([] {
    TestCluster cluster(apiserver::HandlerOptions{.sharded_lists = true});
    for (int i = 0; i < kObjects; ++i) cluster.Create(absl::StrCat("object-", i));
    const auto half = sharding::ShardOf(0, 2);
    ASSERT_THAT(half, IsOk());
    const auto all = cluster.direct().List(Context());
    const auto list = cluster.direct().List(Context(), {.shard_selector = half->ToString()});
    ASSERT_THAT(all, IsOk());
    ASSERT_THAT(list, IsOk());
    size_t expected = 0;
    for (const ConfigMap& object : all->items) {
      expected += half->Matches(object.metadata.uid.view(), "default") ? 1 : 0;
    }
    EXPECT_EQ(list->items.size(), expected);
    EXPECT_LT(expected, all->items.size());
    ASSERT_TRUE(list->metadata.shard_info.has_value());
    EXPECT_EQ(list->metadata.shard_info->selector, half->ToString());
    EXPECT_FALSE(all->metadata.shard_info.has_value());
  });
}

}  // namespace
}  // namespace kube::informers
