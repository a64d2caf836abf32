#include "clientset/clientcmd/internal/flag_help.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/time/time.h"
#include "clientset/clientcmd/flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Flags as a program defines them.
ABSL_FLAG(bool, dry_run, false, "Send requests that change nothing");
ABSL_FLAG(uint16_t, health_port, 8080, "Where /livez is;\n0 turns it off");
ABSL_FLAG(std::string, team_label, "team", "Which label to read");
ABSL_FLAG(std::vector<std::string>, zones, {}, "Which zones to work in");
ABSL_FLAG(absl::Duration, resync, absl::Minutes(10), "How often to look at everything");

namespace kube::clientcmd::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(FlagHelp, GroupsFlagsAndSpellsThemAsUsersTypeThem) {
  const std::string help = FlagHelp("Restarts pods.");
  EXPECT_EQ(FlagOptions().kubeconfig, "") << "kubectl's flags are linked";
  EXPECT_THAT(help, StartsWith(R"(Restarts pods.

Flags:
    --dry-run=false:
        Send requests that change nothing
    --health-port=8080:
        Where /livez is;
        0 turns it off
    --resync=10m:
        How often to look at everything
    --team-label='team':
        Which label to read
    --zones=[]:
        Which zones to work in

Logging flags:
    -v, --v=0:
        number for the log level verbosity

API server flags:
    --as='':
        Username to impersonate for the operation
)"));
  EXPECT_THAT(help,
              AllOf(HasSubstr("\n    -n, --namespace='':\n"), HasSubstr("\n    --as-uid='':\n"),
                    HasSubstr("\n    --insecure-skip-tls-verify=false:\n"),
                    HasSubstr("\n    --as-group=[]:\n")));
  EXPECT_THAT(help, AllOf(Not(HasSubstr("--flagfile=")), Not(HasSubstr("--undefok")),
                          Not(HasSubstr("_")), Not(HasSubstr("Leader election"))));
}

}  // namespace
}  // namespace kube::clientcmd::internal
