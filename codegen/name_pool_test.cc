#include "codegen/name_pool.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;

TEST(NamePool, EqualNamesAndPartsOnce) {
  NamePool pool;
  for (const char* name : {"spec", "name", "names", "metadata", "name", "nam", "b", "tad"}) {
    pool.Add(name);
  }
  pool.Build();
  EXPECT_THAT(pool.entries(), ElementsAre("b", "metadata", "names", "pec"));
  EXPECT_EQ(pool.PlaceOf("b"), 0);
  EXPECT_EQ(pool.PlaceOf("metadata"), 1);
  EXPECT_EQ(pool.PlaceOf("tad"), 3);
  for (const char* name : {"nam", "name", "names"}) EXPECT_EQ(pool.PlaceOf(name), 9) << name;
  EXPECT_EQ(pool.PlaceOf("spec"), 13);
  EXPECT_EQ(pool.size(), 17);
}

TEST(NamePool, NextIsTheOneWithTheLongestOverlap) {
  NamePool pool;
  for (const char* name : {"abcd", "dx", "cdy", "z"}) pool.Add(name);
  pool.Build();
  EXPECT_THAT(pool.entries(), ElementsAre("abcd", "y", "dx", "z"));
  EXPECT_EQ(pool.PlaceOf("cdy"), 2);
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
