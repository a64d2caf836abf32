#include "clientset/clientcmd/kubeconfig_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

namespace fs = std::filesystem;
using base::StatusIs;
using testing::HasSubstr;

class KubeconfigFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  std::string Path(const char* name) const { return (folder_ / name).string(); }
  static int Mode(const std::string& path) {
    struct stat info = {};
    return stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : -1;
  }
  static Kubeconfig Config(const char* context) {
    Kubeconfig config;
    config.current_context = context;
    return config;
  }

  fs::path folder_;
};

TEST_F(KubeconfigFile, KnowsWhereEverythingIsFrom) {
  std::ofstream(Path("a")) << "clusters: [{name: c}]\nusers: [{name: u}]\ncontexts: [{name: x}]";
  const absl::StatusOr<Kubeconfig> config = LoadFromFile(Path("a"));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->clusters.at("c").location_of_origin, Path("a"));
  EXPECT_EQ(config->users.at("u").location_of_origin, Path("a"));
  EXPECT_EQ(config->contexts.at("x").location_of_origin, Path("a"));
}

TEST_F(KubeconfigFile, WhatIsNoFile) {
  EXPECT_THAT(LoadFromFile(Path("none")).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       absl::StrCat("open ", Path("none"), ": no such file or directory")));
  EXPECT_THAT(LoadFromFile(folder_.string()).status(),
              StatusIs(absl::StatusCode::kUnknown, HasSubstr("is a directory")));
  EXPECT_THAT(
      LoadFromFile("/dev/zero").status(),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("file is larger than 16 MiB")));
}

// behaviour.md: KC-10
TEST_F(KubeconfigFile, NewFilesAreTheUsersAlone) {
  ASSERT_TRUE(WriteToFile(Config("x"), Path("new/deep/config")).ok());
  EXPECT_EQ(Mode(Path("new/deep/config")), 0600);
  EXPECT_EQ(Mode(Path("new/deep")), 0700);
  EXPECT_EQ(Mode(Path("new")), 0700);
  EXPECT_EQ(LoadFromFile(Path("new/deep/config"))->current_context, "x");
}

// behaviour.md: KC-10
TEST_F(KubeconfigFile, ModesStay) {
  std::ofstream(Path("a")) << "";
  fs::permissions(Path("a"), fs::perms(0640));
  ASSERT_TRUE(WriteToFile(Config("x"), Path("a")).ok());
  EXPECT_EQ(Mode(Path("a")), 0640);
}

TEST_F(KubeconfigFile, LinksStay) {
  fs::create_directories(folder_ / "real");
  fs::create_symlink("real/second", Path("first"));
  fs::create_symlink("target", folder_ / "real/second");
  for (const char* context : {"made", "changed"}) {
    ASSERT_TRUE(WriteToFile(Config(context), Path("first")).ok());
    EXPECT_TRUE(fs::is_symlink(Path("first")));
    EXPECT_TRUE(fs::is_symlink(folder_ / "real/second"));
    EXPECT_EQ(LoadFromFile(Path("real/target"))->current_context, context);
  }
}

TEST_F(KubeconfigFile, NothingIsLeftBehind) {
  ASSERT_TRUE(WriteToFile(Config("x"), Path("a")).ok());
  ASSERT_TRUE(WriteToFile(Config("y"), Path("a")).ok());
  int files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace kube::clientcmd
