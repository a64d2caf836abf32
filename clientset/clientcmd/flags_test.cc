#include "clientset/clientcmd/flags.h"

#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "apimachinery/base/log/log.h"
#include "clientset/clientcmd/load_config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Flags as a program defines them.
ABSL_FLAG(bool, dry_run, false, "Send requests that change nothing");
ABSL_FLAG(uint16_t, health_port, 8080, "Where /livez is; 0 turns it off");

namespace kube::clientcmd {
namespace {

std::vector<char*> Parse(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return ParseCommandLine(static_cast<int>(argv.size()), argv.data());
}

TEST(Flags, AsKubectlSpellsThem) {
  const std::vector<char*> rest = Parse({"program",
                                         "--kubeconfig=/k",
                                         "-n",
                                         "ns/web",
                                         "--as-uid=7",
                                         "get",
                                         "--as-group",
                                         "g1,g2",
                                         "--token",
                                         "-v",
                                         "--master",
                                         "https://m",
                                         "--context",
                                         "c",
                                         "--insecure-skip-tls-verify",
                                         "--request-timeout=5s",
                                         "-v=4",
                                         "--dry-run",
                                         "--health_port=1",
                                         "--",
                                         "-n",
                                         "--as-uid=8",
                                         "--help"});
  EXPECT_THAT(rest, testing::ElementsAre(testing::StrEq("program"), testing::StrEq("get"),
                                         testing::StrEq("-n"), testing::StrEq("--as-uid=8"),
                                         testing::StrEq("--help")));

  const LoadOptions options = FlagOptions();
  EXPECT_EQ(options.kubeconfig, "/k");
  EXPECT_EQ(options.master, "https://m");
  EXPECT_EQ(options.context, "c");
  EXPECT_EQ(options.overrides.context.namespace_name, "web");
  EXPECT_EQ(options.overrides.auth_info.impersonate_uid, "7");
  EXPECT_THAT(options.overrides.auth_info.impersonate_groups, testing::ElementsAre("g1", "g2"));
  EXPECT_EQ(options.overrides.auth_info.token.Reveal(), "-v") << "the value of another flag";
  EXPECT_TRUE(options.overrides.cluster_info.insecure_skip_tls_verify);
  EXPECT_EQ(options.overrides.timeout, "5s");
  EXPECT_TRUE(absl::GetFlag(FLAGS_dry_run));
  EXPECT_EQ(absl::GetFlag(FLAGS_health_port), 1);
  EXPECT_TRUE(log::V(4));
  EXPECT_FALSE(log::V(5));
}

// ParseCommandLine is called once per process, so each of these tests ends a process of its own.
// Standard output is redirected to standard error, which the matcher sees.
[[noreturn]] void ParseAndEnd(const std::vector<std::string>& arguments) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  Parse(arguments);
  int level = 0;
  while (log::V(level + 1)) ++level;
  _exit(100 + level);
}

TEST(FlagsDeathTest, VerbosityIsTakenAsKlogTakesIt) {
  const struct {
    const char* name;
    std::vector<std::string> arguments;
    int exit_code;
    const char* error;
  } kRows[] = {
      {"not given", {"p"}, 100, ""},
      {"-v=2", {"p", "-v=2"}, 102, ""},
      {"-v 2", {"p", "-v", "2"}, 102, ""},
      {"--v=2", {"p", "--v=2"}, 102, ""},
      {"--v 2", {"p", "--v", "2"}, 102, ""},
      {"the last one counts", {"p", "-v=2", "-v=3"}, 103, ""},
      {"behind the end of the flags", {"p", "--", "-v=2"}, 100, ""},
      {"no number", {"p", "-v=much"}, 1, "Illegal value 'much' specified for flag 'v'"},
      {"no value", {"p", "-v"}, 1, "Illegal value '' specified for flag 'v'"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EXIT(ParseAndEnd(row.arguments), testing::ExitedWithCode(row.exit_code), row.error);
  }
}

TEST(FlagsDeathTest, HelpIsPrintedAndEndsTheProgram) {
  const struct {
    const char* name;
    std::vector<std::string> arguments;
    int exit_code;
    const char* output;
  } kRows[] = {
      {"--help", {"/usr/bin/p", "--help"}, 0, "Usage: p \\[flags\\]\n\nFlags:\n"},
      {"-h", {"p", "-n", "x", "-h"}, 0, "Usage: p \\[flags\\]\n\nFlags:\n"},
      {"the value of a flag", {"p", "--token", "--help"}, 100, ""},
      {"an unknown flag", {"p", "--wrong-flag"}, 1, "Unknown command line flag 'wrong-flag'"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EXIT(ParseAndEnd(row.arguments), testing::ExitedWithCode(row.exit_code), row.output);
  }
}

}  // namespace
}  // namespace kube::clientcmd
