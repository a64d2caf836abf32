#include "listers/indexer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/index_function.h"
#include "listers/snapshot.h"

namespace kube::listers {
namespace {

namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::shared_ptr<const corev1::Pod> Pod(absl::string_view namespace_name, absl::string_view name,
                                       absl::string_view node = "",
                                       absl::string_view version = "1") {
  return std::make_shared<const corev1::Pod>(corev1::Pod{
      .metadata = {.name = name, .namespace_ = namespace_name, .resource_version = version},
      .spec = {.node_name = node}});
}

std::vector<std::string> NamesOf(const ObjectList<corev1::Pod>& pods) {
  std::vector<std::string> names;
  for (const corev1::Pod& pod : pods) names.emplace_back(pod.metadata.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names.size(), pods.size());
  return names;
}

TEST(Indexer, Construct_IsEmpty) {
  const Indexer<corev1::Pod> pods;
  EXPECT_EQ(pods.size(), 0u);
  EXPECT_EQ(pods.Get("prod", "a"), nullptr);
  EXPECT_TRUE(pods.List().empty());
  EXPECT_TRUE(pods.List().begin() == pods.List().end());
  EXPECT_TRUE(pods.List("prod").ToVector().empty());
  EXPECT_EQ(pods.resource_version(), "");
}

TEST(Indexer, GetByKey_ReturnsTheStoredObject) {
  Indexer<corev1::Pod> pods;
  const auto web = Pod("prod", "web");
  const auto node = Pod("", "web");
  ASSERT_THAT(pods.Add(web), IsOk());
  ASSERT_THAT(pods.Add(node), IsOk());
  struct Case {
    const char* key;
    std::shared_ptr<const corev1::Pod> object;
  };
  for (const Case& c : std::vector<Case>{{"prod/web", web},
                                         {"web", node},
                                         {"/web", nullptr},
                                         {"prod/web/", nullptr},
                                         {"prod/", nullptr},
                                         {"", nullptr},
                                         {"dev/web", nullptr}}) {
    EXPECT_EQ(pods.GetByKey(c.key), c.object) << c.key;
  }
  EXPECT_EQ(pods.Get("prod", "web"), web);
  EXPECT_THAT(pods.ListKeys(), UnorderedElementsAre("prod/web", "web"));
  EXPECT_THAT(pods.snapshot().ListNamespaces(), ElementsAre("", "prod"));
}

TEST(Indexer, ListsByNamespaceWithoutAnIndex) {
  Indexer<corev1::Pod> pods;
  for (const auto& pod : {Pod("a", "1"), Pod("a", "2"), Pod("b", "3"), Pod("", "4")}) {
    ASSERT_THAT(pods.Add(pod), IsOk());
  }
  EXPECT_THAT(NamesOf(pods.List("a")), ElementsAre("1", "2"));
  EXPECT_THAT(NamesOf(pods.List("")), ElementsAre("4"));
  EXPECT_THAT(NamesOf(pods.List("c")), IsEmpty());
  EXPECT_THAT(NamesOf(pods.List()), ElementsAre("1", "2", "3", "4"));
}

// The example of Indexer.
absl::StatusOr<std::vector<std::string>> NamesOnNode(
    const std::vector<std::shared_ptr<const corev1::Pod>>& all) {
  Indexer<corev1::Pod> pods;
  KUBE_RETURN_IF_ERROR(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")));
  for (const auto& pod : all) KUBE_RETURN_IF_ERROR(pods.Add(pod));
  KUBE_ASSIGN_OR_RETURN(const ObjectList<corev1::Pod> on_node, pods.ByIndex("node", "node-7"));
  std::vector<std::string> names;
  for (const corev1::Pod& pod : on_node) names.emplace_back(pod.metadata.name);
  return names;
}

TEST(Indexer, ByIndex_ReturnsThePodsOfANode_AsInTheHeader) {
  EXPECT_THAT(NamesOnNode({Pod("prod", "a", "node-7"), Pod("prod", "b", "node-8")}),
              IsOkAndHolds(ElementsAre("a")));
}

TEST(Indexer, Write_InvalidKey_IsInvalidArgument) {
  Indexer<corev1::Pod> pods;
  EXPECT_THAT(pods.Add(Pod("a", "b/c")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(pods.Replace({Pod("a", "b"), Pod("a/b", "c")}, "1"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(pods.size(), 0u);
}

// The version of what was written last: threadSafeMap's rv.
TEST(Indexer, ResourceVersion_IsThatOfTheLastWrite) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.Add(Pod("a", "1", "", "5")), IsOk());
  EXPECT_EQ(pods.resource_version(), "5");
  ASSERT_THAT(pods.Delete(*Pod("a", "1", "", "7")), IsOk());
  EXPECT_EQ(pods.resource_version(), "7");
  ASSERT_THAT(pods.Delete(*Pod("a", "not there", "", "8")), IsOk());
  EXPECT_EQ(pods.resource_version(), "8");
  pods.Bookmark("20");
  EXPECT_EQ(pods.resource_version(), "20");
  ASSERT_THAT(pods.DeleteByKey("a/1"), IsOk());
  EXPECT_EQ(pods.resource_version(), "20");
  ASSERT_THAT(pods.Replace({Pod("a", "1", "", "3")}, "30"), IsOk());
  EXPECT_EQ(pods.resource_version(), "30");
  ASSERT_THAT(
      pods.Apply({{.object = Pod("a", "1", "", "31")}, {.object = Pod("a", "2", "", "32")}}),
      IsOk());
  EXPECT_EQ(pods.resource_version(), "32");
}

TEST(Indexer, ReplacesAllIndexesToo) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")), IsOk());
  ASSERT_THAT(pods.Add(Pod("a", "old", "n1")), IsOk());
  const auto later = Pod("a", "1", "n3");
  ASSERT_THAT(pods.Replace({Pod("a", "1", "n1"), Pod("b", "2", "n2"), later}, "9"), IsOk());
  EXPECT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods.Get("a", "1"), later);
  EXPECT_THAT(pods.ListIndexFuncValues("node"), ElementsAre("n2", "n3"));
  EXPECT_THAT(NamesOf(*pods.ByIndex("node", "n3")), ElementsAre("1"));
}

TEST(Indexer, Update_ChangedIndexValue_MovesTheKey) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")), IsOk());
  ASSERT_THAT(pods.Add(Pod("a", "1", "")), IsOk());
  EXPECT_THAT(pods.ListIndexFuncValues("node"), IsEmpty());
  ASSERT_THAT(pods.Update(Pod("a", "1", "n1")), IsOk());
  ASSERT_THAT(pods.Add(Pod("a", "2", "n1")), IsOk());
  EXPECT_THAT(pods.IndexKeys("node", "n1"), IsOkAndHolds(ElementsAre("a/1", "a/2")));
  const auto moved = Pod("a", "1", "n2");
  ASSERT_THAT(pods.Update(moved), IsOk());
  EXPECT_THAT(pods.IndexKeys("node", "n1"), IsOkAndHolds(ElementsAre("a/2")));
  EXPECT_EQ((*pods.ByIndex("node", "n2")).begin().shared(), moved);
  ASSERT_THAT(pods.DeleteByKey("a/2"), IsOk());
  EXPECT_THAT(pods.ListIndexFuncValues("node"), ElementsAre("n2"));
  EXPECT_THAT(NamesOf(*pods.ByIndex("node", "n1")), IsEmpty());
}

// An update that leaves the value as it was: the index has the new object.
TEST(Indexer, IndexesHaveTheObjectOfTheStore) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")), IsOk());
  ASSERT_THAT(pods.Add(Pod("a", "1", "n1", "1")), IsOk());
  const auto newer = Pod("a", "1", "n1", "2");
  ASSERT_THAT(pods.Update(newer), IsOk());
  EXPECT_THAT((*pods.ByIndex("node", "n1")).ToVector(), ElementsAre(newer));
}

TEST(Indexer, IndexUnitesTheValuesOfAnObject) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.AddIndexer("finalizer", IndexByField<corev1::Pod>("metadata.finalizers")),
              IsOk());
  const auto make = [](const char* name, std::vector<std::string> finalizers) {
    corev1::Pod pod = {.metadata = {.name = name}};
    for (const std::string& f : finalizers) pod.metadata.finalizers.push_back(f);
    return std::make_shared<const corev1::Pod>(std::move(pod));
  };
  const auto x = make("x", {"a"});
  const auto xy = make("xy", {"a", "b", "a"});
  const auto z = make("z", {"c"});
  for (const auto& pod : {x, xy, z}) ASSERT_THAT(pods.Add(pod), IsOk());
  EXPECT_THAT(pods.Index("finalizer", *xy), IsOkAndHolds(UnorderedElementsAre(x, xy)));
  EXPECT_THAT(pods.Index("finalizer", *z), IsOkAndHolds(ElementsAre(z)));
  EXPECT_THAT(pods.Index("finalizer", {}), IsOkAndHolds(IsEmpty()));
}

