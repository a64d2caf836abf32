#include "clientset/discovery/internal/cache_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/testing/test_folder.h"
#include "gtest/gtest.h"

namespace kube::discovery::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

unsigned ModeOf(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

absl::Status WriteCacheFile(const std::string& path, absl::string_view content) {
  KUBE_ASSIGN_OR_RETURN(NewCacheFile file, NewCacheFile::Write(path, content));
  return std::move(file).Replace();
}

TEST(CacheFile, Write_MakesFoldersAndReplacesTheFile) {
  const rest::TestFolder folder;
  const std::string path = folder.Path("a/b/c.json");
  const mode_t mask = umask(0022);
  ASSERT_THAT(WriteCacheFile(path, "one"), IsOk());
  umask(mask);
  EXPECT_EQ(ModeOf(folder.Path("a")), 0750);
  EXPECT_EQ(ModeOf(folder.Path("a/b")), 0750);
  EXPECT_EQ(ModeOf(path), 0660);
  EXPECT_THAT(ReadCacheFile(path, absl::InfinitePast()), IsOkAndHolds(std::string("one")));
  ASSERT_THAT(WriteCacheFile(path, "two"), IsOk());
  EXPECT_THAT(ReadCacheFile(path, absl::InfinitePast()), IsOkAndHolds(std::string("two")));
  // A new file that is dropped changes nothing.
  ASSERT_THAT(NewCacheFile::Write(path, "three"), IsOk());
  EXPECT_THAT(ReadCacheFile(path, absl::InfinitePast()), IsOkAndHolds(std::string("two")));
  // No temporary files are left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.Path("a/b")), {}), 1);
}

TEST(CacheFile, Read_FileOlderThanTheLimit_IsNotFound) {
  const rest::TestFolder folder;
  const std::string path = folder.Write("x", "text");
  EXPECT_THAT(ReadCacheFile(path, base::WallNow() - absl::Hours(1)), IsOk());
  EXPECT_THAT(ReadCacheFile(path, base::WallNow() + absl::Hours(1)),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(CacheFile, Read_FolderOrPipe_IsNotFound) {
  const rest::TestFolder folder;
  EXPECT_THAT(ReadCacheFile(folder.Path("x"), absl::InfinitePast()),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(ReadCacheFile(folder.Path("."), absl::InfinitePast()),
              StatusIs(absl::StatusCode::kNotFound));
  ASSERT_EQ(mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(ReadCacheFile(folder.Path("pipe"), absl::InfinitePast()),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(CacheFile, Write_ParentIsAFile_Fails) {
  const rest::TestFolder folder;
  const std::string file = folder.Write("x", "text");
  EXPECT_FALSE(WriteCacheFile(file + "/y", "text").ok());
  EXPECT_FALSE(WriteCacheFile(file + "/y/z", "text").ok());
}

}  // namespace
}  // namespace kube::discovery::internal
