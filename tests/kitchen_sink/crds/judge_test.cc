// Go's API server judges the CRDs that are written from IDL: crd_judge says what it checks.
#include <string>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::kitchen {
namespace {

TEST(CrdJudge, HasNothingAgainstThem) {
  const absl::StatusOr<std::string> judge = oracle::FindData("oracles", "crd_judge");
  if (oracle::PrintSkipped(judge.status())) GTEST_SKIP();
  ASSERT_TRUE(judge.ok()) << judge.status();
  const absl::StatusOr<std::string> said = oracle::RunProgram(
      *judge, {.args = {"tests/kitchen_sink/crds/kitchen_crds.yaml",
                        "tests/kitchen_sink/crds/pot_crds.yaml", "docs/snippets/cron_tab_crds.yaml",
                        "examples/sample_controller/foo_crds.yaml"}});
  ASSERT_TRUE(said.ok()) << said.status();
  EXPECT_EQ(*said,
            "tests/kitchen_sink/crds/kitchen_crds.yaml: 2 definitions\n"
            "tests/kitchen_sink/crds/pot_crds.yaml: 1 definitions\n"
            "docs/snippets/cron_tab_crds.yaml: 1 definitions\n"
            "examples/sample_controller/foo_crds.yaml: 1 definitions\n");
}

}  // namespace
}  // namespace kube::kitchen
