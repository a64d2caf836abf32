#include "tests/kitchen_sink/cases.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

TEST(KitchenCasesTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const KitchenCase& c : KitchenCases()) {
    EXPECT_TRUE(names.insert(std::string(c.name)).second) << c.name;
  }
}

// What the table says is what Go says, so that tests can rely on the table alone.
TEST(KitchenCasesTest, GoSaysSo) {
  const std::vector<KitchenCase> cases = KitchenCases();
  KitchenOracle go;
  for (const KitchenCase& c : cases) go.Ask("json_to_json", c.type, {std::string(c.json)});
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].want.empty()) {
      EXPECT_FALSE(go[i].ok()) << cases[i].name << ": want an error, got " << go.Output(i);
    } else {
      EXPECT_EQ(go.Output(i), std::string(cases[i].want)) << cases[i].name;
    }
  }
}

}  // namespace
}  // namespace kube::oracle
