#include "clientset/discovery/testing/aging_discovery.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

using testing::ElementsAre;

TEST(AgingDiscovery, AnswersWhatIsNewAfterInvalidate) {
  AgingDiscovery discovery;
  std::vector<std::string> calls;
  discovery.SetAfterAnswer([&] { calls.push_back("after answer"); });
  discovery.SetBeforeInvalidate([&] {
    calls.push_back("before invalidate");
    EXPECT_FALSE(discovery.Fresh());
  });
  EXPECT_THAT(discovery.ServerResourcesForGroupVersion(Context(), "batch/v1"),
              base::StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(discovery.ServerResourcesForGroupVersion(Context(), "batch/v1beta1"), base::IsOk());
  EXPECT_EQ((*discovery.ServerGroups(Context()))->groups[0].preferred_version.version, "v1beta1");
  discovery.Invalidate();
  discovery.Invalidate();
  EXPECT_TRUE(discovery.Fresh());
  EXPECT_THAT(discovery.ServerResourcesForGroupVersion(Context(), "batch/v1"), base::IsOk());
  EXPECT_EQ((*discovery.ServerGroups(Context()))->groups[0].preferred_version.version, "v1");
  EXPECT_THAT(calls, ElementsAre("after answer", "before invalidate"));
}

}  // namespace
}  // namespace kube::discovery
