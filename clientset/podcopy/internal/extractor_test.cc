#include "clientset/podcopy/internal/extractor.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/podcopy/internal/tar_entry.h"
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

TarEntry File(const std::string& name, uint32_t mode = 0644) {
  return {.name = name, .mode = mode};
}
TarEntry Folder(const std::string& name, uint32_t mode = 0755) {
  return {.name = name, .type = TarType::kFolder, .mode = mode};
}
TarEntry Symlink(const std::string& name, const std::string& target) {
  return {.name = name, .type = TarType::kSymlink, .link_target = target};
}
TarEntry HardLink(const std::string& name, const std::string& target) {
  return {.name = name, .type = TarType::kHardLink, .link_target = target};
}

// Archives of the folder /srv of a container, unpacked into the folder "target" of a test's folder,
// beside which there is a file "outside" and a folder "other".
class ExtractorTest : public testing::Test {
 protected:
  ExtractorTest() {
    folder_.Write("outside", "untouched");
    std::filesystem::create_directory(folder_.Path("other"));
    options_.prefix = {"srv"};
    options_.target = folder_.Path("target");
    options_.warn = [this](absl::string_view warning) { warnings_.emplace_back(warning); };
  }

  // Extracts entries, each with its name as the content.
  absl::Status Extract(const std::vector<TarEntry>& entries) {
    Extractor extractor(options_);
    for (const TarEntry& entry : entries) {
      KUBE_RETURN_IF_ERROR(extractor.OnEntry(entry));
      if (entry.type == TarType::kFile) KUBE_RETURN_IF_ERROR(extractor.OnData(entry.name));
      KUBE_RETURN_IF_ERROR(extractor.OnEntryEnd());
    }
    return absl::OkStatus();
  }

  std::string Path(const std::string& name) const {
    return folder_.Path(absl::StrCat("target/", name));
  }
  std::string Read(const std::string& name) const {
    return folder_.Read(absl::StrCat("target/", name));
  }
  // Returns the permissions of a file, and all other bits.
  mode_t ModeOf(const std::string& name) const {
    struct stat status = {};
    EXPECT_EQ(::lstat(Path(name).c_str(), &status), 0) << name;
    return status.st_mode & 07777;
  }
  bool Exists(const std::string& name) const {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(Path(name), ignored));
  }
  void ExpectNothingOutside() const {
    EXPECT_EQ(folder_.Read("outside"), "untouched");
    EXPECT_TRUE(std::filesystem::is_empty(folder_.Path("other")));
  }

  const rest::TestFolder folder_;
  ExtractorOptions options_;
  std::vector<std::string> warnings_;
};

TEST_F(ExtractorTest, WritesFilesAndFolders) {
  EXPECT_THAT(Extract({Folder("srv/"), File("srv/a"), Folder("srv/b"), File("srv/b/c"),
                       File("srv/missing/folder/d"), Folder("srv/empty")}),
              IsOk());
  EXPECT_EQ(Read("a"), "srv/a");
  EXPECT_EQ(Read("b/c"), "srv/b/c");
  EXPECT_EQ(Read("missing/folder/d"), "srv/missing/folder/d");
  EXPECT_TRUE(std::filesystem::is_directory(Path("empty")));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ExtractorTest, WritesASingleFile) {
  options_.prefix = {"srv", "a.txt"};
  options_.target = folder_.Path("new/folder/b.txt");
  EXPECT_THAT(Extract({File("srv/a.txt")}), IsOk());
  EXPECT_EQ(folder_.Read("new/folder/b.txt"), "srv/a.txt");
}

TEST_F(ExtractorTest, ReplacesASingleFile) {
  options_.prefix = {"srv", "a.txt"};
  options_.target = folder_.Write("b.txt", "something that is longer than the new content");
  EXPECT_THAT(Extract({File("srv/a.txt")}), IsOk());
  EXPECT_EQ(folder_.Read("b.txt"), "srv/a.txt");
}

TEST_F(ExtractorTest, ASingleFileDoesNotReplaceAFolder) {
  options_.prefix = {"srv", "a.txt"};
  options_.target = folder_.Path("other");
  EXPECT_THAT(Extract({File("srv/a.txt")}),
              StatusIs(testing::Ne(absl::StatusCode::kOk), HasSubstr(folder_.Path("other"))));
}

// behaviour.md: ST-63
TEST_F(ExtractorTest, KeepsPermissionsButNotTheBitsThatGiveRights) {
  const mode_t before = ::umask(022);
  EXPECT_THAT(Extract({File("srv/a", 0640), File("srv/suid", 06755), Folder("srv/b", 0555),
                       File("srv/b/c", 0444), Folder("srv/sticky", 01777)}),
              IsOk());
  ::umask(before);
  EXPECT_EQ(ModeOf("a"), 0640u);
  EXPECT_EQ(ModeOf("suid"), 0755u);
  EXPECT_EQ(ModeOf("b"), 0755u) << "the owner can always write";
  EXPECT_EQ(ModeOf("b/c"), 0444u);
  EXPECT_EQ(ModeOf("sticky"), 0755u);
}

