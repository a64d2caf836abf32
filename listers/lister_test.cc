#include "listers/lister.h"

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/typed/reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/index_function.h"
#include "listers/indexer.h"
#include "listers/reader.h"
#include "listers/selected_objects.h"

namespace kube::listers {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using unstructured::Unstructured;

// What comes out of a cache does not change: these do not compile.
template <typename T>
concept GivesAway = requires(const Lister<T>& lister, const SelectedObjects<T>& selected,
                             const typed::Reader<T>& reader) {
  requires std::convertible_to<decltype(*lister.Get("a")), std::shared_ptr<T>> ||
      std::convertible_to<decltype(*lister.Namespace("a").Get("a")), std::shared_ptr<T>> ||
      std::convertible_to<decltype(*lister.List().begin()), T&> ||
      std::convertible_to<decltype(lister.List().begin().shared()), std::shared_ptr<T>> ||
      std::convertible_to<decltype(*lister.Namespace("a").List().begin()), T&> ||
      std::convertible_to<decltype(*selected.begin()), T&> ||
      std::convertible_to<decltype(selected.begin().shared()), std::shared_ptr<T>> ||
      std::convertible_to<decltype(*lister.ByIndex("a", "b")->begin()), T&> ||
      std::convertible_to<decltype(lister.snapshot().GetByKey("a")), std::shared_ptr<T>> ||
      std::convertible_to<decltype(*reader.Get(Context(), "a", "b")), std::shared_ptr<T>>;
};
static_assert(!GivesAway<corev1::Pod>);
static_assert(!GivesAway<Unstructured>);
// The concept is not always untrue: what is const, is there.
static_assert(std::convertible_to<decltype(*Lister<corev1::Pod>(nullptr, {}).List().begin()),
                                  const corev1::Pod&>);
template <typename Store>
concept CanBeWritten = requires(Store& store, std::shared_ptr<const corev1::Pod> pod) {
  store.Add(pod);
};
static_assert(CanBeWritten<Indexer<corev1::Pod>> && !CanBeWritten<const Indexer<corev1::Pod>>);

std::shared_ptr<Indexer<corev1::Pod>> Pods() {
  auto store = std::make_shared<Indexer<corev1::Pod>>();
  const struct {
    const char* namespace_name;
    const char* name;
    const char* app;
  } kPods[] = {{"prod", "a", "web"}, {"prod", "b", "db"}, {"test", "a", "web"}, {"", "n", ""}};
  for (const auto& p : kPods) {
    auto pod = std::make_shared<corev1::Pod>();
    pod->metadata.namespace_ = p.namespace_name;
    pod->metadata.name = p.name;
    pod->metadata.labels["app"] = p.app;
    EXPECT_THAT(store->Add(pod), IsOk());
  }
  return store;
}

template <typename Range>
std::vector<std::string> KeysOf(const Range& pods) {
  std::vector<std::string> keys;
  for (const corev1::Pod& pod : pods) keys.push_back(meta::MetaNamespaceKey(pod));
  return keys;
}

// behaviour.md: INF-16
TEST(Lister, ListsAndGets) {
  const Lister<corev1::Pod> lister(Pods(), {.resource = "pods"});
  EXPECT_THAT(KeysOf(lister.List()), UnorderedElementsAre("prod/a", "prod/b", "test/a", "n"));
  EXPECT_THAT(KeysOf(lister.Namespace("prod").List()), UnorderedElementsAre("prod/a", "prod/b"));
  const auto web = labels::Parse("app=web");
  EXPECT_THAT(KeysOf(lister.List(*web)), UnorderedElementsAre("prod/a", "test/a"));
  EXPECT_THAT(KeysOf(lister.Namespace("prod").List(*web)), ElementsAre("prod/a"));
  EXPECT_THAT(KeysOf(lister.List(labels::Nothing())), IsEmpty());
  EXPECT_TRUE(lister.List(labels::Nothing()).empty());
  EXPECT_FALSE(lister.List(*web).empty());
  EXPECT_EQ(lister.List(*web).ToVector().size(), 2u);
  EXPECT_EQ((*lister.Namespace("test").Get("a"))->metadata.namespace_, "test");
  EXPECT_EQ((*lister.Get("n"))->metadata.name, "n");
}

// The example of Lister.
absl::StatusOr<std::vector<std::string>> WebsOf(const listers::Lister<corev1::Pod>& pods) {
  std::vector<std::string> names;
  KUBE_ASSIGN_OR_RETURN(const auto pod, pods.Namespace("prod").Get("a"));
  names.emplace_back(pod->metadata.name);
  KUBE_ASSIGN_OR_RETURN(const labels::Selector webs, labels::Parse("app=web"));
  for (const corev1::Pod& web : pods.List(webs)) names.emplace_back(web.metadata.name);
  return names;
}

TEST(Lister, GetsOneAndListsBySelector_AsInTheHeader) {
  EXPECT_THAT(WebsOf(Lister<corev1::Pod>(Pods(), {.resource = "pods"})),
              base::IsOkAndHolds(ElementsAre("a", "a", "a")));
}

// behaviour.md: INF-16
TEST(Lister, NotFoundIsTheServers) {
  const Lister<corev1::Pod> pods(Pods(), {.resource = "pods"});
  const absl::Status status = pods.Namespace("prod").Get("x").status();
  EXPECT_TRUE(errors::IsNotFound(status));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound, "pods \"x\" not found"));
  const Lister<corev1::Pod> others(Pods(), {.group = "apps", .resource = "deployments"});
  EXPECT_EQ(others.Get("y").status().message(), "deployments.apps \"y\" not found");
}

