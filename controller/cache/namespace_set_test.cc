#include "controller/cache/namespace_set.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

// behaviour.md: CACHE-14
TEST(NamespaceSet, SaysWhatItCovers) {
  struct Row {
    const char* name;
    std::vector<std::string> given;
    std::vector<std::string> names;
    bool covers_all;
    bool covers_b;
    const char* text;
  };
  const std::vector<Row> rows = {
      {"none", {}, {""}, true, true, "all namespaces"},
      {"the empty name", {""}, {""}, true, true, "all namespaces"},
      {"the empty name beside others", {"b", "", "a"}, {""}, true, true, "all namespaces"},
      {"one", {"a"}, {"a"}, false, false, "namespace a"},
      {"several, sorted and each once",
       {"c", "b", "c"},
       {"b", "c"},
       false,
       true,
       "namespaces b, c"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const NamespaceSet set(row.given);
    EXPECT_THAT(set.names(), ElementsAreArray(row.names));
    EXPECT_EQ(set.covers_all(), row.covers_all);
    EXPECT_EQ(set.Covers("b"), row.covers_b);
    EXPECT_EQ(set.ToString(), row.text);
  }
}

TEST(NamespaceSet, FindsThePositionOfANamespace) {
  const NamespaceSet set({"c", "a", "e"});
  EXPECT_EQ(set.Find("a"), std::optional<size_t>(0));
  EXPECT_EQ(set.Find("c"), std::optional<size_t>(1));
  EXPECT_EQ(set.Find("e"), std::optional<size_t>(2));
  for (const char* other : {"b", "f", ""}) EXPECT_FALSE(set.Find(other).has_value()) << other;
  EXPECT_EQ(NamespaceSet().Find("anything"), std::optional<size_t>(0));
  EXPECT_THAT(NamespaceSet().names(), ElementsAre(""));
}

}  // namespace
}  // namespace kube::controller
