#include "codegen/name_pool.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;

TEST(NamePool, EqualNamesAndBeginningsOnce) {
  NamePool pool;
  for (const char* name : {"spec", "name", "names", "metadata", "name", "nam", "a"}) pool.Add(name);
  pool.Build();
  EXPECT_THAT(pool.entries(), ElementsAre("a", "metadata", "names", "spec"));
  EXPECT_EQ(pool.PlaceOf("a"), 0);
  EXPECT_EQ(pool.PlaceOf("metadata"), 1);
  for (const char* name : {"nam", "name", "names"}) EXPECT_EQ(pool.PlaceOf(name), 9) << name;
  EXPECT_EQ(pool.PlaceOf("spec"), 14);
  EXPECT_EQ(pool.size(), 18);
}

TEST(NamePool, RulesBelongToTheirName) {
  const std::string by_uid("\x21\x03uid\x03uid", 9);
  const std::string atomic("\x08\x00\x00", 3);
  NamePool pool;
  pool.Add("refs", by_uid);
  pool.Add("refs", atomic);
  pool.Add("refs");
  pool.Build();
  EXPECT_THAT(pool.entries(), ElementsAre("refs" + atomic, "refs" + by_uid));
  EXPECT_EQ(pool.PlaceOf("refs"), 0);
  EXPECT_EQ(pool.PlaceOf("refs", atomic), 0);
  EXPECT_EQ(pool.PlaceOf("refs", by_uid), 7);
}

TEST(NamePool, OrderOfAddingDoesNotMatter) {
  NamePool one, other;
  for (const char* name : {"a", "b", "ab"}) one.Add(name);
  for (const char* name : {"ab", "b", "a"}) other.Add(name);
  one.Build();
  other.Build();
  EXPECT_EQ(one.entries(), other.entries());
}

TEST(NamePool, Empty) {
  NamePool pool;
  pool.Build();
  EXPECT_EQ(pool.size(), 0);
}

}  // namespace
}  // namespace kube::codegen
