#include "controller/cache/watched.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/index.h"
#include "controller/cache/object_range.h"
#include "controller/cache/view.h"
#include "controller/cache/watched_core.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/shared_informer.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"

namespace kube::controller {
namespace {

using base::IsOk;
using base::StatusIs;
using informers::Await;
using informers::ConfigMap;
using informers::Simulate;
using informers::TestCluster;
using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

void StartAndSync(const std::shared_ptr<WatchedCore>& core) {
  core->Start();
  EXPECT_THAT(core->WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
}

// Returns the sorted keys, such as "default/a".
std::vector<std::string> KeysIn(const ObjectRange<ConfigMap>& range) {
  std::vector<std::string> keys;
  for (const ConfigMap& object : range) keys.push_back(meta::MetaNamespaceKey(object));
  std::sort(keys.begin(), keys.end());
  return keys;
}

absl::StatusOr<std::vector<std::string>> ValueOf(const ConfigMap& object) {
  const String* value = object.data.find("v");
  if (value == nullptr) return std::vector<std::string>();
  return std::vector<std::string>{std::string(value->view())};
}

absl::StatusOr<std::vector<std::string>> NameOf(const ConfigMap& object) {
  return std::vector<std::string>{std::string(object.metadata.name.view())};
}

// ---- views

// behaviour.md: CACHE-34
TEST(View, ShowsOneMoment) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    const Index<ConfigMap> by_value = maps.AddIndex("v", ValueOf);
    StartAndSync(maps.core());
    View view("default", {maps.core()});
    cluster.Delete("a");
    cluster.Create("b");
    Await([&] { return KeysIn(maps.List(View())) == std::vector<std::string>{"default/b"}; });

    EXPECT_THAT(KeysIn(maps.List(view)), ElementsAre("default/a"));
    EXPECT_THAT(maps.Get(view, "a"), IsOk());
    EXPECT_TRUE(errors::IsNotFound(maps.Get(view, "b").status()));
    EXPECT_THAT(KeysIn(by_value.Get(view, "1")), ElementsAre("default/a"));
    EXPECT_THAT(KeysIn(*maps.List(view, {}, "v=1")), ElementsAre("default/a"));
    const View copy = view;
    view = View("default", {maps.core()});
    EXPECT_THAT(KeysIn(maps.List(view)), ElementsAre("default/b"));
    EXPECT_THAT(KeysIn(maps.List(copy)), ElementsAre("default/a"));
  });
}

TEST(View, ReadsWatchesThatAreNotPartOfItAsTheyAreNow) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    std::optional ended = cache.Watch<ConfigMap>({.label_selector = "value=1"});
    StartAndSync(maps.core());
    StartAndSync(ended->core());
    const View view("default", {ended->core()});
    // A view keeps objects, and no watch.
    ended.reset();
    Await([&] { return cluster.server().watches() == 1; });
    cluster.Create("a");
    Await([&] { return maps.Get(view, "a").ok(); });
    EXPECT_THAT(KeysIn(maps.List(view)), ElementsAre("default/a"));
  });
}

// ---- lists

// behaviour.md: CACHE-27
TEST(Watched, ListsByNamespaceAndLabels) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "1");
    cluster.Create("b", "2");
    cluster.Create("kube-system/a", "1");
    for (const bool one_informer : {true, false}) {
      SCOPED_TRACE(one_informer);
      Cache cache(cluster.config_maps().client());
      WatchOptions options;
      if (!one_informer) options.namespaces = {"default", "kube-public", "kube-system"};
      const auto maps = cache.Watch<ConfigMap>(options);
      StartAndSync(maps.core());
      const View view("default", {maps.core()});
      const labels::Selector ones = *labels::Parse("value=1");
      EXPECT_THAT(KeysIn(maps.List(view)), ElementsAre("default/a", "default/b", "kube-system/a"));
      EXPECT_THAT(KeysIn(maps.List(view, {.namespace_name = "default"})),
                  ElementsAre("default/a", "default/b"));
      EXPECT_THAT(KeysIn(maps.List(view, {.label_selector = ones})),
                  ElementsAre("default/a", "kube-system/a"));
      EXPECT_THAT(KeysIn(maps.List(view, {.namespace_name = "default", .label_selector = ones})),
                  ElementsAre("default/a"));
      EXPECT_TRUE(maps.List(view, {.namespace_name = "kube-public"}).empty());
      EXPECT_TRUE(maps.List(view, {.label_selector = labels::Nothing()}).empty());
      EXPECT_EQ(maps.List(view, {.label_selector = ones}).ToVector().size(), 2u);
    }
  });
}

