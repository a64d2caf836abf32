#include "codegen/name_pool.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

TEST(NamePool, AnEmptyNameIsAtTheBeginning) {
  NamePool pool;
  pool.Add("");
  pool.Add("b");
  pool.Build();
  EXPECT_THAT(pool.entries(), ElementsAre("b"));
  EXPECT_EQ(pool.PlaceOf(""), 0);
}

// As in the definitions of Argo Workflows, where almost all names begin in the same way. Comparing
// each with each other would take longer than a test may.
TEST(NamePool, AHundredThousandNames) {
  std::vector<std::string> names;
  for (int i = 0; i < 50000; ++i) {
    const std::string number = absl::StrCat(i % 7, "x", i);
    names.push_back(absl::StrCat("WorkflowSpecTemplatesContainerSet", number));
    names.push_back(absl::StrCat(number, "Field"));
  }
  NamePool pool;
  for (const std::string& name : names) pool.Add(name);
  pool.Build();
  const std::string text = absl::StrJoin(pool.entries(), "");
  ASSERT_EQ(static_cast<int>(text.size()), pool.size());
  for (const std::string& name : names) {
    const int place = pool.PlaceOf(name);
    ASSERT_GE(place, 0) << name;
    ASSERT_EQ(text.compare(static_cast<size_t>(place), name.size(), name), 0) << name;
  }
}

TEST(NamePool, PlacesAreTheFirstOnes) {
  NamePool pool;
  for (const char* name : {"abcab", "ab", "b", "cabx", "bx"}) pool.Add(name);
  pool.Build();
  EXPECT_EQ(absl::StrJoin(pool.entries(), ""), "abcabx");
  EXPECT_EQ(pool.PlaceOf("ab"), 0);
  EXPECT_EQ(pool.PlaceOf("b"), 1);
  EXPECT_EQ(pool.PlaceOf("bx"), 4);
}

}  // namespace
}  // namespace kube::codegen
