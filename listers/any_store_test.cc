#include "listers/any_store.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/any_change.h"
#include "listers/indexer.h"
#include "listers/stored_object.h"

namespace kube::listers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::UnorderedElementsAre;

std::shared_ptr<const corev1::Pod> Pod(std::string name, std::string version) {
  corev1::Pod pod;
  pod.metadata.namespace_ = "prod";
  pod.metadata.name = std::move(name);
  pod.metadata.resource_version = std::move(version);
  return std::make_shared<const corev1::Pod>(std::move(pod));
}

absl::Status Apply(AnyStore& store, std::vector<AnyChange>& changes) {
  return store.Apply(changes.size(), [&](size_t i) -> AnyChange& { return changes[i]; });
}

TEST(StoredObject, HasItsMetadata) {
  const auto pod = Pod("web", "7");
  EXPECT_EQ(NamespaceOf(*pod), "prod");
  EXPECT_EQ(NameOf(*pod), "web");
  EXPECT_EQ(ResourceVersionOf(*pod), "7");
}

TEST(AnyStore, ApplyReturnsThePreviousObjects) {
  Indexer<corev1::Pod> pods;
  const auto old = Pod("web", "1");
  ASSERT_THAT(pods.Add(old), IsOk());
  std::vector<AnyChange> changes = {{.object = Pod("web", "2")},
                                    {.object = Pod("db", "3")},
                                    {.object = Pod("missing", "4"), .is_removal = true}};
  EXPECT_THAT(Apply(pods.any(), changes), IsOk());
  EXPECT_EQ(changes[0].old_object, old);
  EXPECT_EQ(changes[1].old_object, nullptr);
  EXPECT_EQ(changes[2].old_object, nullptr);
  EXPECT_EQ(pods.size(), 2);
  EXPECT_EQ(pods.resource_version(), "4");
}

TEST(AnyStore, RemovalsMayKeepTheResourceVersion) {
  Indexer<corev1::Pod> pods;
  const auto old = Pod("web", "1");
  ASSERT_THAT(pods.Add(old), IsOk());
  std::vector<AnyChange> changes = {
      {.object = Pod("web", "9"), .is_removal = true, .keeps_resource_version = true}};
  EXPECT_THAT(Apply(pods.any(), changes), IsOk());
  EXPECT_EQ(changes[0].old_object, old);
  EXPECT_EQ(pods.size(), 0);
  EXPECT_EQ(pods.resource_version(), "1");
}

TEST(AnyStore, ApplyRefusesInvalidKeys) {
  Indexer<corev1::Pod> pods;
  std::vector<AnyChange> changes = {{.object = Pod("web", "1")}, {.object = Pod("a/b", "2")}};
  EXPECT_THAT(Apply(pods.any(), changes), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(pods.size(), 0);
  EXPECT_THAT(AnyStore::CheckKey("prod", "a/b"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(AnyStore::CheckKey("prod", "web"), IsOk());
}

TEST(AnySnapshot, Snapshot_AfterWrites_DoesNotChange) {
  Indexer<corev1::Pod> pods;
  ASSERT_THAT(pods.any().Replace({Pod("web", "1"), Pod("db", "2")}, "5"), IsOk());
  const AnySnapshot before = pods.any().snapshot();
  ASSERT_THAT(pods.any().Replace({Pod("web", "6")}, "6"), IsOk());
  pods.any().Bookmark("7");

  std::vector<std::string> names;
  before.ForEach([&](const std::shared_ptr<const void>& object) {
    names.emplace_back(NameOf(*static_cast<const corev1::Pod*>(object.get())));
  });
  EXPECT_THAT(names, UnorderedElementsAre("web", "db"));
  EXPECT_EQ(before.size(), 2);
  EXPECT_EQ(before.resource_version(), "5");
  EXPECT_NE(before.Get("prod", "db"), nullptr);

  const AnySnapshot after = pods.any().snapshot();
  EXPECT_EQ(after.Get("prod", "db"), nullptr);
  EXPECT_EQ(after.resource_version(), "7");
}

}  // namespace
}  // namespace kube::listers