// behaviour.md: CACHE-27, CACHE-36
TEST(Watched, ListsKindsThatAreKnownAtRunTimeByLabels) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "1");
    cluster.Create("b", "2");
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.WatchDynamic(typed::ResourceTraits<ConfigMap>::kResource);
    StartAndSync(maps.core());
    EXPECT_EQ(maps.List(View()).ToVector().size(), 2u);
    EXPECT_EQ(maps.List(View(), {.label_selector = *labels::Parse("value=2")}).ToVector().size(),
              1u);
    EXPECT_EQ(maps.List(View(), {}, "metadata.name=b")->ToVector().size(), 1u);
  });
}

// behaviour.md: CACHE-28, CACHE-29, CACHE-30
TEST(Watched, ListsByTheFieldsThatHaveAnIndex) {
  struct Row {
    const char* name;
    const char* selector;
    ListScope scope;
    std::vector<std::string> keys;
  };
  const std::vector<Row> rows = {
      {"no requirement", "", {}, {"default/a", "default/b", "kube-system/a"}},
      {"a name in all namespaces", "metadata.name=a", {}, {"default/a", "kube-system/a"}},
      {"a name and its namespace", "metadata.namespace=default,metadata.name=a", {}, {"default/a"}},
      {"a namespace", "metadata.namespace=kube-system", {}, {"kube-system/a"}},
      {"a namespace of the scope", "metadata.name=a", {.namespace_name = "default"}, {"default/a"}},
      {"two namespaces", "metadata.namespace=default", {.namespace_name = "kube-system"}, {}},
      {"two names", "metadata.name=a,metadata.name=b", {}, {}},
      {"an index", "data.v=1", {}, {"default/a", "default/b"}},
      {"an index with ==", "data.v==2", {}, {"kube-system/a"}},
      {"an index and a name", "data.v=1,metadata.name=b", {}, {"default/b"}},
      {"two indexes", "data.v=1,name=a", {}, {"default/a"}},
      {"a value that no object has", "data.v=7", {}, {}},
      {"labels besides",
       "metadata.name=a",
       {.label_selector = *labels::Parse("value=2")},
       {"kube-system/a"}},
  };
  for (const bool one_informer : {true, false}) {
    SCOPED_TRACE(one_informer);
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("a", "1");
      cluster.Create("b", "1");
      cluster.Create("kube-system/a", "2");
      Cache cache(cluster.config_maps().client());
      WatchOptions options;
      if (!one_informer) options.namespaces = {"default", "kube-system"};
      const auto maps = cache.Watch<ConfigMap>(options);
      maps.AddIndex("data.v", ValueOf);
      StartAndSync(maps.core());
      maps.AddIndex("name", NameOf);
      for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const auto list = maps.List(View(), row.scope, row.selector);
        ASSERT_THAT(list, IsOk());
        EXPECT_THAT(KeysIn(*list), ElementsAreArray(row.keys));
      }
    });
  }
}

// behaviour.md: CACHE-28
TEST(Watched, RefusesFieldSelectorsThatItCannotAnswer) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client(), {.namespaces = {"default"}});
    const auto maps = cache.Watch<ConfigMap>();
    const auto other = cache.Watch<ConfigMap>();
    other.AddIndex("data.v", ValueOf);
    struct Row {
      const char* name;
      const char* selector;
      absl::StatusCode code;
      const char* text;
    };
    const std::vector<Row> rows = {
        {"another operator", "metadata.name!=a", absl::StatusCode::kInvalidArgument,
         "non-exact field matches are not supported by the cache"},
        {"an index of another watch", "data.v=1", absl::StatusCode::kInvalidArgument,
         "list configmaps: field \"data.v\" has no index"},
        {"no selector", "a", absl::StatusCode::kInvalidArgument, "list configmaps: "},
        {"a namespace that is not covered", "metadata.namespace=prod",
         absl::StatusCode::kFailedPrecondition,
         "list configmaps in \"prod\": only namespace default is watched"},
    };
    for (const Row& row : rows) {
      SCOPED_TRACE(row.name);
      EXPECT_THAT(maps.List(View(), {}, row.selector), StatusIs(row.code, HasSubstr(row.text)));
    }
  });
}

