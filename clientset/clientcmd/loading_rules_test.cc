#include "clientset/clientcmd/loading_rules.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Write(const char* name, const char* content) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path) << content;
  return path;
}

// behaviour.md: KC-1
TEST(LoadingRules, Precedence) {
  EXPECT_THAT(DefaultLoadingRules({.kubeconfig = "/a:/b:/a"}).precedence, ElementsAre("/a", "/b"));
  EXPECT_THAT(DefaultLoadingRules({.home = "/h"}).precedence, ElementsAre("/h/.kube/config"));
  EXPECT_THAT(LoadingPrecedence({.explicit_path = "/x", .precedence = {"/a"}}), ElementsAre("/x"));
}

// behaviour.md: KC-2
TEST(LoadingRules, TheFirstFileWins) {
  const std::string a = Write("a", "users: [{name: u, user: {username: a}}]");
  const std::string b =
      Write("b", "current-context: b\nusers: [{name: u, user: {username: b, password: p}}]");
  const absl::StatusOr<Kubeconfig> config = Load({.precedence = {a, "", "/none", b}});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->current_context, "b");
  EXPECT_EQ(config->users.at("u").username, "a");
  EXPECT_TRUE(config->users.at("u").password.empty());
}

// behaviour.md: KC-2
TEST(LoadingRules, EveryBadFileIsNamed) {
  const std::string a = Write("bad1", "[");
  const std::string b = Write("bad2", "kind: Pod");
  EXPECT_THAT(
      Load({.precedence = {a, b}}).status(),
      base::StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr(a), HasSubstr(b))));
}

// behaviour.md: KC-1
TEST(LoadingRules, MissingFiles) {
  EXPECT_THAT(Load({.explicit_path = "/none"}).status(),
              base::StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(StartingConfig({.explicit_path = "/none"}).value(), Kubeconfig());
  std::vector<std::string> warnings;
  LoadingRules rules = DefaultLoadingRules({.kubeconfig = "/none:/nothing"});
  rules.warner = [&](const absl::Status& status) { warnings.emplace_back(status.message()); };
  EXPECT_TRUE(Load(rules).ok());
  EXPECT_THAT(warnings, ElementsAre("Config not found: /none, /nothing"));
}

TEST(LoadingRules, WhereNewEntriesGo) {
  const std::string there = Write("there", "");
  EXPECT_EQ(DefaultFilename(DefaultLoadingRules({.kubeconfig = "/none:" + there})), there);
  EXPECT_EQ(DefaultFilename(DefaultLoadingRules({.kubeconfig = "/none:/nothing"})), "/none");
  EXPECT_EQ(DefaultFilename(DefaultPathOptions({.kubeconfig = "/none:/nothing"})), "/nothing");
  EXPECT_EQ(DefaultFilename({}), "");
}

TEST(LoadingRules, TheVariableKubeconfigNamesTheFiles_AsInTheHeader) {
  const std::string mine = Write("mine", "current-context: prod");
  ASSERT_EQ(setenv("KUBECONFIG", mine.c_str(), /*overwrite=*/1), 0);
  const absl::StatusOr<Kubeconfig> config = Load(DefaultLoadingRules());
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->current_context, "prod");
}

}  // namespace
}  // namespace kube::clientcmd