// At any time.
// behaviour.md: INF-14
TEST(Indexer, AddsIndexersWhileItHasObjects) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.Add(Pod("a", "1", "n1")), IsOk());
  const IndexFunction<corev1::Pod> by_node = *IndexByField<corev1::Pod>("spec.nodeName");
  ASSERT_THAT(pods.AddIndexers({{"node", by_node}, {"again", by_node}}), IsOk());
  EXPECT_THAT(pods.ListIndexers(), ElementsAre("again", "node"));
  EXPECT_THAT(pods.IndexKeys("again", "n1"), IsOkAndHolds(ElementsAre("a/1")));
  EXPECT_THAT(pods.AddIndexers({{"node", by_node}, {"other", by_node}}),
              StatusIs(absl::StatusCode::kAlreadyExists, "indexer conflict: node"));
  EXPECT_THAT(pods.ListIndexers(), ElementsAre("again", "node"));
}

TEST(Indexer, RemovesAnIndexerWhichSnapshotsKeep) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.Add(Pod("a", "1", "n1")), IsOk());
  const IndexFunction<corev1::Pod> by_node = *IndexByField<corev1::Pod>("spec.nodeName");
  ASSERT_THAT(pods.AddIndexers({{"node", by_node}, {"again", by_node}}), IsOk());
  const Snapshot<corev1::Pod> before = pods.snapshot();
  pods.RemoveIndexer("node");
  pods.RemoveIndexer("other");
  EXPECT_THAT(pods.ListIndexers(), ElementsAre("again"));
  EXPECT_THAT(pods.IndexKeys("node", "n1"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(before.IndexKeys("node", "n1"), IsOkAndHolds(ElementsAre("a/1")));
  // The other index follows, and the name is free.
  ASSERT_THAT(pods.Add(Pod("a", "2", "n1")), IsOk());
  EXPECT_THAT(pods.IndexKeys("again", "n1"), IsOkAndHolds(ElementsAre("a/1", "a/2")));
  EXPECT_THAT(pods.AddIndexer("node", by_node), IsOk());
}

// "Index with name x does not exist", and ListIndexFuncValues has no error.
TEST(Indexer, ByIndex_UnknownIndex_IsNotFound) {
  const Indexer<corev1::Pod> pods;
  const auto missing = StatusIs(absl::StatusCode::kNotFound, "Index with name x does not exist");
  EXPECT_THAT(pods.ByIndex("x", "").status(), missing);
  EXPECT_THAT(pods.IndexKeys("x", "").status(), missing);
  EXPECT_THAT(pods.Index("x", {}).status(), missing);
  EXPECT_THAT(pods.ListIndexFuncValues("x"), IsEmpty());
}

// client-go panics here.
// behaviour.md: INF-14
TEST(Indexer, KeepsObjectsThatAnIndexFunctionRefuses) {
  Indexer<corev1::Pod> pods;
  const IndexFunction<corev1::Pod> picky =
      [](const corev1::Pod& pod) -> absl::StatusOr<std::vector<std::string>> {
    if (pod.spec.node_name.empty()) return absl::InvalidArgumentError("no node");
    return std::vector<std::string>{std::string(pod.spec.node_name)};
  };
  ASSERT_THAT(pods.AddIndexers({{"node", picky}}), IsOk());
  const auto refused =
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "unable to calculate an index entry for key \"a/1\" on index \"node\": no node");
  EXPECT_THAT(pods.Add(Pod("a", "1")), refused);
  EXPECT_EQ(pods.size(), 1u);
  EXPECT_THAT(pods.ListIndexFuncValues("node"), IsEmpty());
  EXPECT_THAT(pods.Update(Pod("a", "1", "n1")), IsOk());
  EXPECT_THAT(pods.IndexKeys("node", "n1"), IsOkAndHolds(ElementsAre("a/1")));
  EXPECT_THAT(pods.Update(Pod("a", "1")), refused);
  EXPECT_THAT(pods.ListIndexFuncValues("node"), IsEmpty());
  EXPECT_THAT(pods.Replace({Pod("a", "1"), Pod("a", "2", "n2")}, ""), refused);
  EXPECT_THAT(pods.ListIndexFuncValues("node"), ElementsAre("n2"));
  EXPECT_THAT(pods.AddIndexers({{"same", picky}}).message(), HasSubstr("on index \"same\""));
  EXPECT_THAT(pods.ListIndexFuncValues("same"), ElementsAre("n2"));
}

