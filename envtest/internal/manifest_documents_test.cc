#include "envtest/internal/manifest_documents.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Write(const std::string& name, absl::string_view text) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path) << std::string(text);
  return path;
}

TEST(VisitManifests, VisitsFilesAndThenTheText) {
  const std::string yaml =
      Write("first.yaml", "# nothing\n---\napiVersion: v1\nkind: A\n---\nkind: B\n");
  const std::string json = Write("second.json", R"({"kind":"C"}{"kind":"D"})");
  std::vector<std::string> seen;
  const auto visit = [&seen](const ManifestDocument& document) {
    seen.push_back(absl::StrCat(document.type.kind, " ", document.first_line));
    return absl::OkStatus();
  };
  EXPECT_THAT(VisitManifests({yaml, json}, "kind: E\n---\n", visit), IsOk());
  EXPECT_THAT(seen, ElementsAre("A 3", "B 6", "C 1", "D 1", "E 1"));
}

TEST(VisitManifests, SaysWhere) {
  const std::string file = Write("broken.yaml", "kind: A\n---\nkind: [\n");
  const auto pass = [](const ManifestDocument&) { return absl::OkStatus(); };
  const auto refuse = [](const ManifestDocument&) { return absl::InternalError("not this one"); };
  EXPECT_THAT(VisitManifests({file}, "", pass),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr(absl::StrCat("read \"", file, "\", document at line 3"))));
  EXPECT_THAT(VisitManifests({}, "kind: A\n", refuse),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("read manifest, document at line 1: not this one")));
  EXPECT_THAT(VisitManifests({"no_such_file"}, "", pass), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kube::envtest::internal
