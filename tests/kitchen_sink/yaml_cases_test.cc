#include "tests/kitchen_sink/yaml_cases.h"

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

TEST(YamlCasesTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const YamlReadCase& c : YamlReadCases()) {
    EXPECT_TRUE(names.insert(std::string(c.name)).second) << c.name;
  }
  for (const YamlWriteCase& c : YamlWriteCases()) {
    EXPECT_TRUE(names.insert(std::string(c.name)).second) << c.name;
  }
}

struct Expectation {
  std::string name;
  std::string want;
};

TEST(YamlCasesTest, GoSaysSo) {
  KitchenOracle go;
  std::vector<Expectation> expected;
  for (const YamlReadCase& c : YamlReadCases()) {
    go.Ask("plain_yaml_to_json", "", {std::string(c.yaml)});
    expected.push_back({std::string(c.name), std::string(c.json)});
  }
  for (const YamlWriteCase& c : YamlWriteCases()) {
    go.Ask("plain_json_to_yaml", "", {std::string(c.json)});
    expected.push_back({std::string(c.name), std::string(c.yaml)});
  }
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(expected[i].name);
    if (expected[i].want.empty()) {
      EXPECT_FALSE(go[i].ok()) << go.Output(i);
    } else {
      EXPECT_EQ(go.Output(i), expected[i].want);
    }
  }
}

}  // namespace
}  // namespace kube::oracle