TEST(Lister, FindsByIndex) {
  const auto store = Pods();
  const Lister<corev1::Pod> lister(store, {.resource = "pods"});
  EXPECT_THAT(lister.ByIndex("app", "db"), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_THAT(store->AddIndexer("app", IndexFunction<corev1::Pod>([](const corev1::Pod& pod) {
                                  return std::vector<std::string>{
                                      std::string(pod.metadata.labels.find("app")->view())};
                                })),
              IsOk());
  EXPECT_THAT(KeysOf(*lister.ByIndex("app", "db")), ElementsAre("prod/b"));
}

TEST(Lister, List_AfterTheStoreWasMovedIn_ReturnsItsObjects) {
  auto store = Pods();
  const Lister<corev1::Pod> lister(std::move(store), {.resource = "pods"});
  const auto list = lister.List(labels::Everything());
  EXPECT_THAT(KeysOf(list).size(), 4u);
}

TEST(Lister, SelectsUnstructuredObjects) {
  auto store = std::make_shared<Indexer<Unstructured>>();
  auto object = std::make_shared<Unstructured>();
  object->set_name("a");
  object->set_labels({{"app", "web"}});
  ASSERT_THAT(store->Add(object), IsOk());
  const Lister<Unstructured> lister(store, {.resource = "widgets"});
  EXPECT_EQ(lister.List(*labels::Parse("app=web")).ToVector().size(), 1u);
  EXPECT_EQ(lister.List(*labels::Parse("app!=web")).ToVector().size(), 0u);
  EXPECT_EQ(lister.List(labels::Everything()).ToVector().size(), 1u);
}

TEST(Reader, GetAndList_OfALister_ReadTheCache) {
  const auto reader = ReaderOf(Lister<corev1::Pod>(Pods(), {.resource = "pods"}));
  const Context ctx;
  EXPECT_EQ((*reader->Get(ctx, "prod", "b"))->metadata.name, "b");
  EXPECT_TRUE(errors::IsNotFound(reader->Get(ctx, "prod", "x").status()));
  EXPECT_EQ(reader->List(ctx, {})->size(), 4u);
  EXPECT_EQ(reader->List(ctx, {.namespace_name = "prod"})->size(), 2u);
  EXPECT_EQ(
      reader->List(ctx, {.namespace_name = "prod", .selector = *labels::Parse("app=db")})->size(),
      1u);
}

}  // namespace
}  // namespace kube::listers
