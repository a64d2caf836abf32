#include "apiserver/program_flags.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
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
  EXPECT_FALSE(flags->version);
  EXPECT_EQ(flags->server.address, "127.0.0.1");
  EXPECT_FALSE(flags->workloads);
  EXPECT_EQ(flags->request_log, "");
}

TEST(ProgramFlags, ReadsWhatTheClusterHas) {
  const auto flags = ParseProgramFlags({"--crds=crds", "--crds", "more.yaml", "--manifests=objects",
                                        "--workloads", "--nodes=a,b", "--pod-ready-after=inf",
                                        "--pod-ends-after=2s", "--pod-stops-after=0"});
  ASSERT_THAT(flags, IsOk());
  EXPECT_THAT(flags->crds, ElementsAre("crds", "more.yaml"));
  EXPECT_THAT(flags->manifests, ElementsAre("objects"));
  EXPECT_TRUE(flags->workloads);
  EXPECT_THAT(flags->nodes, ElementsAre("a", "b"));
  EXPECT_EQ(flags->pod_ready_after, absl::InfiniteDuration());
  EXPECT_EQ(flags->pod_ends_after, absl::Seconds(2));
  EXPECT_EQ(flags->pod_stops_after, absl::ZeroDuration());
}

TEST(ProgramFlags, ReadsAddressCertificatesLogAndFaults) {
  const auto flags =
      ParseProgramFlags({"--address=::1", "--tls-cert-file=c", "--tls-private-key-file=k",
                         "--tls-ca-file=a", "--request-log=-", "--request-log-filter=verb=create",
                         "--fault=drop,times=1", "--fault=error=503", "--kubeconfig=-"});
  ASSERT_THAT(flags, IsOk());
  EXPECT_EQ(flags->server.address, "::1");
  EXPECT_EQ(flags->tls_certificate, "c");
  EXPECT_EQ(flags->tls_key, "k");
  EXPECT_EQ(flags->tls_authority, "a");
  EXPECT_EQ(flags->request_log, "-");
  EXPECT_EQ(flags->request_log_filter.verb, "create");
  EXPECT_EQ(flags->server.handler.faults.size(), 2u);
  EXPECT_EQ(flags->kubeconfig, "") << "standard output";
}

TEST(ProgramFlags, ATokenMayHaveGroups) {
  const auto flags = ParseProgramFlags({"--token=jane=secret=,devs,system:masters"});
  ASSERT_THAT(flags, IsOk());
  EXPECT_THAT(flags->tokens, ElementsAre(Pair("jane", "secret=")));
  EXPECT_THAT(flags->server.handler.tokens.at("secret=").groups,
              ElementsAre("devs", "system:masters"));
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
      {{"--token=a=b,"}, "read --token: the token of \"a\": a group has no name"},
      {{"--token=a=,g"}, "read --token: value must be USER=TOKEN[,GROUP...]"},
      {{"--address=localhost"}, "read --address: \"localhost\" is not an IP address"},
      {{"--crds="}, "read --crds: \"\" is not a path"},
      {{"--nodes=a"}, "read --nodes: it needs --workloads"},
      {{"--workloads", "--nodes=a,,b"}, "read --nodes: \"a,,b\" is not a list such as"},
      {{"--workloads", "--pod-ends-after=-1s"}, "read --pod-ends-after: \"-1s\" is not"},
      {{"--tls-cert-file=c"}, "read --tls-cert-file: it needs --tls-private-key-file"},
      {{"--tls-private-key-file=k"}, "it needs --tls-cert-file"},
      {{"--tls-ca-file=a"}, "read --tls-ca-file: it needs --tls-cert-file"},
      {{"--no-tls", "--tls-cert-file=c", "--tls-private-key-file=k"},
       "read --no-tls: it contradicts --tls-cert-file"},
      {{"--request-log-filter=verb=get"}, "it needs --request-log"},
      {{"--request-log=-", "--request-log-filter=x=get"},
       "read --request-log-filter: \"x=get\" is not one of"},
      {{"--fault=error=200"}, "read --fault: \"error=200\" is not 429, 500, 503 or 504"},
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
  for (const char* flag : {"--kubeconfig=FILE",
                           "--ttl=TIME",
                           "--end-with-stdin",
                           "--end-with-parent",
                           "--address=IP",
                           "--port=N",
                           "--no-tls",
                           "--tls-cert-file=FILE",
                           "--tls-private-key-file=FILE",
                           "--tls-ca-file=FILE",
                           "--token=USER=TOKEN[,GROUP...]",
                           "--authorization=MODE",
                           "--crds=PATH",
                           "--manifests=PATH",
                           "--no-controllers",
                           "--no-cluster-objects",
                           "--service-account-admission",
                           "--workloads",
                           "--nodes=NAME[,NAME...]",
                           "--pod-ready-after=TIME",
                           "--pod-ends-after=TIME",
                           "--pod-stops-after=TIME",
                           "--request-log=FILE",
                           "--request-log-filter=KEY=VALUE[,...]",
                           "--fault=FAULT[,KEY=VALUE...]",
                           "--help",
                           "--version"}) {
    EXPECT_THAT(help, HasSubstr(absl::StrCat("\n  ", flag, "\n      ")));
  }
  EXPECT_THAT(help, HasSubstr("SIGTERM"));
}

TEST(ProgramFlags, HelpHasATitleForEachTaskAndShortLines) {
  const std::string help = ProgramHelp();
  for (const char* task :
       {"Start and end", "Address and certificates", "Users and rights", "Content of the cluster",
        "Simulated workloads", "Request log and faults", "Help"}) {
    const std::string title = absl::StrCat("\n\n", task, ":\n  --");
    EXPECT_THAT(help, HasSubstr(title));
    EXPECT_EQ(help.find(title), help.rfind(title)) << task;
  }
  const std::vector<std::string> lines = absl::StrSplit(help, '\n');
  for (const std::string& line : lines) EXPECT_LE(line.size(), 90u) << line;
}

TEST(ProgramFlags, VersionNamesTheRelease) {
  EXPECT_TRUE(ParseProgramFlags({"--version"})->version);
  EXPECT_THAT(ProgramVersion(), HasSubstr("Kubernetes v1."));
}

}  // namespace
}  // namespace kube::apiserver
