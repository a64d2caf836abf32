#include "clientset/podcopy/internal/archive_tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/podcopy/internal/tar_reader.h"
#include "clientset/podcopy/testing/tar_recorder.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podcopy::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ArchiveTreeTest : public testing::Test {
 protected:
  // Archives a path of the folder, and reads the archive again.
  absl::Status Archive(const std::string& path, const std::string& name) {
    std::string archive;
    const auto sink = [&](absl::string_view bytes) {
      largest_piece_ = std::max(largest_piece_, bytes.size());
      absl::StrAppend(&archive, bytes);
      return absl::OkStatus();
    };
    const auto warn = [this](absl::string_view warning) { warnings_.emplace_back(warning); };
    const absl::Status status = ArchiveTree(folder_.Path(path), name, sink, warn);
    TarReader reader(recorder_);
    EXPECT_THAT(reader.Receive(archive), IsOk());
    EXPECT_EQ(reader.done(), status.ok());
    return status;
  }

  void MakeFolder(const std::string& path) {
    std::filesystem::create_directories(folder_.Path(path));
  }

  const rest::TestFolder folder_;
  TarRecorder recorder_;
  std::vector<std::string> warnings_;
  size_t largest_piece_ = 0;
};

TEST_F(ArchiveTreeTest, ArchivesAFile) {
  folder_.Write("a.txt", "hello");
  ASSERT_EQ(::chmod(folder_.Path("a.txt").c_str(), 0640), 0);
  EXPECT_THAT(Archive("a.txt", "b.txt"), IsOk());
  EXPECT_THAT(recorder_.Lines(), ElementsAre("b.txt 5"));
  EXPECT_EQ(recorder_.members()[0].content, "hello");
  EXPECT_EQ(recorder_.members()[0].entry.mode, 0640u);
  EXPECT_GT(recorder_.members()[0].entry.mtime, 1'600'000'000);
}

TEST_F(ArchiveTreeTest, ArchivesAFolderInOrder) {
  MakeFolder("site/img/empty");
  MakeFolder("site/css");
  folder_.Write("site/index.html", "12");
  folder_.Write("site/img/logo", "123");
  folder_.Write("site/css/z", "1");
  folder_.Write("site/css/a", "");
  EXPECT_THAT(Archive("site", "www"), IsOk());
  EXPECT_THAT(recorder_.Lines(), ElementsAre("www/css/a 0", "www/css/z 1", "www/img/empty/",
                                             "www/img/logo 3", "www/index.html 2"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ArchiveTreeTest, ArchivesWhatIsInAFolder) {
  MakeFolder("site/css");
  folder_.Write("site/css/a", "");
  folder_.Write("site/b", "");
  EXPECT_THAT(Archive("site", ""), IsOk());
  EXPECT_THAT(recorder_.Lines(), ElementsAre("b 0", "css/a 0"));
}

// behaviour.md: ST-61
TEST_F(ArchiveTreeTest, ArchivesAnEmptyFolder) {
  MakeFolder("empty");
  EXPECT_THAT(Archive("empty", "a"), IsOk());
  EXPECT_THAT(recorder_.Lines(), ElementsAre("a/"));
}

TEST_F(ArchiveTreeTest, ArchivesNothingOfAnEmptyFolderWithoutAName) {
  MakeFolder("empty");
  EXPECT_THAT(Archive("empty", ""), IsOk());
  EXPECT_THAT(recorder_.Lines(), IsEmpty());
}

// behaviour.md: ST-61
TEST_F(ArchiveTreeTest, ArchivesLinksAsLinks) {
  MakeFolder("site");
  folder_.Write("outside", "secret");
  std::filesystem::create_symlink("../outside", folder_.Path("site/link"));
  std::filesystem::create_symlink("nowhere", folder_.Path("site/dangling"));
  EXPECT_THAT(Archive("site", "www"), IsOk());
  EXPECT_THAT(recorder_.Lines(), ElementsAre("www/dangling -> nowhere", "www/link -> ../outside"));
}

TEST_F(ArchiveTreeTest, LeavesOutPipes) {
  MakeFolder("site");
  ASSERT_EQ(::mkfifo(folder_.Path("site/pipe").c_str(), 0600), 0);
  folder_.Write("site/z", "");
  EXPECT_THAT(Archive("site", "www"), IsOk());
  EXPECT_THAT(recorder_.Lines(), ElementsAre("www/z 0"));
  EXPECT_THAT(warnings_, ElementsAre(absl::StrCat("skipping \"", folder_.Path("site/pipe"),
                                                  "\": not a file, folder or link")));
}

TEST_F(ArchiveTreeTest, SendsLargeFilesInPieces) {
  const std::string content(size_t{3} << 20, 'x');
  folder_.Write("large", content);
  EXPECT_THAT(Archive("large", "large"), IsOk());
  ASSERT_THAT(recorder_.Lines(), ElementsAre(absl::StrCat("large ", content.size())));
  EXPECT_TRUE(recorder_.members()[0].content == content);
  EXPECT_LE(largest_piece_, size_t{256} << 10);
}

TEST_F(ArchiveTreeTest, NamesThePathOfAnError) {
  EXPECT_THAT(Archive("none", "a"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(folder_.Path("none"))));
}

TEST_F(ArchiveTreeTest, AFileNeedsAName) {
  folder_.Write("a", "");
  EXPECT_THAT(Archive("a", ""), StatusIs(absl::StatusCode::kInvalidArgument,
                                         HasSubstr("the destination has no file name")));
}

TEST_F(ArchiveTreeTest, EndsWithTheErrorOfTheSink) {
  folder_.Write("a", "hello");
  const auto sink = [](absl::string_view) { return absl::UnavailableError("connection lost"); };
  const auto warn = [](absl::string_view) {};
  EXPECT_THAT(ArchiveTree(folder_.Path("a"), "a", sink, warn),
              StatusIs(absl::StatusCode::kUnavailable, "connection lost"));
}

}  // namespace
}  // namespace kube::podcopy::internal
