#include "clientset/discovery/internal/fetch_group_versions.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/discovery/server_resources.h"
#include "gtest/gtest.h"

namespace kube::discovery::internal {
namespace {

TEST(FetchGroupVersions, Fetch_AnyNumber_AnswersAreInTheOrderOfTheNames) {
  for (const int count : {0, 1, 2, kMaxFetchThreads, 3 * kMaxFetchThreads + 1}) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(absl::StrCat("g/v", i));
    std::atomic<int> calls = 0;
    const std::vector<absl::StatusOr<ResourceList>> answers = FetchGroupVersions(
        Context(), names,
        [&calls](const Context&, const std::string& name) -> absl::StatusOr<ResourceList> {
          ++calls;
          if (name == "g/v1") return absl::NotFoundError(name);
          auto list = std::make_shared<api::meta::v1::APIResourceList>();
          list->group_version = name;
          return list;
        });
    EXPECT_EQ(calls, count);
    ASSERT_EQ(answers.size(), names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      if (i == 1) {
        EXPECT_TRUE(absl::IsNotFound(answers[i].status()));
      } else {
        EXPECT_EQ((*answers[i])->group_version, names[i]);
      }
    }
  }
}

}  // namespace
}  // namespace kube::discovery::internal
