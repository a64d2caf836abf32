// The names of a factory's accessors against those of client-go's factories.

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/kubernetes/testing/every_informer.h"
#include "informers/kubernetes/testing/informer_case.h"
#include "tests/oracle/oracle.h"

namespace kube::kubernetes {
namespace {

using Names = std::set<std::string>;

// "-x" of what only Go has, "+x" of what only we have.
Names Differences(const Names& go, const Names& ours) {
  Names differences;
  const auto add = [&differences](const char* sign, const Names& all, const Names& others) {
    for (const std::string& name : all) {
      if (others.count(name) == 0) differences.insert(absl::StrCat(sign, name));
    }
  };
  add("-", go, ours);
  add("+", ours, go);
  return differences;
}

// docs/informers.md has the reasons.
const char* const kExpected[] = {
    "+Metrics().V1beta1().NodeMetricses()",
    "+Metrics().V1beta1().PodMetricses()",
    "-Apiextensions().V1beta1().CustomResourceDefinitions()",
    "-Apiregistration().V1beta1().APIServices()",
    "-Core().V1().ComponentStatuses()",
};

TEST(SharedInformerFactory, HasWhatClientGoHas) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "informers_oracle");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::StatusOr<std::string> output = oracle::RunProgram(*program);
  ASSERT_TRUE(output.ok()) << output.status();
  const Names go = absl::StrSplit(*output, '\n', absl::SkipEmpty());
  EXPECT_GT(go.size(), 130u);
  Names ours;
  for (const InformerCase& each : EveryInformer()) ours.insert(each.accessor);
  EXPECT_THAT(Differences(go, ours), testing::UnorderedElementsAreArray(kExpected));
}

}  // namespace
}  // namespace kube::kubernetes