// Otherwise a container could let other users of this machine write.
TEST_F(ExtractorTest, TheUmaskAppliesToPermissions) {
  const mode_t before = ::umask(077);
  EXPECT_THAT(Extract({File("srv/a", 0666), Folder("srv/b", 0777)}), IsOk());
  ::umask(before);
  EXPECT_EQ(ModeOf("a"), 0600u);
  EXPECT_EQ(ModeOf("b"), 0700u);
}

TEST_F(ExtractorTest, LeavesPermissionsToTheUmaskIfTheOptionSaysSo) {
  options_.keep_permissions = false;
  const mode_t before = ::umask(027);
  EXPECT_THAT(Extract({File("srv/a", 0777), Folder("srv/b", 0700)}), IsOk());
  ::umask(before);
  EXPECT_EQ(ModeOf("a"), 0640u);
  EXPECT_EQ(ModeOf("b"), 0750u);
}

// behaviour.md: ST-63
TEST_F(ExtractorTest, ReplacesFilesAndKeepsFolders) {
  const mode_t before = ::umask(022);
  EXPECT_THAT(Extract({File("srv/a"), File("srv/b/c")}), IsOk());
  EXPECT_THAT(Extract({File("srv/a", 0600), Folder("srv/b", 0700), File("srv/b/d")}), IsOk());
  EXPECT_EQ(ModeOf("a"), 0600u);
  EXPECT_EQ(ModeOf("b"), 0755u) << "the folder was there before";
  EXPECT_EQ(Read("b/c"), "srv/b/c");
  EXPECT_EQ(Read("b/d"), "srv/b/d");
  ::umask(before);
  EXPECT_THAT(Extract({File("srv/b")}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("is a directory")));
  EXPECT_THAT(Extract({File("srv/a/x")}),
              StatusIs(testing::Ne(absl::StatusCode::kOk), HasSubstr("target/a")));
}

// behaviour.md: ST-63
TEST_F(ExtractorTest, RefusesWhatIsNotBelowThePrefix) {
  for (const char* const name : {"etc/passwd", "srv2/a", "a", "/etc/passwd", "./etc"}) {
    EXPECT_THAT(Extract({File(name)}),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("tar contents corrupted")))
        << name;
  }
  ExpectNothingOutside();
}

// behaviour.md: ST-63
TEST_F(ExtractorTest, LeavesOutNamesThatLeadUpwards) {
  EXPECT_THAT(
      Extract({File("srv/../../outside"), File("../outside"), File("srv/x/../../../outside"),
               Folder("srv/../other/new"), Symlink("srv/../link", "a"), File("srv/a")}),
      IsOk());
  EXPECT_THAT(warnings_, testing::SizeIs(5));
  EXPECT_THAT(warnings_[0], "file \"srv/../../outside\" is outside target destination, skipping");
  EXPECT_EQ(Read("a"), "srv/a");
  ExpectNothingOutside();
}

// behaviour.md: ST-63
TEST_F(ExtractorTest, LeavesOutSymlinks) {
  EXPECT_THAT(Extract({Symlink("srv/link", "a"), File("srv/a")}), IsOk());
  EXPECT_FALSE(Exists("link"));
  EXPECT_THAT(warnings_,
              ElementsAre(absl::StrCat("skipping symlink: \"", Path("link"), "\" -> \"a\"")));
}

