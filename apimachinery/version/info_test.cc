#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/version/info.kube.h"
#include "apimachinery/version/version.h"
#include "gtest/gtest.h"

namespace kube::version {
namespace {

constexpr absl::string_view kAnswer =
    R"({"major":"1","minor":"27","emulationMajor":"1","emulationMinor":"26",)"
    R"("gitVersion":"v1.27.4","gitCommit":"0123abc","gitTreeState":"clean",)"
    R"("buildDate":"2026-07-01T00:00:00Z","goVersion":"go1.26","compiler":"gc",)"
    R"("platform":"linux/amd64"})";

TEST(InfoTest, OfAServer) {
  const absl::StatusOr<Info> info = codec::DecodeJson<Info>(kAnswer);
  ASSERT_THAT(info, base::IsOk());
  EXPECT_EQ(info->git_version, "v1.27.4");
  EXPECT_EQ(info->emulation_minor, "26");
  EXPECT_EQ(info->platform, "linux/amd64");
  EXPECT_EQ(ParseSemantic(info->git_version)->minor_version(), 27);
  EXPECT_EQ(codec::EncodeJson(*info).value(), kAnswer);
}

absl::Status CheckServer(const Info& info) {
  KUBE_ASSIGN_OR_RETURN(Version server, ParseGeneric(info.git_version));
  if (server < MajorMinor(1, 30)) return absl::FailedPreconditionError("too old");
  return absl::OkStatus();
}

TEST(InfoTest, TellsWhetherAServerIsTooOld_AsInTheHeaderOfVersion) {
  EXPECT_THAT(CheckServer({.git_version = "v1.30.0"}), base::IsOk());
  EXPECT_THAT(CheckServer({.git_version = "v1.27.4"}),
              base::StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kube::version
