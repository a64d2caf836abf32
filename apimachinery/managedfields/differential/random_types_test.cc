#include "apimachinery/managedfields/differential/random_types.h"

#include <string>

#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::managedfields {
namespace {

TEST(RandomTypesTest, SchemasCanBeReadAndDependOnTheSeed) {
  oracle::Dice a(1);
  oracle::Dice b(1);
  std::string last;
  for (int i = 0; i < 100; ++i) {
    const std::string types = MakeTypes(a);
    EXPECT_EQ(types, MakeTypes(b));
    EXPECT_NE(types, last);
    EXPECT_THAT(ParseSchema(types, "root"), base::IsOk()) << types;
    last = types;
  }
}

}  // namespace
}  // namespace kube::managedfields
