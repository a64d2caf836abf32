#include "envtest/testing/world.h"

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using base::IsOk;

INSTANTIATE_TEST_SUITE_P(Forms, WorldTest,
                         testing::Values(Form::kInProcess, Form::kHttp1, Form::kHttp2), FormName);

TEST_P(WorldTest, ServesItsUsers) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps("jane");
    ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "a"}}), IsOk());
    EXPECT_THAT(world.MakeSecrets().List(Context()), IsOk());
    EXPECT_EQ(world.server().Requests()[0].user, "jane");
    EXPECT_EQ(world.server().Requests()[1].user, "admin");
  });
}

TEST_P(WorldTest, TellsInShortWhatComes) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    auto watcher = maps.Watch(Context(), {.resource_version = "1", .timeout_seconds = 1});
    ASSERT_THAT(watcher, IsOk());
    EXPECT_EQ(Next(**watcher, absl::ZeroDuration()), "QUIET");
    ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "a"}}), IsOk());
    EXPECT_EQ(Next(**watcher), "ADDED a");
    EXPECT_EQ(Next(**watcher), "END");
  });
}

}  // namespace
}  // namespace kube::envtest
