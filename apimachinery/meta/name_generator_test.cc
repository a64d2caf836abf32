#include "apimachinery/meta/name_generator.h"

#include <set>
#include <string>

#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

using testing::MatchesRegex;

TEST(GenerateName, AppendsFiveCharacters) {
  EXPECT_THAT(GenerateName("web-"), MatchesRegex("web-[bcdfghjklmnpqrstvwxz2456789]{5}"));
  EXPECT_EQ(GenerateName("").size(), 5u);
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) names.insert(GenerateName("web-"));
  EXPECT_GT(names.size(), 95u);
}

TEST(GenerateName, FitsIntoALabel) {
  const std::string base(58, 'a');
  for (const std::string& longer : {base, base + "b", base + std::string(200, 'b')}) {
    const std::string name = GenerateName(longer);
    EXPECT_EQ(name.size(), 63u);
    EXPECT_EQ(name.substr(0, 58), base);
  }
}

TEST(GenerateName, ReplaysFromASeed) {
  const auto generate = [] {
    base::FakeClock clock;
    base::RuntimeScope scope(clock);
    return GenerateName("web-");
  };
  EXPECT_EQ(generate(), generate());
}

}  // namespace
}  // namespace kube::meta
