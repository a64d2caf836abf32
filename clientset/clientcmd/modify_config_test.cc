#include "clientset/clientcmd/modify_config.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_file.h"
#include "clientset/clientcmd/loading_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

namespace fs = std::filesystem;
using base::StatusIs;
using testing::HasSubstr;

class ModifyConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(Path("a")) << "current-context: x\nclusters: [{name: c, cluster: {server: s}}]";
    std::ofstream(Path("b")) << "users: [{name: u, user: {token: t}}]\ncontexts: [{name: x}]";
    rules_ = DefaultPathOptions({.kubeconfig = Path("a") + ":" + Path("b")});
  }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
  LoadingRules rules_;
};

// behaviour.md: KC-3, KC-10
TEST_F(ModifyConfigTest, EachEntryGoesToItsFile) {
  absl::StatusOr<Kubeconfig> config = StartingConfig(rules_);
  ASSERT_TRUE(config.ok()) << config.status();
  config->users["u"].token = base::Secret("new");
  config->clusters["added"] = {.server = "https://added",
                               .certificate_authority = Path("certs/ca.pem")};
  config->contexts.erase("x");
  ASSERT_TRUE(ModifyConfig(Context(), rules_, *config, {.relativize_paths = true}).ok());

  const Kubeconfig a = *LoadFromFile(Path("a"));
  const Kubeconfig b = *LoadFromFile(Path("b"));
  EXPECT_EQ(b.users.at("u").token.Reveal(), "new");
  EXPECT_EQ(a.users.count("u"), 0u);
  EXPECT_EQ(a.clusters.at("added").certificate_authority, "certs/ca.pem");
  EXPECT_EQ(b.contexts.count("x"), 0u);
  EXPECT_FALSE(fs::exists(Path("a.lock")));
  EXPECT_FALSE(fs::exists(Path("b.lock")));
}

TEST_F(ModifyConfigTest, WhatDoesNotChangeIsNotWritten) {
  const auto before = fs::last_write_time(Path("a"));
  ASSERT_TRUE(ModifyConfig(Context(), rules_, *StartingConfig(rules_)).ok());
  EXPECT_EQ(fs::last_write_time(Path("a")), before);
}

// behaviour.md: KC-10
TEST_F(ModifyConfigTest, AStaleLockIsNamedAndStays) {
  std::ofstream(Path("b.lock")) << "";
  Kubeconfig config = *StartingConfig(rules_);
  config.current_context = "y";
  EXPECT_THAT(ModifyConfig(Context(), rules_, config, {.lock_timeout = absl::ZeroDuration()}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr(Path("b.lock"))));
  EXPECT_TRUE(fs::exists(Path("b.lock")));
  EXPECT_FALSE(fs::exists(Path("a.lock"))) << "the lock that was taken";
  EXPECT_EQ(LoadFromFile(Path("a"))->current_context, "x");
}

TEST_F(ModifyConfigTest, ADoneContextDoesNotWait) {
  std::ofstream(Path("a.lock")) << "";
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(ModifyConfig(scope.context(), rules_, *StartingConfig(rules_)),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace kube::clientcmd
