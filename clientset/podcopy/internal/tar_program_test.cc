// Compares TarWriter and TarReader with the system's `tar`, if there is one.
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/podcopy/internal/archive_tree.h"
#include "clientset/podcopy/internal/extractor.h"
#include "clientset/podcopy/internal/tar_reader.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::podcopy::internal {
namespace {

using base::IsOk;

constexpr char kTar[] = "/usr/bin/tar";

class TarProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(kTar, X_OK) != 0) {
      std::cout << "SKIPPED: there is no " << kTar << "\n";
      GTEST_SKIP();
    }
    std::filesystem::create_directories(folder_.Path("from/sub/empty"));
    std::filesystem::create_directories(folder_.Path("to"));
    folder_.Write("from/a", "hello\n");
    folder_.Write("from/sub/large", std::string(100'000, 'x'));
    folder_.Write(absl::StrCat("from/", std::string(150, 'n')), "a long name");
    const std::string deep =
        absl::StrCat("from/", std::string(120, 'd'), "/", std::string(120, 'e'));
    std::filesystem::create_directories(folder_.Path(deep));
    folder_.Write(absl::StrCat(deep, "/f"), "a long path");
    std::filesystem::create_symlink("a", folder_.Path("from/link"));
    std::filesystem::create_symlink(std::string(130, 't'), folder_.Path("from/long_link"));
    std::filesystem::create_hard_link(folder_.Path("from/a"), folder_.Path("from/hard"));
    std::filesystem::permissions(folder_.Path("from/a"), std::filesystem::perms{0640});
  }

  // Compares two folders of the test's folder.
  void ExpectEqual(const std::string& first, const std::string& second) const {
    std::vector<std::string> paths;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder_.Path(first))) {
      paths.push_back(std::filesystem::relative(each.path(), folder_.Path(first)).string());
    }
    EXPECT_GE(paths.size(), 10u);
    size_t count = 0;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder_.Path(second))) {
      count += each.path().empty() ? 0 : 1;
    }
    EXPECT_EQ(count, paths.size());
    for (const std::string& path : paths) {
      const std::string one = folder_.Path(absl::StrCat(first, "/", path));
      const std::string two = folder_.Path(absl::StrCat(second, "/", path));
      EXPECT_EQ(std::filesystem::symlink_status(one).type(),
                std::filesystem::symlink_status(two).type())
          << path;
      if (std::filesystem::is_symlink(one)) {
        EXPECT_EQ(std::filesystem::read_symlink(one), std::filesystem::read_symlink(two)) << path;
      } else if (std::filesystem::is_regular_file(one)) {
        EXPECT_EQ(folder_.Read(absl::StrCat(first, "/", path)),
                  folder_.Read(absl::StrCat(second, "/", path)))
            << path;
        EXPECT_EQ(std::filesystem::status(one).permissions(),
                  std::filesystem::status(two).permissions())
            << path;
      }
    }
  }

  const rest::TestFolder folder_;
};

TEST_F(TarProgramTest, UnpacksOurArchives) {
  std::string archive;
  const auto sink = [&](absl::string_view bytes) {
    absl::StrAppend(&archive, bytes);
    return absl::OkStatus();
  };
  const auto warn = [](absl::string_view warning) { ADD_FAILURE() << warning; };
  ASSERT_THAT(ArchiveTree(folder_.Path("from"), "", sink, warn), IsOk());
  // As CopyToPod calls it.
  EXPECT_THAT(
      oracle::RunProgram(kTar, {.args = {"--no-same-owner", "-xpmf", "-", "-C", folder_.Path("to")},
                                .input = archive}),
      IsOk());
  ExpectEqual("from", "to");
}

TEST_F(TarProgramTest, WritesArchivesThatWeUnpack) {
  for (const char* const format : {"gnu", "oldgnu", "pax"}) {
    const absl::StatusOr<std::string> archive = oracle::RunProgram(
        kTar,
        {.args = {absl::StrCat("--format=", format), "-C", folder_.Path("from"), "-cf", "-", "."}});
    ASSERT_THAT(archive, IsOk()) << format;
    Extractor extractor({.target = folder_.Path(format),
                         .keep_symlinks = true,
                         .warn = [](absl::string_view warning) { ADD_FAILURE() << warning; }});
    TarReader reader(extractor);
    EXPECT_THAT(reader.Receive(*archive), IsOk()) << format;
    EXPECT_TRUE(reader.done()) << format;
    ExpectEqual("from", format);
    EXPECT_EQ(std::filesystem::hard_link_count(folder_.Path(absl::StrCat(format, "/a"))), 2u);
  }
}

}  // namespace
}  // namespace kube::podcopy::internal
