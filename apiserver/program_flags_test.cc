#include "apiserver/program_flags.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST(ProgramFlags, ServesWithTlsForeverByDefault) {
  const auto flags = ParseProgramFlags({});
  ASSERT_THAT(flags, IsOk());
  EXPECT_FALSE(flags->help);
  EXPECT_TRUE(flags->server.tls);
  EXPECT_TRUE(flags->server.handler.controllers);
  EXPECT_TRUE(flags->server.handler.cluster_objects);
  EXPECT_EQ(flags->server.handler.authorization, Authorization::kAllowAll);
  EXPECT_EQ(flags->server.port, 0);
  EXPECT_EQ(flags->ttl, absl::InfiniteDuration());
  EXPECT_FALSE(flags->end_with_stdin);
  EXPECT_FALSE(flags->end_with_parent);
  EXPECT_EQ(flags->kubeconfig, "");
}

TEST(ProgramFlags, ReadsAllFlags) {
  const auto flags = ParseProgramFlags({"--no-tls", "--no-controllers", "--no-cluster-objects",
                                        "--service-account-admission", "--port=8001", "--ttl",
                                        "1h30m", "--end-with-stdin", "--authorization=RBAC",
                                        "--end-with-parent", "--kubeconfig=/tmp/k", "--token",
                                        "jane=c2VjcmV0=", "--token=system:serviceaccount:a:b=t"});
  ASSERT_THAT(flags, IsOk());
  EXPECT_FALSE(flags->server.tls);
  EXPECT_FALSE(flags->server.handler.controllers);
  EXPECT_FALSE(flags->server.handler.cluster_objects);
  EXPECT_TRUE(flags->server.handler.service_account_admission);
  EXPECT_EQ(flags->server.handler.authorization, Authorization::kRbac);
  EXPECT_EQ(flags->server.port, 8001);
  EXPECT_EQ(flags->ttl, absl::Minutes(90));
  EXPECT_TRUE(flags->end_with_stdin);
  EXPECT_TRUE(flags->end_with_parent);
  EXPECT_EQ(flags->kubeconfig, "/tmp/k");
  EXPECT_THAT(flags->tokens,
              ElementsAre(Pair("jane", "c2VjcmV0="), Pair("system:serviceaccount:a:b", "t")));
  EXPECT_EQ(flags->server.handler.tokens.at("c2VjcmV0=").name, "jane");
  EXPECT_TRUE(ParseProgramFlags({"--help"})->help);
}

TEST(ProgramFlags, NamesTheWrongFlag) {
  struct Row {
    std::vector<std::string> arguments;
    absl::string_view message;
  };
  const Row rows[] = {
      {{"--prt=1"}, "unknown flag: --prt"},
      {{"kubeconfig"}, "unknown flag: kubeconfig"},
      {{"--port=65536"}, "read --port: \"65536\" is not a number from 0 to 65535"},
      {{"--port"}, "flag needs an argument: --port N"},
      {{"--ttl=1"}, "\"1\" is not a duration"},
      {{"--ttl=-1h"}, "\"-1h\" is not a duration"},
      {{"--authorization=Node"}, "\"Node\" is not AlwaysAllow or RBAC"},
      {{"--no-tls=true"}, "read --no-tls: the flag takes no value"},
      {{"--kubeconfig="}, "\"\" is not a path"},
      {{"--token=envtest=a"}, "choose another name"},
      {{"--token=a=b", "--token=c=b"}, "same user or token"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ParseProgramFlags(row.arguments),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)));
  }
}

TEST(ProgramFlags, NoErrorHasAToken) {
  for (const char* value : {"hunter2", "=hunter2", "envtest=hunter2"}) {
    EXPECT_THAT(ParseProgramFlags({absl::StrCat("--token=", value)}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("--token"), Not(HasSubstr("hunter2")))));
  }
}

TEST(ProgramFlags, HelpListsEveryFlagWithItsMeaning) {
  const std::string help = ProgramHelp();
  for (const char* flag :
       {"--kubeconfig=FILE ", "--port=N ", "--token=USER=TOKEN ", "--authorization=MODE ",
        "--ttl=TIME ", "--end-with-stdin ", "--end-with-parent ", "--no-tls ", "--no-controllers ",
        "--no-cluster-objects ", "--service-account-admission ", "--help "}) {
    EXPECT_THAT(help, HasSubstr(absl::StrCat("\n  ", flag)));
  }
  EXPECT_THAT(help, HasSubstr("SIGTERM"));
}

}  // namespace
}  // namespace kube::apiserver
