#include "apimachinery/cel/value.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(ValueTest, KindsAndTypes) {
  struct Row {
    Value value;
    ValueKind kind;
    const char* type;
  };
  for (const Row& row : {
           Row{Value(), ValueKind::kNull, "null"},
           Row{Value::FromBool(true), ValueKind::kBool, "bool"},
           Row{Value::FromInt(-1), ValueKind::kInt, "int"},
           Row{Value::FromUint(1), ValueKind::kUint, "uint"},
           Row{Value::FromDouble(1.5), ValueKind::kDouble, "double"},
           Row{Value::FromString("a"), ValueKind::kString, "string"},
           Row{Value::FromView("a"), ValueKind::kString, "string"},
           Row{Value::FromBytes("a"), ValueKind::kBytes, "bytes"},
           Row{Value::FromDuration(1), ValueKind::kDuration, "duration"},
           Row{Value::FromTimestamp({}), ValueKind::kTimestamp, "timestamp"},
           Row{Value::FromList(std::vector<Value>{}), ValueKind::kList, "list(dyn)"},
           Row{MapBuilder().Build(), ValueKind::kMap, "map(dyn, dyn)"},
           Row{Value::FromType(IntType()), ValueKind::kType, "type(dyn)"},
           Row{Value::None(), ValueKind::kOptional, "optional_type(dyn)"},
           Row{Value::Error("bad"), ValueKind::kError, "!error!"},
       }) {
    EXPECT_EQ(row.value.kind(), row.kind) << row.type;
    EXPECT_EQ(FormatType(*row.value.type()), row.type);
  }
}

TEST(ValueTest, Contents) {
  EXPECT_EQ(Value::FromInt(-7).integer(), -7);
  EXPECT_EQ(Value::FromUint(7).unsigned_integer(), 7u);
  EXPECT_EQ(Value::FromDouble(1.5).number(), 1.5);
  const Value text = Value::FromString("text");
  const Value copy = text;
  EXPECT_EQ(copy.text(), "text");
  EXPECT_EQ(copy.text().data(), text.text().data());
  const std::string outside = "outside";
  EXPECT_EQ(Value::FromView(outside).text().data(), outside.data());
  const Value part = Value::FromPart(text, 1, 2);
  EXPECT_EQ(part.text(), "ex");
  EXPECT_EQ(part.text().data(), text.text().data() + 1);
  const Value bytes = Value::FromBytes(std::string("\0\xff", 2));
  EXPECT_EQ(bytes.bytes(), absl::string_view("\0\xff", 2));
  const Value some = Value::Optional(Value::FromInt(1));
  ASSERT_NE(some.optional(), nullptr);
  EXPECT_EQ(some.optional()->integer(), 1);
  const Value none = Value::None();
  EXPECT_EQ(none.optional(), nullptr);
  const Value error = Value::Error("bad");
  EXPECT_EQ(error.error(), "bad");
  EXPECT_TRUE(Value::FromBool(true).IsTrue());
  EXPECT_TRUE(Value::FromBool(false).IsFalse());
  EXPECT_FALSE(Value::FromInt(0).IsFalse());
}

TEST(ValueTest, Lists) {
  const Value list = Value::FromList({Value::FromInt(1), Value::FromView("a")});
  ASSERT_EQ(list.list().size(), 2u);
  EXPECT_EQ(list.list().At(0).integer(), 1);
  EXPECT_EQ(list.list().At(1).text(), "a");
  EXPECT_EQ(list.list().list_kind(), ListKind::kAtomic);
  EXPECT_TRUE(list.list().keys().empty());
}

TEST(ValueTest, Maps) {
  MapBuilder builder;
  EXPECT_TRUE(builder.Set(Value::FromView("b"), Value::FromInt(1)));
  EXPECT_TRUE(builder.Set(Value::FromView("a"), Value::FromInt(2)));
  EXPECT_TRUE(builder.Set(Value::FromInt(3), Value::FromInt(3)));
  EXPECT_TRUE(builder.Set(Value::FromView("b"), Value::FromInt(4)));
  EXPECT_FALSE(builder.Set(Value::FromList(std::vector<Value>{}), Value()));
  EXPECT_FALSE(builder.Set(Value::FromDouble(std::nan("")), Value()));
  builder.Erase(Value::FromView("a"));
  builder.Erase(Value::FromView("none"));
  EXPECT_TRUE(builder.Contains(Value::FromUint(3)));
  EXPECT_FALSE(builder.Contains(Value::FromView("a")));
  const Value value = builder.Build();
  const MapValue& map = value.map();
  ASSERT_EQ(map.size(), 2u);
  EXPECT_EQ(map.Find(Value::FromView("b"))->integer(), 4);
  // Numbers of any type find the same key.
  EXPECT_EQ(map.Find(Value::FromInt(3))->integer(), 3);
  EXPECT_EQ(map.Find(Value::FromUint(3))->integer(), 3);
  EXPECT_EQ(map.Find(Value::FromDouble(3))->integer(), 3);
  EXPECT_FALSE(map.Find(Value::FromDouble(3.5)).has_value());
  EXPECT_FALSE(map.Find(Value::FromView("3")).has_value());
  const std::vector<Value> keys = map.Keys();
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0].text(), "b");
  EXPECT_EQ(keys[1].integer(), 3);
  EXPECT_EQ(builder.Build().map().size(), 0u);
}

}  // namespace
}  // namespace kube::cel