TEST_F(ExtractorTest, KeepsSymlinksThatStayInside) {
  options_.keep_symlinks = true;
  EXPECT_THAT(Extract({File("srv/a"), Symlink("srv/link", "a"), Symlink("srv/b/up", "../a"),
                       Symlink("srv/b/root", ".."), Symlink("srv/dangling", "b/none")}),
              IsOk());
  EXPECT_EQ(Read("link"), "srv/a");
  EXPECT_EQ(Read("b/up"), "srv/a");
  EXPECT_TRUE(Exists("b/root"));
  EXPECT_TRUE(Exists("dangling"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ExtractorTest, LeavesOutSymlinksThatLeadOutside) {
  options_.keep_symlinks = true;
  EXPECT_THAT(Extract({Symlink("srv/a", "/etc/passwd"), Symlink("srv/b", "../outside"),
                       Symlink("srv/c/d", "../../outside"), Symlink("srv/e", "x/../../outside"),
                       Symlink("srv", "other")}),
              IsOk());
  EXPECT_THAT(warnings_, testing::SizeIs(5));
  for (const char* const name : {"a", "b", "c/d", "e"}) EXPECT_FALSE(Exists(name)) << name;
}

// The archive makes a link and writes "through" it.
TEST_F(ExtractorTest, DoesNotFollowLinksOfTheArchive) {
  options_.keep_symlinks = true;
  EXPECT_THAT(Extract({Folder("srv/b"), Symlink("srv/link", "b"), File("srv/link/c")}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("it is a symlink, which is not followed")));
  EXPECT_FALSE(Exists("b/c"));
  // A file takes the place of a link, and the link's target keeps its content.
  EXPECT_THAT(Extract({File("srv/a"), Symlink("srv/link", "a"), File("srv/link")}), IsOk());
  EXPECT_EQ(Read("a"), "srv/a");
  EXPECT_EQ(Read("link"), "srv/link");
}

// The user has made links before.
// behaviour.md: ST-63
TEST_F(ExtractorTest, DoesNotFollowLinksThatWereThere) {
  std::filesystem::create_directory(options_.target);
  std::filesystem::create_symlink(folder_.Path("other"), Path("link"));
  std::filesystem::create_symlink(folder_.Path("outside"), Path("file"));
  EXPECT_THAT(Extract({File("srv/link/a")}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(Path("link"))));
  EXPECT_THAT(Extract({Folder("srv/link")}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(Extract({File("srv/file")}), IsOk());
  EXPECT_EQ(Read("file"), "srv/file");
  ExpectNothingOutside();
}

TEST_F(ExtractorTest, FollowsLinksOfTheUsersOwnPath) {
  std::filesystem::create_directory(folder_.Path("real"));
  std::filesystem::create_symlink("real", folder_.Path("alias"));
  options_.target = folder_.Path("alias");
  EXPECT_THAT(Extract({Folder("srv"), File("srv/a")}), IsOk());
  EXPECT_EQ(folder_.Read("real/a"), "srv/a");
}

TEST_F(ExtractorTest, MakesHardLinks) {
  EXPECT_THAT(Extract({File("srv/a"), HardLink("srv/b", "srv/a"), HardLink("srv/c/d", "srv/a"),
                       HardLink("srv/a", "srv/a")}),
              IsOk());
  EXPECT_EQ(Read("b"), "srv/a");
  EXPECT_EQ(Read("c/d"), "srv/a");
  EXPECT_EQ(Read("a"), "srv/a");
  // What replaces one name does not change the others.
  EXPECT_THAT(Extract({File("srv/b")}), IsOk());
  EXPECT_EQ(Read("a"), "srv/a");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ExtractorTest, RefusesHardLinksToOtherThings) {
  EXPECT_THAT(Extract({HardLink("srv/a", "../outside")}), IsOk());
  EXPECT_THAT(Extract({HardLink("srv/a", "outside")}), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Extract({Folder("srv/b"), HardLink("srv/a", "srv/b")}), IsOk());
  EXPECT_THAT(Extract({Symlink("srv/none", "b"), HardLink("srv/a", "srv/none")}), IsOk());
  std::filesystem::create_symlink(folder_.Path("outside"), Path("link"));
  EXPECT_THAT(Extract({HardLink("srv/a", "srv/link")}), IsOk());
  EXPECT_FALSE(Exists("a"));
  EXPECT_THAT(warnings_, testing::SizeIs(5));
  EXPECT_THAT(warnings_[3], HasSubstr("its target was not copied"));
}

// A terminal would take it for an order.
TEST_F(ExtractorTest, QuotesNamesInMessages) {
  EXPECT_THAT(Extract({File("srv/../\x1b[2J"), Symlink("srv/\x1b[2J", "\x1b[2J")}), IsOk());
  EXPECT_THAT(warnings_, testing::SizeIs(2));
  EXPECT_THAT(warnings_, testing::Each(testing::AllOf(HasSubstr("\\x1b[2J"),
                                                      testing::Not(HasSubstr("\x1b")))));
}

TEST_F(ExtractorTest, LeavesOutDevices) {
  EXPECT_THAT(Extract({{.name = "srv/null", .type = TarType::kOther}, File("srv/a")}), IsOk());
  EXPECT_FALSE(Exists("null"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("not a file, folder or link")));
}

// What the archive announces for an entry that is left out.
TEST_F(ExtractorTest, DropsTheContentOfWhatIsLeftOut) {
  Extractor extractor(options_);
  EXPECT_THAT(extractor.OnEntry({.name = "../outside", .size = 4}), IsOk());
  EXPECT_THAT(extractor.OnData("evil"), IsOk());
  EXPECT_THAT(extractor.OnEntryEnd(), IsOk());
  EXPECT_EQ(extractor.written(), 0);
  ExpectNothingOutside();
}

TEST_F(ExtractorTest, NamesThePathOfAnError) {
  EXPECT_THAT(Extract({File(absl::StrCat("srv/", std::string(300, 'x')))}),
              StatusIs(testing::Ne(absl::StatusCode::kOk), HasSubstr(Path("xxx"))));
}

}  // namespace
}  // namespace kube::podcopy::internal
