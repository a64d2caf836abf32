#include "apimachinery/codec/encode_json.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/testing/sample_structs.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using internal::TestApply;
using internal::TestForms;
using internal::TestLeaves;
using internal::TestOmitEmpty;
using internal::TestOmitZero;
using internal::TestOrArray;
using internal::TestPart;
using internal::TestShapes;
using testing::HasSubstr;

constexpr char kMadeLeaves[] =
    R"({"text":"","bytes":null,"quantity":"0","rawExtension":null,"fieldsV1":null,"json":null,)"
    R"("flag":false,"int32":0,"int64":0,"number":0,"time":null,"microTime":null,"duration":"0s",)"
    R"("intOrString":0,"strings":null,"part":{"name":""}})";

// Values that are empty and not null.
TestLeaves EmptyLeaves() {
  TestLeaves leaves;
  leaves.strings = List<String>::Empty();
  return leaves;
}

TEST(EncodeJson, ValuesAsTheyAreMade) {
  EXPECT_THAT(EncodeJson(TestLeaves{}), IsOkAndHolds(kMadeLeaves));
  EXPECT_THAT(EncodeJson(EmptyLeaves()), IsOkAndHolds(HasSubstr(R"("strings":[])")));
}

TEST(EncodeJson, OmitEmptyKeepsStructsAndTypesThatAreStructsInGo) {
  EXPECT_THAT(EncodeJson(TestOmitEmpty{EmptyLeaves()}),
              IsOkAndHolds(R"({"quantity":"0","rawExtension":null,"fieldsV1":null,"json":null,)"
                           R"("time":null,"microTime":null,"duration":"0s","intOrString":0,)"
                           R"("part":{"name":""}})"));
}

TEST(EncodeJson, OmitZeroAsksTheType) {
  EXPECT_THAT(EncodeJson(TestOmitZero{}), IsOkAndHolds("{}"));
  EXPECT_THAT(EncodeJson(TestOmitZero{EmptyLeaves()}), IsOkAndHolds(R"({"strings":[]})"));
  TestOmitZero leaves;
  leaves.quantity = "0.000";
  leaves.number = -0.0;
  leaves.part.labels = Map<String>::Empty();
  EXPECT_THAT(EncodeJson(leaves), IsOkAndHolds(R"({"part":{"name":""}})"));
}

template <typename T>
void ExpectMembersAsEncoded(const T& object) {
  const kube::table::Message& message = T::kMessage;
  const absl::StatusOr<std::string> json = EncodeJson(object);
  ASSERT_TRUE(json.ok()) << json.status();
  for (size_t i = 0; i < message.field_count; ++i) {
    const kube::table::Field& field = message.fields[i];
    const char* member = reinterpret_cast<const char*>(&object) + field.offset;
    const std::string name = absl::StrCat("\"", message.field_name(field), "\":");
    EXPECT_EQ(IsWrittenToJson(member, message, field), absl::StrContains(*json, name)) << name;
  }
}

TEST(EncodeJson, IsWrittenToJson_Member_IfTheJsonHasIt) {
  ExpectMembersAsEncoded(TestLeaves{});
  ExpectMembersAsEncoded(TestOmitEmpty{});
  ExpectMembersAsEncoded(TestOmitEmpty{EmptyLeaves()});
  ExpectMembersAsEncoded(TestOmitZero{});
  ExpectMembersAsEncoded(TestOmitZero{EmptyLeaves()});
}

struct LeafCase {
  std::string name;
  std::function<void(TestLeaves&)> set;
  std::string json;
};

class EncodeJsonLeaf : public testing::TestWithParam<LeafCase> {};

TEST_P(EncodeJsonLeaf, IsAsGoWritesIt) {
  TestLeaves leaves;
  GetParam().set(leaves);
  EXPECT_THAT(EncodeJson(leaves), IsOkAndHolds(HasSubstr(GetParam().json)));
}

