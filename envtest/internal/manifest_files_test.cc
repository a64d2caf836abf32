#include "envtest/internal/manifest_files.h"

#include <filesystem>
#include <fstream>
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

}  // namespace
}  // namespace kube::envtest::internal
