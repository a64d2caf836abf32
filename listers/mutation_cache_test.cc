#include "listers/mutation_cache.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gtest/gtest.h"
#include "listers/indexer.h"

namespace kube::listers {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;

std::shared_ptr<const corev1::Pod> Pod(absl::string_view name, absl::string_view version) {
  return std::make_shared<const corev1::Pod>(
      corev1::Pod{.metadata = {.name = name, .namespace_ = "prod", .resource_version = version}});
}

class MutationCacheTest : public testing::Test {
 protected:
  std::string Version(MutationCache<corev1::Pod>& cache, absl::string_view key = "prod/a") {
    const auto pod = cache.GetByKey(key);
    return pod == nullptr ? "none" : std::string(pod->metadata.resource_version.view());
  }

  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  std::shared_ptr<Indexer<corev1::Pod>> store_ = std::make_shared<Indexer<corev1::Pod>>();
};

// behaviour.md: INF-13
TEST_F(MutationCacheTest, TheNewerOneCounts) {
  MutationCache<corev1::Pod> cache(store_);
  ASSERT_THAT(store_->Add(Pod("a", "9")), IsOk());
  EXPECT_EQ(Version(cache), "9");
  cache.Mutation(Pod("a", "10"));
  EXPECT_EQ(Version(cache), "10");
  cache.Mutation(Pod("a", "8"));
  EXPECT_EQ(Version(cache), "10");
  ASSERT_THAT(store_->Add(Pod("a", "11")), IsOk());
  EXPECT_EQ(Version(cache), "11");
  // It was forgotten.
  ASSERT_THAT(store_->Add(Pod("a", "7")), IsOk());
  EXPECT_EQ(Version(cache), "7");
}

// behaviour.md: INF-13
TEST_F(MutationCacheTest, WhatTheStoreLacksIsNotThereUnlessThatIsWanted) {
  MutationCache<corev1::Pod> cache(store_);
  MutationCache<corev1::Pod> with_adds(store_, {.include_adds = true});
  cache.Mutation(Pod("a", "1"));
  with_adds.Mutation(Pod("a", "1"));
  EXPECT_EQ(Version(cache), "none");
  EXPECT_EQ(Version(with_adds), "1");
}

// behaviour.md: INF-13
TEST_F(MutationCacheTest, ForgetsAfterFiveMinutesAndAHundredWrites) {
  MutationCache<corev1::Pod> cache(store_, {.include_adds = true});
  cache.Mutation(Pod("a", "1"));
  clock_.Step(absl::Minutes(5) - absl::Seconds(1));
  EXPECT_EQ(Version(cache), "1");
  clock_.Step(absl::Seconds(1));
  EXPECT_EQ(Version(cache), "none");
  cache.Mutation(Pod("a", "1"));
  cache.Mutation(Pod("b", "1"));
  for (int i = 0; i < 98; ++i) cache.Mutation(Pod(absl::StrCat("m", i), "1"));
  EXPECT_EQ(Version(cache), "1");  // and is the one used last
  cache.Mutation(Pod("more", "1"));
  EXPECT_EQ(Version(cache), "1");
  EXPECT_EQ(Version(cache, "prod/b"), "none");
}

constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

// The example of MutationCache.
absl::StatusOr<std::shared_ptr<const corev1::Pod>> Write(const Context& ctx, const Pods& pods,
                                                         const corev1::Pod& pod,
                                                         MutationCache<corev1::Pod>& cache) {
  KUBE_ASSIGN_OR_RETURN(corev1::Pod updated, pods.Update(ctx, pod));
  cache.Mutation(std::make_shared<const corev1::Pod>(std::move(updated)));
  return cache.GetByKey("prod/a");  // as new as `updated`, or newer
}

TEST_F(MutationCacheTest, ReturnsWhatWasWritten_AsInTheHeader) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect(
      {.method = "PUT"},
      rest::JsonReply(R"({"metadata":{"name":"a","namespace":"prod","resourceVersion":"10"}})"));
  const Pods pods = Pods(rest::MakeScriptedClient(transport), kPods).Namespace("prod");
  ASSERT_THAT(store_->Add(Pod("a", "9")), IsOk());
  MutationCache<corev1::Pod> cache(store_);
  const auto newest = Write(Context(), pods, *Pod("a", "9"), cache);
  ASSERT_THAT(newest, IsOk());
  EXPECT_EQ((*newest)->metadata.resource_version, "10");
}

}  // namespace
}  // namespace kube::listers
