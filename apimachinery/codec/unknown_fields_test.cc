// Structs that keep the members of a JSON object which no field has: of custom resources whose
// schema preserves unknown fields.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/sample_tables.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Value;

struct Open {
  Opt<String> name{};
  Box<Open> inner{};
  List<Open> list{};
  Map<Value> unknown_fields{};

  static const table::SampleMessage kMessage;
};

table::NamedField WithFlags(table::NamedField field, int flags) {
  field.field.flags = static_cast<uint8_t>(flags);
  return field;
}

const table::SampleMessage Open::kMessage = table::MakeMessage<Open>(
    "Open", {WithFlags(table::FieldAt("name", &Open::name), table::kOmitEmpty),
             WithFlags(table::FieldAt("inner", &Open::inner), table::kOmitEmpty),
             WithFlags(table::FieldAt("list", &Open::list), table::kOmitEmpty),
             WithFlags(table::FieldAt("unknownFields", &Open::unknown_fields),
                       table::kNoJson | table::kUnknownFields)});

std::string Recode(absl::string_view json) {
  const absl::StatusOr<Open> object = DecodeJson<Open>(json);
  if (!object.ok()) return object.status().ToString();
  return EncodeJson(*object).value();
}

// Returns an object with `count` members that no field has, in descending order.
std::string ManyMembers(int count) {
  std::string json = "{";
  for (int i = count; i > 0; --i) {
    absl::StrAppend(&json, "\"m", 10000 + i, "\":", i, i == 1 ? "}" : ",");
  }
  return json;
}

TEST(UnknownFieldsTest, AreWrittenAsTheyWereRead) {
  const struct {
    const char* name;
    const char* json;
    const char* want;
  } kRows[] = {
      {"none", R"({"name":"a"})", R"({"name":"a"})"},
      {"nothing", "{}", "{}"},
      {"only one", R"({"b":1})", R"({"b":1})"},
      {"between fields", R"({"b":[1,{"c":null}],"name":"a","a":{}})",
       R"({"name":"a","a":{},"b":[1,{"c":null}]})"},
      {"null", R"({"b":null})", R"({"b":null})"},
      {"in all structs", R"({"inner":{"x":1.5,"list":[{"y":"z"},{}]}})",
       R"({"inner":{"list":[{"y":"z"},{}],"x":1.5}})"},
      {"a name with escapes", R"({"a\"\u00e9\n":true})", "{\"a\\\"\u00e9\\n\":true}"},
      {"a field's name with escapes", R"({"n\u0061me":"a"})", R"({"name":"a"})"},
      {"the name of the member itself", R"({"unknownFields":{"a":1}})",
       R"({"unknownFields":{"a":1}})"},
      {"twice", R"({"b":{"c":1},"a":2,"b":{"d":1}})", R"({"a":2,"b":{"d":1}})"},
      {"an empty name", R"({"":1})", R"({"":1})"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Recode(row.json), row.want) << row.name;
}

TEST(UnknownFieldsTest, ManyAreSorted) {
  for (const int count : {2, 64, 65, 66, 1000}) {
    const absl::StatusOr<Open> object = DecodeJson<Open>(ManyMembers(count));
    ASSERT_THAT(object, IsOk());
    ASSERT_EQ(object->unknown_fields.size(), static_cast<size_t>(count));
    EXPECT_EQ(object->unknown_fields.begin()->key, "m10001") << count;
    EXPECT_EQ(*object->unknown_fields.find(absl::StrCat("m", 10000 + count)), Value(count));
  }
}

TEST(UnknownFieldsTest, ErrorsNameThePlace) {
  EXPECT_THAT(DecodeJson<Open>(R"({"inner":{"a":{"b":[1,x]}}})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::HasSubstr("decode Open: inner.a.b[1]: expected a value")));
}

TEST(UnknownFieldsTest, AreNoStrictErrors) {
  const auto decoded =
      DecodeJsonAndReport<Open>(R"({"a":1,"inner":{"b":{}},"name":"x","name":""})");
  ASSERT_THAT(decoded, IsOk());
  EXPECT_THAT(decoded->strict_errors, ElementsAre("duplicate field \"name\""));
}

TEST(UnknownFieldsTest, ObjectsOfCachesHaveThem) {
  constexpr char kJson[] =
      R"({"name":"a name that is not short","inner":{"a":{"b":["a text that is not short"]}},)"
      R"("list":[{"c":{"a key that is not short":1}}],"zone":"another text that is not short"})";
  SharingStore store;
  for (SharingStore* each : {static_cast<SharingStore*>(nullptr), &store}) {
    SharedDecoder decoder({}, each);
    for (int i = 0; i < 3; ++i) {
      const auto object = decoder.DecodeJson<Open>(PaddedBuffer(kJson));
      ASSERT_THAT(object, IsOk());
      EXPECT_THAT(EncodeJson(**object), IsOkAndHolds(kJson));
      Open copy = **object;
      copy.inner->unknown_fields["d"] = 1;
      EXPECT_THAT(EncodeJson(**object), IsOkAndHolds(kJson));
    }
  }
}

TEST(UnknownFieldsTest, ManyInObjectsOfCaches) {
  SharedDecoder decoder;
  const std::string json = ManyMembers(300);
  const auto object = decoder.DecodeJson<Open>(PaddedBuffer(json));
  ASSERT_THAT(object, IsOk());
  EXPECT_THAT(EncodeJson(**object), IsOkAndHolds(Recode(json)));
}

TEST(UnknownFieldsTest, AProjectionDropsThem) {
  const absl::StatusOr<Projection> projection =
      Projection::Make<Open>({.drop = {"inner.unknownFields"}});
  ASSERT_THAT(projection, IsOk());
  const auto object =
      DecodeJson<Open>(R"({"a":1,"inner":{"b":2,"name":"c"}})", {.projection = &*projection});
  ASSERT_THAT(object, IsOk());
  EXPECT_THAT(EncodeJson(*object), IsOkAndHolds(R"({"inner":{"name":"c"},"a":1})"));
}

TEST(UnknownFieldsTest, DifferencesNameThem) {
  Open before;
  before.unknown_fields["a"] = 1;
  Open after = before;
  after.unknown_fields["a"] = "x";
  EXPECT_EQ(ToString(Diff(before, after)), "unknownFields[a]: 1 -> \"x\"\n");
  EXPECT_THAT(Diff(before, before), IsEmpty());
}

}  // namespace
}  // namespace kube::codec
