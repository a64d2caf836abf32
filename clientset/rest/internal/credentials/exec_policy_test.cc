#include "clientset/rest/internal/credentials/exec_policy.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

class ExecPolicyTest : public ::testing::Test {
 protected:
  // Two folders; the first one is in PATH.
  ExecPolicyTest() {
    for (const char* folder : {"bin", "other"}) fs::create_directory(folder_.Path(folder));
    for (const char* name : {"bin/login", "other/login", "bin/tool", "other/lone"}) Program(name);
    const std::string path = std::getenv("PATH");
    setenv("PATH", absl::StrCat(folder_.Path("none"), ":", folder_.Path("bin")).c_str(), 1);
    before_ = path;
  }
  ~ExecPolicyTest() override { setenv("PATH", before_.c_str(), 1); }

  std::string Program(const std::string& name) {
    const std::string path = folder_.Write(name, "");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  absl::Status Try(const std::vector<std::string>& allowlist, const std::string& command) {
    const ExecPolicy policy{.type = ExecPolicy::Type::kAllowlist, .allowlist = allowlist};
    EXPECT_THAT(CheckPolicy(policy), IsOk());
    return MayRun(policy, command, LookUpProgram(command));
  }

  const TestFolder folder_;
  std::string before_;
};

TEST_F(ExecPolicyTest, LooksUp) {
  EXPECT_THAT(LookUpProgram("login"), IsOkAndHolds(folder_.Path("bin/login")));
  EXPECT_THAT(LookUpProgram(folder_.Path("other/login")),
              IsOkAndHolds(folder_.Path("other/login")));
  folder_.Write("bin/data", "");
  const struct {
    std::string command;
    const char* cause;
  } kCases[] = {
      {"", "the command is empty"},
      {"lone", "executable file not found in $PATH"},
      {"data", "executable file not found in $PATH"},
      {folder_.Path("bin/data"), "Permission denied"},
      {folder_.Path("bin/none"), "No such file or directory"},
      {folder_.Path("bin"), "Is a directory"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(LookUpProgram(c.command),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         absl::StrCat("executable \"", c.command, "\" not found: ", c.cause)));
  }
}

TEST_F(ExecPolicyTest, NameIsNotLookedUpInThePresentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.Path("other"));
  for (const char* path : {"", ".", "bin:.", ":/none"}) {
    setenv("PATH", path, 1);
    EXPECT_THAT(LookUpProgram("lone"), StatusIs(absl::StatusCode::kFailedPrecondition)) << path;
  }
  EXPECT_THAT(LookUpProgram("./lone"), IsOkAndHolds("./lone"));
  fs::current_path(before);
}

// behaviour.md: EXEC-8
TEST_F(ExecPolicyTest, WrongPolicies) {
  using Type = ExecPolicy::Type;
  const struct {
    const char* name;
    ExecPolicy policy;
    const char* message;
  } kCases[] = {
      {"all and a list", {Type::kAllowAll, {"a"}}, "plugin policy is not \"Allowlist\""},
      {"none and a list", {Type::kDenyAll, {"a"}}, "plugin policy is not \"Allowlist\""},
      {"no list", {Type::kAllowlist, {}}, "but allowlist is empty"},
      {"empty entry", {Type::kAllowlist, {"a", ""}}, "empty allowlist entry"},
      {"dot", {Type::kAllowlist, {"./a"}}, "non-normalized file path: \"./a\" vs \"a\""},
      {"dots", {Type::kAllowlist, {"/a/../b"}}, "non-normalized"},
      {"slashes", {Type::kAllowlist, {"/a//b"}}, "non-normalized"},
      {"slash at the end", {Type::kAllowlist, {"/a/"}}, "non-normalized"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(CheckPolicy(c.policy),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.name;
  }
}

// behaviour.md: EXEC-8
TEST_F(ExecPolicyTest, AllAndNone) {
  EXPECT_THAT(CheckPolicy({}), IsOk());
  EXPECT_THAT(MayRun({}, "none", LookUpProgram("none")), IsOk());
  const ExecPolicy none{.type = ExecPolicy::Type::kDenyAll};
  EXPECT_THAT(CheckPolicy(none), IsOk());
  EXPECT_THAT(
      MayRun(none, "login", LookUpProgram("login")),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("policy set to \"DenyAll\"")));
}

// behaviour.md: EXEC-8
TEST_F(ExecPolicyTest, Allowlist) {
  const std::string listed = folder_.Path("bin/login");
  const std::string other = folder_.Path("other/login");
  const std::string link = folder_.Path("link");
  fs::create_directory_symlink(folder_.Path("bin"), link);
  fs::create_symlink(listed, folder_.Path("renamed"));
  const struct {
    const char* name;
    std::string entry;
    std::string command;
    bool allowed;
  } kCases[] = {
      {"name", "login", "login", true},
      {"path", listed, listed, true},
      {"name of the path", listed, "login", true},
      {"path of the name", "login", listed, true},
      {"another of that name", "login", other, false},
      {"another path", other, "login", false},
      {"another name", "tool", "login", false},
      {"path not normalized", listed, folder_.Path("bin/../bin/login"), true},
      {"entry through a link", link + "/login", "login", true},
      {"command through a link", listed, link + "/login", true},
      // One file may be several programs that are distinguished by name.
      {"link of another name", listed, folder_.Path("renamed"), false},
      {"unknown name in the list", "lone", "lone", true},
      {"unknown path", "login", folder_.Path("none/login"), false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Try({"unrelated", c.entry}, c.command).ok(), c.allowed)
        << c.name << ": " << Try({c.entry}, c.command);
  }
}

TEST_F(ExecPolicyTest, DotIsNoName) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.Path("other"));
  EXPECT_THAT(Try({"login"}, "./login"), StatusIs(absl::StatusCode::kFailedPrecondition));
  fs::current_path(folder_.Path("bin"));
  EXPECT_THAT(Try({"login"}, "./login"), IsOk());
  fs::current_path(before);
}

}  // namespace
}  // namespace kube::rest::internal
