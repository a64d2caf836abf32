#include "clientset/clientcmd/internal/read_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd::internal {
namespace {

using testing::HasSubstr;

TEST(ReadFile, ShellsPipes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "kind: Config", 12), 12);
  close(ends[1]);
  EXPECT_EQ(ReadFile(absl::StrCat("/dev/fd/", ends[0])).value(), "kind: Config");
  close(ends[0]);
}

TEST(ReadFile, APipeWithoutAWriterEnds) {
  const std::string path = absl::StrCat(testing::TempDir(), "/fifo");
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(path, absl::Milliseconds(1)).status(),
              base::StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr(path)));
  EXPECT_TRUE(CheckReadable(path).ok());
}

TEST(ReadFile, ANameWithAZeroByteIsNotShortened) {
  const std::string path("/dev/null\0x", 11);
  EXPECT_THAT(ReadFile(path).status(),
              base::StatusIs(absl::StatusCode::kUnknown, HasSubstr("invalid argument")));
  EXPECT_FALSE(CheckReadable(path).ok());
}

}  // namespace
}  // namespace kube::clientcmd::internal
