#include "clientset/clientcmd/internal/file_lock.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd::internal {
namespace {

// behaviour.md: KC-10
TEST(FileLocks, OneHolderAtATime) {
  const std::string path = absl::StrCat(testing::TempDir(), "/new/config");
  FileLocks second;
  {
    FileLocks first;
    ASSERT_TRUE(first.Lock(Context(), path, absl::ZeroDuration()).ok());
    EXPECT_TRUE(std::filesystem::exists(path + ".lock"));
    EXPECT_THAT(second.Lock(Context(), path, absl::ZeroDuration()),
                base::StatusIs(absl::StatusCode::kUnavailable));
  }
  EXPECT_TRUE(second.Lock(Context(), path, absl::ZeroDuration()).ok());
}

}  // namespace
}  // namespace kube::clientcmd::internal
