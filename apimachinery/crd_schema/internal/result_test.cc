#include "apimachinery/crd_schema/internal/result.h"

#include <string>

#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

TEST(ResultTest, AMessageCountsOnce) {
  Result result;
  result.Add(InvalidType("a", "integer", "string"));
  result.Add(InvalidType("a", "integer", "string"));
  Result more;
  more.Add(MakeFailure(".b", "b is wrong", std::string("x")));
  more.Count();
  result.Merge(more);
  EXPECT_EQ(result.match_count(), 1);
  const auto errors = result.ToFieldErrors(validation::field::Path("spec"));
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].field, "spec.a");
  EXPECT_EQ(errors[1].field, "spec.b");
  result.Forgive();
  EXPECT_TRUE(result.ok());
}

}  // namespace
}  // namespace kube::crd_schema::internal
