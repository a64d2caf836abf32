#include "envtest/find_binaries.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

class FindBinariesTest : public testing::Test {
 protected:
  FindBinariesTest() { std::filesystem::remove_all(root_); }

  // Returns the folder.
  std::string Put(const std::string& folder, const std::string& program, bool executable = true) {
    const std::string path = absl::StrCat(root_, "/", folder);
    std::filesystem::create_directories(path);
    std::ofstream(path + "/" + program).close();
    std::filesystem::permissions(path + "/" + program, executable
                                                           ? std::filesystem::perms::owner_all
                                                           : std::filesystem::perms::owner_read);
    return path;
  }

  const std::string root_ = absl::StrCat(testing::TempDir(), "/binaries");
};

// behaviour.md: ENVTEST-2
TEST_F(FindBinariesTest, Find_KubebuilderAssetsAndPath_PrefersAssets) {
  Put("assets", "etcd");
  const std::string assets = Put("assets", "kube-apiserver");
  Put("path", "etcd");
  Put("path", "kube-apiserver");
  const std::string path = Put("path", "kube-controller-manager");
  const auto found = FindControlPlaneBinaries({.kubebuilder_assets = assets, .path = path});
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->etcd, assets + "/etcd");
  EXPECT_EQ(found->kube_apiserver, assets + "/kube-apiserver");
  EXPECT_EQ(found->kube_controller_manager, "") << "of another place";
}

TEST_F(FindBinariesTest, Find_CacheOfToolsKube_IsThatOfTheRelease) {
  const std::string folder = absl::StrCat(".cache/client-cpp/kube/", CONTROL_PLANE_BUILD);
  Put(folder, "etcd");
  Put(folder, "kube-controller-manager");
  const std::string expected = Put(folder, "kube-apiserver");
  const auto found = FindControlPlaneBinaries({.home = root_});
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->kube_controller_manager, expected + "/kube-controller-manager");
  EXPECT_THAT(FindControlPlaneBinaries({.xdg_cache_home = root_ + "/.cache"}), IsOk());
}

TEST_F(FindBinariesTest, Find_PathOfManyFolders_SearchesEach) {
  const std::string one = Put("one", "etcd");
  const std::string two = Put("two", "kube-apiserver");
  const auto found = FindControlPlaneBinaries({.path = absl::StrCat("/nowhere:", one, "::", two)});
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->etcd, one + "/etcd");
}

TEST_F(FindBinariesTest, Find_NotFound_NamesThePlacesSearched) {
  const std::string assets = Put("assets", "etcd");
  Put("assets", "kube-apiserver", /*executable=*/false);
  std::filesystem::create_directories(root_ + "/path/etcd");
  const absl::Status status =
      FindControlPlaneBinaries(
          {.kubebuilder_assets = assets, .home = root_, .path = root_ + "/path"})
          .status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound));
  for (const std::string& part :
       {absl::StrCat("no kube-apiserver in KUBEBUILDER_ASSETS (", assets, ")"),
        absl::StrCat("neither of them in the cache of tools/kube (", root_,
                     "/.cache/client-cpp/kube/"),
        absl::StrCat("neither of them in PATH (", root_, "/path)"),
        std::string("run tools/kube get")}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(part));
  }
  EXPECT_THAT(std::string(FindControlPlaneBinaries({}).status().message()),
              HasSubstr("KUBEBUILDER_ASSETS (not set)"));
}

}  // namespace
}  // namespace kube::envtest
