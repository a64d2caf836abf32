#include "apimachinery/managedfields/internal/json_iterator.h"

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/managedfields/differential compares whole sets with Go.
namespace kube::managedfields::internal {
namespace {

using testing::HasSubstr;
using unstructured::Value;

std::string Repeated(absl::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out.append(text.data(), text.size());
  return out;
}

std::string Written(const Value& value) {
  std::string out;
  AppendValue(out, value);
  return out;
}

// Returns the value, or the error as a string that begins with "error: ".
Value Read(absl::string_view json) {
  const codec::PaddedBuffer padded(json);
  JsonReader reader(padded.data() + padded.size());
  Value value;
  const codec::internal::Scanned scanned = reader.ReadValue(padded.data(), value);
  if (scanned.after == nullptr) return std::string("error: ") + scanned.error;
  EXPECT_LE(scanned.after, padded.data() + padded.size()) << json;
  return value;
}

TEST(JsonIteratorTest, AppendValue_AnyValue_IsWhatJsonIteratorWrites) {
  for (const auto& [value, json] : {
           std::pair<Value, absl::string_view>{Value(), "null"},
           {true, "true"},
           {false, "false"},
           {-7, "-7"},
           {80.0, "80"},
           {-0.0, "-0"},
           {0.1, "0.1"},
           {1e20, "100000000000000000000"},
           {1e21, "1e+21"},
           {1.5e-6, "0.0000015"},
           {1.5e-7, "1.5e-07"},
           {"", R"("")"},
           {"web", R"("web")"},
           {"a\"b\\c", R"("a\"b\\c")"},
           {"<&>", R"("\u003c\u0026\u003e")"},
           {"\n\r\t\b\f\x01\x7f", "\"\\n\\r\\t\\u0008\\u000c\\u0001\x7f\""},
           {"\u00e9 \u2028\u2029 \U0001f680", "\"\u00e9 \\u2028\\u2029 \U0001f680\""},
           {"\xff!", R"("\ufffd!")"},
           {List<Value>(), "[]"},
           {List<Value>{1, "a", nullptr}, R"([1,"a",null])"},
           {Map<Value>(), "{}"},
           {Map<Value>{{"b", 1}, {"<", List<Value>::Empty()}}, R"({"\u003c":[],"b":1})"},
       }) {
    EXPECT_EQ(Written(value), json) << value;
  }
}

TEST(JsonIteratorTest, AppendFieldText_EscapesOnlyWhatJsonRequires) {
  for (const auto& [text, written] : {
           std::pair<absl::string_view, absl::string_view>{"", ""},
           {"f:replicas", "f:replicas"},
           {"<&>\u2028\xff", "<&>\u2028\xff"},
           {"\"a\\", R"(\"a\\)"},
           {"\n\r\t\b\x1f", R"(\n\r\t\u0008\u001f)"},
       }) {
    std::string out;
    AppendFieldText(out, text);
    EXPECT_EQ(out, written);
  }
}

TEST(JsonIteratorTest, ReadValue_Value_IsReadWithNumbersAsDoubles) {
  for (const auto& [json, value] : {
           std::pair<absl::string_view, Value>{"null", Value()},
           {"true", true},
           {"false", false},
           {"80", 80.0},
           {"-1.5e2", -150.0},
           {"9007199254740993", 9007199254740992.0},
           {"1e-400", 0.0},
           {R"("")", ""},
           {R"("a\"\\\/\b\f\n\r\t\u0041")", "a\"\\/\b\f\n\r\tA"},
           {R"("\ud83d\ude80 \ud83d!")", "\U0001f680 \ufffd!"},
           {R"("\"\ud83d\ude80\"")", "\"\U0001f680\""},
           {"\"\xff\\n\xff\"", "\xff\n\xff"},
           {"[]", List<Value>::Empty()},
           {"[ 1 , \"a\" ,[]]", List<Value>{1.0, "a", List<Value>::Empty()}},
           {"{}", Map<Value>::Empty()},
           {R"({ "b" : 1 , "a" : { } })", Map<Value>{{"a", Map<Value>::Empty()}, {"b", 1.0}}},
           {R"({"b":1,"a":2,"b":3})", Map<Value>{{"a", 2.0}, {"b", 3.0}}},
       }) {
    EXPECT_EQ(Read(json), value) << json;
  }
}

TEST(JsonIteratorTest, ReadValue_NoValue_IsAnError) {
  for (const auto& [json, error] : {
           std::pair<absl::string_view, absl::string_view>{"", "end of input"},
           {"x", "number"},
           {"nul", "null"},
           {"tru", "true"},
           {"01", "number"},
           {"1.2.3", "number"},
           {"--1", "number"},
           {"1e400", "out of range"},
           {"\"a", "end of input"},
           {"\"a\\", "end of input"},
           {"\"a\nb\"", "control character"},
           {R"("\x41")", "escape"},
           {R"("\u12")", "hexadecimal"},
           {"[1", "expected , or ]"},
           {"[1,]", "number"},
           {"{1}", "string"},
           {R"({"a"})", "expected :"},
           {R"({"a":1)", "expected , or }"},
           {R"({"a":1,})", "string"},
       }) {
    const Value value = Read(json);
    ASSERT_TRUE(value.is_string()) << json << ": " << value;
    EXPECT_THAT(std::string(*value.text()),
                testing::AllOf(HasSubstr("error: "), HasSubstr(std::string(error))))
        << json;
  }
}

TEST(JsonIteratorTest, ReadValue_Nesting_EndsAtMaxDepth) {
  const std::string lists = Repeated("[", kMaxDepth) + Repeated("]", kMaxDepth);
  EXPECT_EQ(Written(Read(lists)), lists);
  EXPECT_EQ(Read("[" + lists + "]"), "error: exceeded max depth");
  EXPECT_EQ(Read(Repeated("{\"a\":", kMaxDepth + 1)), "error: exceeded max depth");
}

TEST(JsonIteratorTest, ReadString_Plain_IsPartOfTheInput) {
  const codec::PaddedBuffer padded(R"("web" "a\"b")");
  JsonReader reader(padded.data() + padded.size());
  absl::string_view text;
  EXPECT_EQ(reader.ReadString(padded.data(), text).after, padded.data() + 5);
  EXPECT_EQ(text.data(), padded.data() + 1);
  EXPECT_EQ(text, "web");
  EXPECT_EQ(reader.ReadString(padded.data() + 6, text).after, padded.data() + padded.size());
  EXPECT_EQ(text, "a\"b");
}

}  // namespace
}  // namespace kube::managedfields::internal
