#include "net/io/secret_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::io {
namespace {

using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using Result = SecretReader::Result;

TEST(SecretReaderTest, CollectsUpToTheLimit) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  SecretReader reader(5);
  EXPECT_EQ(reader.ReadFrom(ends[0]), Result::kWouldBlock);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  EXPECT_EQ(reader.ReadFrom(ends[0]), Result::kMore);
  ASSERT_EQ(write(ends[1], "de", 2), 2);
  EXPECT_EQ(reader.ReadFrom(ends[0]), Result::kMore);
  ASSERT_EQ(write(ends[1], "f", 1), 1);
  EXPECT_EQ(reader.ReadFrom(ends[0]), Result::kTooLong);
  close(ends[1]);
  EXPECT_EQ(reader.ReadFrom(ends[0]), Result::kEnd);
  close(ends[0]);
  EXPECT_EQ(reader.ReadFrom(ends[0]), Result::kError);
  EXPECT_EQ(reader.Take(), base::Secret("abcde"));
}

TEST(ReadSecretFileTest, Reads) {
  const rest::TestFolder folder;
  const std::string long_text(100'000, 'x');
  EXPECT_THAT(ReadSecretFile(folder.Write("a", long_text)), IsOkAndHolds(base::Secret(long_text)));
}

TEST(ReadSecretFileTest, ErrorsNameTheFile) {
  const rest::TestFolder folder;
  const auto error = [&](const std::string& name, const std::string& cause) {
    return StatusIs(absl::StatusCode::kInvalidArgument,
                    absl::StrCat("read \"", folder.Path(name), "\": ", cause));
  };
  EXPECT_THAT(ReadSecretFile(folder.Path("none")), error("none", "No such file or directory"));
  EXPECT_THAT(ReadSecretFile(folder.Path("")), error("", "Is a directory"));
  EXPECT_THAT(ReadSecretFile(folder.Write("empty", "")), error("empty", "the file is empty"));
  EXPECT_THAT(ReadSecretFile(folder.Write("blank", " \n")), error("blank", "the file is empty"));
  EXPECT_THAT(ReadSecretFile(folder.Write("long", std::string((4 << 20) + 1, 'x'))),
              error("long", "file is larger than 4194304 bytes"));
}

}  // namespace
}  // namespace kube::io
