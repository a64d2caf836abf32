#include "apimachinery/codec/merge_patch.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/test_structs.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using internal::TestLeaves;
using internal::TestPart;
using internal::TestShapes;
using testing::HasSubstr;

struct ApplyCase {
  std::string name;
  std::string json;
  std::string patch;
  std::string merged;
};

class ApplyMergePatchCase : public testing::TestWithParam<ApplyCase> {};

TEST_P(ApplyMergePatchCase, Merges) {
  EXPECT_THAT(ApplyJsonMergePatch(GetParam().json, GetParam().patch),
              IsOkAndHolds(GetParam().merged));
}

INSTANTIATE_TEST_SUITE_P(
    // Appendix A, as far as it is of objects.
    Rfc7386, ApplyMergePatchCase,
    testing::Values(
        ApplyCase{"Replaces", R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        ApplyCase{"Adds", R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
        ApplyCase{"Removes", R"({"a":"b"})", R"({"a":null})", R"({})"},
        ApplyCase{"RemovesOneOfTwo", R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
        ApplyCase{"ListByText", R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        ApplyCase{"TextByList", R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
        ApplyCase{"Nested", R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})",
                  R"({"a":{"b":"d"}})"},
        ApplyCase{"ListWhole", R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
        ApplyCase{"NullStays", R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
        ApplyCase{"NewNestedNull", R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"}),
    [](const testing::TestParamInfo<ApplyCase>& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Kubernetes, ApplyMergePatchCase,
    testing::Values(
        // evanphx/json-patch, and with it the server; RFC 7386 would keep them.
        ApplyCase{"NullsInNewLists", R"({"a":[]})", R"({"a":[{"b":null},null]})",
                  R"({"a":[{},null]})"},
        ApplyCase{"ObjectByText", R"({"a":{"b":1}})", R"({"a":"x"})", R"({"a":"x"})"},
        ApplyCase{"LastOfTwo", R"({"a":1})", R"({"a":2,"a":3})", R"({"a":3})"},
        ApplyCase{"EscapedName", R"({"<a":1})", R"({"\u003c\u0061":2})", R"({"\u003ca":2})"},
        ApplyCase{"Space", " { } ", " { \"a\" : [ 1 , { } ] } ", R"({"a":[1,{}]})"},
        ApplyCase{"NumbersStay", R"({"a":12345678901234567890.0})", R"({"b":1e400})",
                  R"({"a":12345678901234567890.0,"b":1e400})"}),
    [](const testing::TestParamInfo<ApplyCase>& row) { return row.param.name; });

TEST(MergePatch, Refuses) {
  for (const absl::string_view patch : {"[]", "1", "null", "{", "", "{\"a\":}"}) {
    EXPECT_THAT(ApplyJsonMergePatch("{}", patch), StatusIs(absl::StatusCode::kInvalidArgument))
        << patch;
  }
  const std::string deep = "{\"a\":" + std::string(2000, '[') + std::string(2000, ']') + "}";
  EXPECT_THAT(ApplyJsonMergePatch("{}", deep), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ApplyMergePatch(TestPart{}, R"({"port":"x"})"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("port")));
}

struct MakeCase {
  std::string name;
  std::string from;
  std::string to;
  std::string patch;
};

class MakeMergePatchCase : public testing::TestWithParam<MakeCase> {};

TEST_P(MakeMergePatchCase, SaysTheDifference) {
  EXPECT_THAT(MakeJsonMergePatch(GetParam().from, GetParam().to), IsOkAndHolds(GetParam().patch));
}

INSTANTIATE_TEST_SUITE_P(
    All, MakeMergePatchCase,
    testing::Values(
        MakeCase{"Nothing", R"({"a":{"b":[1,"x"]}})", R"({"a":{"b":[1,"\u0078"]}})", "{}"},
        MakeCase{"OrderOfMembers", R"({"a":{"b":1,"c":2}})", R"({"a":{"c":2,"b":1}})", "{}"},
        MakeCase{"Added", R"({})", R"({"a":{"b":1}})", R"({"a":{"b":1}})"},
        MakeCase{"Removed", R"({"a":{"b":1,"c":2}})", R"({"a":{"c":2}})", R"({"a":{"b":null}})"},
        MakeCase{"Emptied", R"({"a":{"b":1}})", R"({"a":{}})", R"({"a":{"b":null}})"},
        MakeCase{"List", R"({"a":[1,2],"b":[1]})", R"({"a":[1,3],"b":[1]})", R"({"a":[1,3]})"},
        MakeCase{"OrderOfElements", R"({"a":[1,2]})", R"({"a":[2,1]})", R"({"a":[2,1]})"},
        MakeCase{"ObjectInsteadOfText", R"({"a":"x"})", R"({"a":{"b":1}})", R"({"a":{"b":1}})"},
        MakeCase{"TextInsteadOfObject", R"({"a":{"b":1}})", R"({"a":"x"})", R"({"a":"x"})"},
        MakeCase{"Null", R"({"a":1})", R"({"a":null})", R"({"a":null})"},
        MakeCase{"LargeIntegers", R"({"a":9007199254740993})", R"({"a":9007199254740992})",
                 R"({"a":9007199254740992})"}),
    [](const testing::TestParamInfo<MakeCase>& row) { return row.param.name; });

TEST(MergePatch, OfObjects) {
  TestPart from = {.name = "a", .port = 1, .labels = {{"gone", "1"}, {"kept", "1"}}};
  from.parts = {{.name = "x"}};
  TestPart to = from;
  to.port = std::nullopt;
  to.labels.erase("gone");
  to.labels["new"] = "<2>";
  to.parts[0].port = 3;
  to.next = TestPart{.name = "n"};
  const absl::StatusOr<std::string> patch = MakeMergePatch(from, to);
  EXPECT_THAT(patch, IsOkAndHolds(R"({"labels":{"new":"\u003c2\u003e","gone":null},)"
                                  R"("next":{"name":"n"},"parts":[{"name":"x","port":3}],)"
                                  R"("port":null})"));
  EXPECT_THAT(ApplyMergePatch(from, *patch), IsOkAndHolds(to));
  EXPECT_THAT(MakeMergePatch(to, to), IsOkAndHolds("{}"));
}

TEST(MergePatch, UnknownMembersAsTheOptionsSay) {
  EXPECT_THAT(ApplyMergePatch(TestPart{.name = "a"}, R"({"nmae":"b"})"),
              IsOkAndHolds(TestPart{.name = "a"}));
  EXPECT_THAT(ApplyMergePatch(TestPart{.name = "a"}, R"({"nmae":"b"})",
                              {.field_validation = FieldValidation::kStrict}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nmae")));
}

TEST(MergePatch, ErrorsOfTheObject) {
  TestLeaves leaves;
  leaves.quantity = "x";
  EXPECT_THAT(MakeMergePatch(TestLeaves{}, leaves),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("encode quantity")));
  EXPECT_THAT(ApplyMergePatch(leaves, "{}"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("encode quantity")));
}

}  // namespace
}  // namespace kube::codec
