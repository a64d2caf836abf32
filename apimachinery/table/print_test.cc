#include "apimachinery/table/print.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

template <typename T>
std::string Print(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(PrintTest, ShowsWhatIsNotZero) {
  const struct {
    const char* name;
    Part part;
    const char* want;
  } cases[] = {
      {"nothing", {}, "{}"},
      {"text", {.name = "web-0"}, R"({name: "web-0"})"},
      {"escapes", {.name = "a\"b\n\x01\xc3\xa4"}, "{name: \"a\\\"b\\n\\001\xc3\xa4\"}"},
      {"zero, but there", {.count = 0, .note = ""}, R"({count: 0, note: ""})"},
      {"numbers",
       {.flag = true, .number = -5, .weight = 0.1},
       "{flag: true, number: -5, weight: 0.1}"},
      {"bytes have no content", {.data = "secret"}, "{data: <6 bytes>}"},
      {"empty bytes", {.data = Bytes::Empty()}, "{data: <0 bytes>}"},
      {"struct by value", {.size = {.width = 3}}, "{size: {width: 3}}"},
      {"box", {.limit = Size{}, .child = Part{.name = "x"}}, R"({limit: {}, child: {name: "x"}})"},
      {"lists",
       {.parts = {{.name = "x"}, {}}, .tags = {"a", "b"}, .ports = {1, 2}, .groups = {{"a"}, {}}},
       R"({parts: [{name: "x"}, {}], tags: ["a", "b"], ports: [1, 2], groups: [["a"], null]})"},
      {"empty lists and maps",
       {.tags = List<String>::Empty(), .labels = Map<String>::Empty()},
       "{tags: [], labels: {}}"},
      {"maps",
       {.labels = {{"app", "web"}}, .sizes = {{"s", {.width = 1}}}, .flags = {{"on", true}}},
       R"({labels: {app: "web"}, sizes: {s: {width: 1}}, flags: {on: true}})"},
      {"kubectl's copy of the object",
       {.labels = {{"kubectl.kubernetes.io/last-applied-configuration", "hush"}, {"x", "y"}}},
       R"({labels: {kubectl.kubernetes.io/last-applied-configuration: <4 bytes>, x: "y"}})"},
  };
  for (const auto& c : cases) EXPECT_EQ(Print(c.part), c.want) << c.name;
}

TEST(PrintTest, PrintsTheContainers) {
  EXPECT_EQ(Print(List<String>()), "null");
  EXPECT_EQ(Print(List<int32_t>{1, 2}), "[1, 2]");
  EXPECT_EQ(Print(Map<String>()), "null");
  EXPECT_EQ(Print(Map<String>{{"b", "2"}, {"a", "1"}}), R"({a: "1", b: "2"})");
  EXPECT_EQ(Print(*Map<String>{{"b", "2"}}.begin()), R"(b: "2")");
  EXPECT_EQ(Print(Box<Size>()), "absent");
  EXPECT_EQ(Print(Box<Size>(Size{.width = 1})), "{width: 1}");
  EXPECT_EQ(Print(Opt<int32_t>()), "absent");
  EXPECT_EQ(Print(Opt<int32_t>(0)), "0");
  EXPECT_EQ(Print(Opt<String>("a")), R"("a")");
  EXPECT_EQ(Print(Opt<bool>(false)), "false");
}

TEST(PrintTest, DoublesAreAsShortAsTheyCanBe) {
  EXPECT_EQ(Print(Opt<double>(1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(Print(Opt<double>(1e100)), "1e+100");
  EXPECT_EQ(Print(Opt<double>(std::numeric_limits<double>::quiet_NaN())), "nan");
}

// The kinds whose classes are not needed here: a StringRep or a number, and what follows it.
TEST(PrintTest, KindsByTheirBits) {
  const struct {
    const char* name;
    Kind kind;
    const char* text;
    int32_t low;
    int32_t high;
    const char* want;
  } cases[] = {
      {"quantity", Kind::kQuantity, "500m", 0, 0, "500m"},
      {"raw extension", Kind::kRawExtension, "{\"a\":1}", 0, 0, "<7 bytes>"},
      {"fields v1", Kind::kFieldsV1, "{}", 0, 0, "<2 bytes>"},
      {"raw json", Kind::kRawJson, "true", 0, 0, "<4 bytes>"},
      {"int or string: a number", Kind::kIntOrString, "", 8080, 0, "8080"},
      {"int or string: a text", Kind::kIntOrString, "50%", 0, 1, "\"50%\""},
      {"int or string: neither", Kind::kIntOrString, "", 5, 2, "5"},
      {"time", Kind::kTime, nullptr, 86400, 0, "0001-01-02T00:00:00Z"},
      {"micro time", Kind::kMicroTime, nullptr, 1, 250000, "0001-01-01T00:00:01.250000Z"},
      {"duration", Kind::kDuration, nullptr, 1500000000, 0, "1.5s"},
  };
  for (const auto& c : cases) {
    alignas(8) char value[24] = {};
    if (c.text != nullptr) {
      const StringRep rep = StringRep::Inline(c.text, std::strlen(c.text));
      std::memcpy(value, &rep, sizeof(rep));
      std::memcpy(value + 16, &c.low, 4);
      std::memcpy(value + 20, &c.high, 4);
    } else {
      const int64_t low = c.low;
      std::memcpy(value, &low, 8);
      std::memcpy(value + 8, &c.high, 4);
    }
    std::ostringstream out;
    PrintValue(out, value, {c.kind, 0, nullptr});
    EXPECT_EQ(out.str(), c.want) << c.name;
  }
}

TEST(PrintTest, EndsBeforeItIsTooLong) {
  Part part{.name = std::string(100'000, 'x')};
  for (int i = 0; i < 20'000; ++i) part.tags.push_back("tag");
  for (const std::string& text : {Print(part), Print(part.tags)}) {
    EXPECT_LE(text.size(), kMaxPrintedBytes + 3);
  }
  EXPECT_TRUE(absl::EndsWith(Print(part), "x…"));
  EXPECT_TRUE(absl::EndsWith(Print(part.tags), "…"));
}

TEST(PrintTest, IsNotCutWithinACharacter) {
  for (int shift = 0; shift < 4; ++shift) {
    std::string name(static_cast<size_t>(shift), 'a');
    for (size_t i = 0; i < kMaxPrintedBytes; ++i) name += "ä";
    const std::string text = Print(Part{.name = name});
    EXPECT_TRUE(absl::EndsWith(text, "ä…")) << shift;
    EXPECT_LE(text.size(), kMaxPrintedBytes + 3);
  }
}

TEST(PrintTest, AFullPart) {
  EXPECT_EQ(Print(FullPart().child),
            R"({name: "child", parts: [{name: "grandchild, quite a long name"}]})");
}

}  // namespace
}  // namespace kube::table