TEST(Indexer, Snapshot_AfterWrites_DoesNotChange) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")), IsOk());
  ASSERT_THAT(pods.Replace({Pod("a", "1", "n1"), Pod("a", "2", "n1")}, "5"), IsOk());
  const Snapshot<corev1::Pod> before = pods.snapshot();
  const ObjectList<corev1::Pod> list = pods.List("a");
  ASSERT_THAT(pods.Apply({{.object = Pod("a", "1"), .removed = true}, {.object = Pod("a", "3")}}),
              IsOk());
  ASSERT_THAT(pods.Update(Pod("a", "2", "n2")), IsOk());
  EXPECT_THAT(NamesOf(before.List()), ElementsAre("1", "2"));
  EXPECT_THAT(NamesOf(list), ElementsAre("1", "2"));
  EXPECT_THAT(before.IndexKeys("node", "n1"), IsOkAndHolds(ElementsAre("a/1", "a/2")));
  EXPECT_EQ(before.resource_version(), "5");
  EXPECT_THAT(NamesOf(pods.List()), ElementsAre("2", "3"));
}

TEST(Indexer, Update_WithoutSnapshots_ReleasesTheReplacedObject) {
  Indexer<corev1::Pod> pods;
  auto first = Pod("a", "1", "n1");
  const std::weak_ptr<const corev1::Pod> watched = first;
  ASSERT_THAT(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")), IsOk());
  ASSERT_THAT(pods.Add(std::move(first)), IsOk());
  {
    const Snapshot<corev1::Pod> keeps = pods.snapshot();
    ASSERT_THAT(pods.Update(Pod("a", "1", "n2")), IsOk());
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Indexer, HoldsObjectsWithoutATypeAndMetadataAlone) {
  Indexer<unstructured::Unstructured> foos;
  unstructured::Unstructured foo;
  foo.set_namespace("a");
  foo.set_name("1");
  foo.set_resource_version("4");
  ASSERT_THAT(foos.Add(std::make_shared<const unstructured::Unstructured>(foo)), IsOk());
  EXPECT_EQ(*foos.GetByKey("a/1"), foo);
  EXPECT_EQ(foos.resource_version(), "4");
  EXPECT_GT(foos.MeasureMemory().object_bytes, sizeof(foo));

  Indexer<metav1::PartialObjectMetadata> metadata;
  ASSERT_THAT(metadata.Add(std::make_shared<const metav1::PartialObjectMetadata>(
                  metav1::PartialObjectMetadata{.metadata = {.name = "1", .namespace_ = "a"}})),
              IsOk());
  EXPECT_THAT(metadata.ListKeys(), ElementsAre("a/1"));
}

TEST(Indexer, MeasuresItsMemory) {
  Indexer<corev1::Pod> pods;
  std::vector<std::shared_ptr<const corev1::Pod>> list;
  for (int i = 0; i < 1000; ++i) list.push_back(Pod("a", std::to_string(i)));
  ASSERT_THAT(pods.Replace(list, "1"), IsOk());
  const MemoryUsage usage = pods.MeasureMemory();
  EXPECT_EQ(usage.objects, 1000u);
  EXPECT_GE(usage.object_bytes, 1000 * sizeof(corev1::Pod));
  EXPECT_EQ(usage.shared_bytes, 0u);
  EXPECT_LT(usage.structure_bytes, 1000 * 28u);
}

}  // namespace
}  // namespace kube::listers