INSTANTIATE_TEST_SUITE_P(
    All, EncodeJsonLeaf,
    testing::Values(
        LeafCase{"ShortText", [](TestLeaves& l) { l.text = "web"; }, R"({"text":"web","bytes)"},
        LeafCase{"LongText", [](TestLeaves& l) { l.text = "a text that is not inside"; },
                 R"({"text":"a text that is not inside","bytes)"},
        LeafCase{"Escapes", [](TestLeaves& l) { l.text = "<\"&\n\u2028\xff"; },
                 R"({"text":"\u003c\"\u0026\n\u2028\ufffd","bytes)"},
        LeafCase{"Bytes", [](TestLeaves& l) { l.bytes = "\xff\xfe?"; }, R"("bytes":"//4/",)"},
        LeafCase{"PlainQuantity", [](TestLeaves& l) { l.quantity = "500m"; },
                 R"("quantity":"500m",)"},
        LeafCase{"CanonicalQuantity", [](TestLeaves& l) { l.quantity = "1024Ki"; },
                 R"("quantity":"1Mi",)"},
        LeafCase{"RawExtension",
                 [](TestLeaves& l) { l.raw_extension = "{ \"a\" : [ 1, \"<\" ] }"; },
                 R"("rawExtension":{"a":[1,"\u003c"]},)"},
        LeafCase{"FieldsV1", [](TestLeaves& l) { l.fields = "{\"f:spec\":{}}"; },
                 R"("fieldsV1":{"f:spec":{}},)"},
        LeafCase{"Json", [](TestLeaves& l) { l.raw_json = "-1.5e+3"; }, R"("json":-1.5e+3,)"},
        LeafCase{"Flag", [](TestLeaves& l) { l.flag = true; }, R"("flag":true,)"},
        LeafCase{"LeastInt32", [](TestLeaves& l) { l.int32 = std::numeric_limits<int32_t>::min(); },
                 R"("int32":-2147483648,)"},
        LeafCase{"LeastInt64", [](TestLeaves& l) { l.int64 = std::numeric_limits<int64_t>::min(); },
                 R"("int64":-9223372036854775808,)"},
        LeafCase{"Large", [](TestLeaves& l) { l.number = 1180591620717411303424.0; },
                 R"("number":1.1805916207174113e+21,)"},
        LeafCase{"LessLarge", [](TestLeaves& l) { l.number = 123456789012345680000.0; },
                 R"("number":123456789012345680000,)"},
        LeafCase{"Small", [](TestLeaves& l) { l.number = 1.5e-7; }, R"("number":1.5e-7,)"},
        LeafCase{"MinusZero", [](TestLeaves& l) { l.number = -0.0; }, R"("number":-0,)"},
        LeafCase{"Time", [](TestLeaves& l) { l.time = 62'135'596'800; },
                 R"("time":"1970-01-01T00:00:00Z",)"},
        LeafCase{"MicroTime",
                 [](TestLeaves& l) {
                   l.micro_time = 62'135'596'800;
                   l.micros = 7;
                 },
                 R"("microTime":"1970-01-01T00:00:00.000007Z",)"},
        LeafCase{"MicroTimeOfMicros", [](TestLeaves& l) { l.micros = 7; },
                 R"("microTime":"0001-01-01T00:00:00.000007Z",)"},
        LeafCase{"Duration", [](TestLeaves& l) { l.duration = 1500; }, R"("duration":"1.5µs",)"},
        LeafCase{"Int", [](TestLeaves& l) { l.int_value = -80; }, R"("intOrString":-80,)"},
        LeafCase{"IntString",
                 [](TestLeaves& l) {
                   l.int_or_string = "25%";
                   l.int_or_type = 1;
                 },
                 R"("intOrString":"25%",)"},
        LeafCase{"Strings",
                 [](TestLeaves& l) {
                   l.strings = {"a", ""};
                 },
                 R"("strings":["a",""],)"},
        LeafCase{"Part", [](TestLeaves& l) { l.part.port = 0; },
                 R"("part":{"name":"","port":0}})"}),
    [](const testing::TestParamInfo<LeafCase>& row) { return row.param.name; });

// behaviour.md: COD-5
TEST(EncodeJson, ShapesThatAreAbsent) {
  EXPECT_THAT(EncodeJson(TestShapes{}),
              IsOkAndHolds(R"({"text":null,"time":null,"part":null,"parts":null,"partMap":null})"));
  TestShapes empty;
  empty.parts = List<TestPart>::Empty();
  empty.ints = List<int32_t>::Empty();
  empty.part_map = Map<TestPart>::Empty();
  empty.int_map = Map<int32_t>::Empty();
  EXPECT_THAT(EncodeJson(empty),
              IsOkAndHolds(R"({"text":null,"time":null,"part":null,"parts":[],"partMap":{}})"));
}

TEST(EncodeJson, ShapesThatAreThere) {
  TestShapes shapes;
  shapes.api_version = "v1";
  shapes.text = "";
  shapes.time = 0;  // A pointer to a zero time.
  shapes.left_out = 0;
  shapes.part = TestPart{.name = "p", .next = TestPart{.port = 1}};
  shapes.parts = {{.name = "a"}, {.parts = {{.name = "b"}}}};
  shapes.source = "s";
  shapes.target = TestPart{};
  shapes.ints = {1, -1};
  shapes.doubles = {0.5};
  shapes.part_map = {{"z<", {.name = "1"}}, {"a", {.name = "2"}}};
  shapes.int_map = {{"k", 7}};
  shapes.bytes_map = {{"empty", ""}, {"k", "?"}};
  shapes.strings_map = {{"k", {"x", "y"}}, {"null", {}}};
  shapes.lists = {{"x"}, List<String>::Empty()};
  EXPECT_THAT(
      EncodeJson(shapes),
      IsOkAndHolds(
          R"({"apiVersion":"v1","text":"","time":null,"leftOut":null,)"
          R"("part":{"name":"p","next":{"name":"","port":1}},)"
          R"("parts":[{"name":"a"},{"name":"","parts":[{"name":"b"}]}],"source":"s",)"
          R"("target":{"name":""},"ints":[1,-1],"doubles":[0.5],)"
          R"("partMap":{"a":{"name":"2"},"z\u003c":{"name":"1"}},"intMap":{"k":7},)"
          R"("bytesMap":{"empty":null,"k":"Pw=="},"stringsMap":{"k":["x","y"],"null":null},)"
          R"("lists":[["x"],[]]})"));
}

TEST(EncodeJson, ApplyConfigurationsHaveWhatIsThere) {
  EXPECT_THAT(EncodeJson(TestApply{}), IsOkAndHolds("{}"));
  TestApply apply;
  apply.name = "";
  apply.port = 0;
  apply.finalizers = List<String>::Empty();
  apply.labels = Map<String>::Empty();
  apply.next = TestApply{};
  EXPECT_THAT(EncodeJson(apply),
              IsOkAndHolds(R"({"name":"","port":0,"finalizers":[],"labels":{},"next":{}})"));
}

TEST(EncodeJson, FormsOfJson) {
  TestForms forms;
  EXPECT_THAT(EncodeJson(forms), IsOkAndHolds(R"({"orBool":false})"));
  forms.or_bool.allows = true;
  forms.or_array = TestOrArray{};
  forms.or_strings["none"];
  EXPECT_THAT(EncodeJson(forms),
              IsOkAndHolds(R"({"orBool":true,"orArray":null,"orStrings":{"none":null}})"));
  forms.or_bool.schema = TestPart{.name = "p"};
  forms.or_array->schema = TestPart{.name = "p"};
  forms.or_strings["none"].schema = TestPart{.name = "p"};
  EXPECT_THAT(EncodeJson(forms), IsOkAndHolds(R"({"orBool":{"name":"p"},"orArray":{"name":"p"},)"
                                              R"("orStrings":{"none":{"name":"p"}}})"));
  forms.or_array->parts = {{.name = "q"}};
  forms.or_strings["none"].names = {"n"};
  EXPECT_THAT(EncodeJson(forms), IsOkAndHolds(R"({"orBool":{"name":"p"},"orArray":[{"name":"q"}],)"
                                              R"("orStrings":{"none":["n"]}})"));
}

TEST(EncodeJson, LinesForPeople) {
  TestShapes shapes;
  shapes.parts = {{.name = "a{\"", .labels = {{"k", "v"}}}};
  shapes.part_map = Map<TestPart>::Empty();
  EXPECT_THAT(EncodeJson(shapes, {.indent = "  ", .final_newline = true}), IsOkAndHolds(R"({
  "text": null,
  "time": null,
  "part": null,
  "parts": [
    {
      "name": "a{\"",
      "labels": {
        "k": "v"
      }
    }
  ],
  "partMap": {}
}
)"));
}

TEST(EncodeJson, AppendsAndEndsTheLine) {
  std::string out = "# ";
  EXPECT_TRUE(AppendJson(out, TestApply{}, {.final_newline = true}).ok());
  EXPECT_EQ(out, "# {}\n");
}

TEST(EncodeJson, LongTextsAndManyElements) {
  TestShapes shapes;
  shapes.text = std::string(100'000, '<');
  std::string parts;
  for (int i = 0; i < 2'000; ++i) {
    shapes.parts.push_back({.name = "n"});
    parts += std::string(i == 0 ? "" : ",") + R"({"name":"n"})";
  }
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "\\u003c";
  EXPECT_THAT(EncodeJson(shapes),
              IsOkAndHolds(R"({"text":")" + text + R"(","time":null,"part":null,"parts":[)" +
                           parts + R"(],"partMap":null})"));
}

TEST(EncodeJson, ErrorsSayWhere) {
  TestShapes shapes;
  shapes.part_map["x"].parts = {{}, {.resources = {{"cpu", "1"}, {"memory", "1 Gi"}}}};
  std::string out = "kept";
  EXPECT_THAT(AppendJson(out, shapes),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "encode partMap[x].parts[1].resources[memory]: \"1 Gi\" is not a quantity"));
  EXPECT_EQ(out, "kept");

  TestLeaves leaves;
  leaves.raw_json = "{]";
  EXPECT_THAT(EncodeJson(leaves),
              StatusIs(absl::StatusCode::kInvalidArgument, "encode json: invalid JSON"));
  leaves = {};
  leaves.int_or_type = 2;
  EXPECT_THAT(EncodeJson(leaves),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "encode intOrString: expected an int or a string, got type 2"));
  leaves = {};
  leaves.number = std::numeric_limits<double>::infinity();
  EXPECT_THAT(EncodeJson(leaves), StatusIs(absl::StatusCode::kInvalidArgument,
                                           "encode number: unsupported value: infinity or NaN"));
}

}  // namespace
}  // namespace kube::codec
