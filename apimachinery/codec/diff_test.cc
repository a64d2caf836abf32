#include "apimachinery/codec/diff.h"

#include <limits>
#include <string>
#include <vector>

#include "apimachinery/codec/testing/sample_structs.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using internal::TestForms;
using internal::TestLeaves;
using internal::TestPart;
using internal::TestSecret;
using internal::TestShapes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Diff, EqualObjectsHaveNone) {
  TestShapes a;
  TestShapes b;
  EXPECT_THAT(Diff(a, b), IsEmpty());
  b.parts = List<TestPart>::Empty();
  b.part_map = Map<TestPart>::Empty();
  EXPECT_EQ(a.parts, b.parts);
  EXPECT_THAT(Diff(a, b), IsEmpty());
}

TEST(Diff, LeavesByTheirMeaning) {
  TestLeaves a;
  TestLeaves b;
  a.text = "a";
  b.text = "b";
  a.quantity = "1Gi";
  b.quantity = "1024Mi";
  b.int32 = -1;
  b.time = 62'135'596'800;
  b.strings = {"x"};
  b.part.port = 0;
  EXPECT_THAT(Diff(a, b), ElementsAre(Change{"text", "\"a\"", "\"b\""}, Change{"int32", "0", "-1"},
                                      Change{"time", "null", "\"1970-01-01T00:00:00Z\""},
                                      Change{"strings[0]", std::nullopt, "\"x\""},
                                      Change{"part.port", std::nullopt, "0"}));
}

TEST(Diff, ListsByPlaceAndMapsByKey) {
  TestShapes a;
  TestShapes b;
  a.parts = {{.name = "a"}, {.name = "b", .labels = {{"k", "1"}, {"l", "1"}, {"m", "1"}}}};
  b.parts = {{.name = "a"}, {.name = "b", .labels = {{"j", "1"}, {"k", "2"}, {"m", "1"}}}, {}};
  a.target = TestPart{.name = "t"};
  EXPECT_THAT(Diff(a, b), ElementsAre(Change{"parts[1].labels[j]", std::nullopt, "\"1\""},
                                      Change{"parts[1].labels[k]", "\"1\"", "\"2\""},
                                      Change{"parts[1].labels[l]", "\"1\"", std::nullopt},
                                      Change{"parts[2]", std::nullopt, "{\"name\":\"\"}"},
                                      Change{"target", "{\"name\":\"t\"}", std::nullopt}));
}

TEST(Diff, FormsOfJsonByTheirMembers) {
  TestForms a;
  TestForms b;
  b.or_bool.allows = true;
  EXPECT_THAT(Diff(a, b), ElementsAre(Change{"orBool.allows", "false", "true"}));
}

TEST(Diff, NotANumberDiffersFromItself) {
  TestLeaves a;
  a.number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(Diff(a, a), ElementsAre(Change{"number", "<invalid>", "<invalid>"}));
}

TEST(Diff, SecretsAreNotShown) {
  TestSecret a;
  TestSecret b;
  b.data = {{"key", "hush"}};
  b.string_data = {{"key", "hush"}};
  b.annotations = {{"kubectl.kubernetes.io/last-applied-configuration", "hush"}};
  b.copy = TestSecret{.data = {{"key", "hush"}}};
  const std::string text = ToString(Diff(a, b));
  EXPECT_EQ(text.find("hush"), std::string::npos);
  EXPECT_EQ(text,
            R"(annotations[kubectl.kubernetes.io/last-applied-configuration]: absent -> <4 bytes>
data[key]: absent -> <4 bytes>
stringData[key]: absent -> <4 bytes>
copy: absent -> {...}
)");
  TestShapes shapes;
  shapes.bytes_map = {{"key", "hush"}};
  EXPECT_THAT(Diff(TestShapes{}, shapes),
              ElementsAre(Change{"bytesMap[key]", std::nullopt, "<4 bytes>"}));
}

TEST(Diff, LimitsOfValuesAndChanges) {
  TestLeaves a;
  TestLeaves b;
  b.text = "0123456789";
  b.int32 = 1;
  EXPECT_THAT(Diff(a, b, {.max_value_size = 4, .max_changes = 1}),
              ElementsAre(Change{"text", "\"\"", "\"012..."}));
  b.text = std::string(300, 'x');
  EXPECT_THAT(Diff(a, b)[0].after->size(), 203);
  EXPECT_THAT(Diff(a, b, {.max_value_size = 0})[0].after->size(), 302);
  TestShapes shapes;
  shapes.ints = {1, 2, 3, 4};
  EXPECT_THAT(Diff(TestShapes{}, shapes, {.max_changes = 2}), SizeIs(2));
}

TEST(Diff, ChangesPrint) {
  EXPECT_EQ(ToString({{"a", "1", std::nullopt}, {"b", std::nullopt, "2"}}),
            "a: 1 -> absent\nb: absent -> 2\n");
}

}  // namespace
}  // namespace kube::codec