// ---- indexes

// CACHE-31: there the second index of a name is an error.
// behaviour.md: CACHE-31
TEST(Index, HasANameThatClashesWithNoOther) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "1");
    cluster.Create("kube-system/b", "a");
    Cache cache(cluster.config_maps().client());
    const auto first = cache.Watch<ConfigMap>();
    const auto second = cache.Watch<ConfigMap>();
    const Index<ConfigMap> by_value = first.AddIndex("by", ValueOf);
    const Index<ConfigMap> by_name = second.AddIndex("by", NameOf);
    StartAndSync(first.core());
    EXPECT_THAT(KeysIn(by_value.Get(View(), "a")), ElementsAre("kube-system/b"));
    EXPECT_THAT(KeysIn(by_name.Get(View(), "a")), ElementsAre("default/a"));
    // Of one watch, the last one counts for field selectors; the handles stay as they are.
    const Index<ConfigMap> again = first.AddIndex("by", NameOf);
    EXPECT_THAT(KeysIn(*first.List(View(), {}, "by=b")), ElementsAre("kube-system/b"));
    EXPECT_THAT(KeysIn(by_value.Get(View(), "1")), ElementsAre("default/a"));
    EXPECT_THAT(KeysIn(again.Get(View(), "a")), ElementsAre("default/a"));
  });
}

// behaviour.md: CACHE-18
TEST(Index, NamesObjectsOfAllNamespacesInOrder) {
  Simulate([] {
    TestCluster cluster;
    for (const char* key : {"b", "kube-system/a", "a", "kube-public/c"}) cluster.Create(key);
    Cache cache(cluster.config_maps().client(), {.namespaces = {"kube-system", "default"}});
    std::optional maps = cache.Watch<ConfigMap>();
    const Index<ConfigMap> by_value = maps->AddIndex("data.v", ValueOf);
    StartAndSync(maps->core());
    // The index keeps the watch.
    maps.reset();
    std::vector<std::string> names;
    for (const meta::ObjectName& name : by_value.Names("1")) names.push_back(name.ToString());
    EXPECT_THAT(names, ElementsAre("default/a", "default/b", "kube-system/a"));
    EXPECT_THAT(by_value.Names("2"), IsEmpty());
    cluster.Set("a", "2");
    Await([&] { return by_value.Names("2").size() == 1; });
  });
}

// behaviour.md: CACHE-32
TEST(Index, IsRemovedWithItsWatch) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Cache cache(cluster.config_maps().client());
    const auto staying = cache.Watch<ConfigMap>();
    std::optional ending = cache.Watch<ConfigMap>();
    StartAndSync(staying.core());
    const Index<ConfigMap> kept = staying.AddIndex("by", NameOf);
    ending->AddIndex("by", NameOf);
    const auto store =
        static_cast<informers::SharedInformer<ConfigMap>&>(staying.core()->informer(0)).store();
    EXPECT_THAT(store->ListIndexers(), SizeIs(2));
    ending.reset();
    EXPECT_THAT(store->ListIndexers(), SizeIs(1));
    EXPECT_THAT(KeysIn(kept.Get(View(), "a")), ElementsAre("default/a"));
  });
}

TEST(Index, LacksObjectsForWhichItsFunctionFails) {
  const log::LogCapture logged;
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("b");
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    StartAndSync(maps.core());
    const Index<ConfigMap> index = maps.AddIndex(
        "picky", [](const ConfigMap& object) -> absl::StatusOr<std::vector<std::string>> {
          if (object.metadata.name == "a") return absl::InvalidArgumentError("not this one");
          return std::vector<std::string>{"x"};
        });
    EXPECT_THAT(KeysIn(index.Get(View(), "x")), ElementsAre("default/b"));
    EXPECT_THAT(KeysIn(maps.List(View())), ElementsAre("default/a", "default/b"));
  });
  EXPECT_THAT(logged.Lines(), Contains(HasSubstr("unable to add index")));
}

}  // namespace
}  // namespace kube::controller
