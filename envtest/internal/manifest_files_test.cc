#include "envtest/internal/manifest_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ManifestFiles, AreThoseOfADirectory) {
  const std::string folder = absl::StrCat(testing::TempDir(), "/manifests");
  std::filesystem::create_directories(absl::StrCat(folder, "/below"));
  for (const char* name : {"b.yml", "a.yaml", "c.json", "d.txt", "below/e.yaml"}) {
    std::ofstream(absl::StrCat(folder, "/", name)) << "kind: Pod\n";
  }
  EXPECT_THAT(ManifestFiles(folder), IsOkAndHolds(ElementsAre(absl::StrCat(folder, "/a.yaml"),
                                                              absl::StrCat(folder, "/b.yml"),
                                                              absl::StrCat(folder, "/c.json"))));
  EXPECT_THAT(ManifestFiles(absl::StrCat(folder, "/d.txt")),
              IsOkAndHolds(ElementsAre(absl::StrCat(folder, "/d.txt"))));
  EXPECT_THAT(ReadManifestFile(absl::StrCat(folder, "/a.yaml")), IsOkAndHolds("kind: Pod\n"));
  EXPECT_THAT(ReadManifestFile("no_such_file"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no_such_file")));
}

// Sets a variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* const before = std::getenv(name);
    if (before != nullptr) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_.has_value()) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  std::optional<std::string> before_;
};

TEST(ManifestFiles, RunfilesAreFoundFromAnyFolder) {
  const std::string root = absl::StrCat(testing::TempDir(), "/runfiles");
  std::filesystem::create_directories(absl::StrCat(root, "/main/crds"));
  std::filesystem::create_directories(absl::StrCat(root, "/other/crds"));
  std::ofstream(absl::StrCat(root, "/main/crds/ours.yaml")) << "kind: Pod\n";
  std::ofstream(absl::StrCat(root, "/other/crds/theirs.yaml")) << "kind: Pod\n";
  const Variable folder("TEST_SRCDIR", root);
  const Variable workspace("TEST_WORKSPACE", "main");
  EXPECT_THAT(ManifestFiles("crds/ours.yaml"),
              IsOkAndHolds(ElementsAre(absl::StrCat(root, "/main/crds/ours.yaml"))));
  EXPECT_THAT(ManifestFiles("crds"),
              IsOkAndHolds(ElementsAre(absl::StrCat(root, "/main/crds/ours.yaml"))));
  EXPECT_THAT(ManifestFiles("other/crds/theirs.yaml"),
              IsOkAndHolds(ElementsAre(absl::StrCat(root, "/other/crds/theirs.yaml"))));
  EXPECT_THAT(ManifestFiles("crds/none.yaml"), IsOkAndHolds(ElementsAre("crds/none.yaml")));
}

}  // namespace
}  // namespace kube::envtest::internal
