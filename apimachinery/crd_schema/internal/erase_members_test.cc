#include "apimachinery/crd_schema/internal/erase_members.h"

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using unstructured::Value;

TEST(EraseMembersTest, KeepsTheOthers) {
  const Map<Value> all = {{"a", 1}, {"b", 2}, {"c", 3}};
  Map<Value> object = all;
  EraseMembers(object, {});
  EXPECT_EQ(object, all);
  EraseMembers(object, {"b"});
  EXPECT_EQ(object, (Map<Value>{{"a", 1}, {"c", 3}}));
  EraseMembers(object, {"a", "c"});
  EXPECT_TRUE(object.empty());
  EXPECT_FALSE(object.is_null());
}

}  // namespace
}  // namespace kube::crd_schema::internal
