#include "tests/kitchen_sink/wire_cases.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

TEST(WireCasesTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const WireCase& c : WireCases()) EXPECT_TRUE(names.insert(c.name).second) << c.name;
}

TEST(WireCasesTest, GoSaysSo) {
  const std::vector<WireCase> cases = WireCases();
  KitchenOracle go;
  // Two questions a case: whether Go reads it, and what it writes.
  for (const WireCase& c : cases) {
    go.Ask("pb_to_pb", c.type, {c.wire});
    go.Ask("pb_to_json", c.type, {c.wire});
  }
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].name);
    EXPECT_EQ(go[2 * i].ok(), cases[i].result != WireCase::kRefused) << go[2 * i].status();
    EXPECT_EQ(go[2 * i + 1].ok(), cases[i].result == WireCase::kRead) << go[2 * i + 1].status();
    if (go[2 * i + 1].ok()) {
      EXPECT_EQ(go.Output(2 * i + 1), cases[i].json);
    }
  }
}

}  // namespace
}  // namespace kube::oracle
