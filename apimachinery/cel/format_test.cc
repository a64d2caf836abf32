#include "apimachinery/cel/format.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(FormatTest, Values) {
  MapBuilder map;
  ASSERT_TRUE(map.Set(Value::FromString("b"), Value::FromInt(1)));
  ASSERT_TRUE(map.Set(Value::FromString("a"), Value()));
  struct Row {
    Value value;
    const char* text;
  };
  for (const Row& row : {
           Row{Value(), "null"},
           Row{Value::FromBool(true), "true"},
           Row{Value::FromInt(-1), "-1"},
           Row{Value::FromUint(1), "1u"},
           Row{Value::FromDouble(1), "1.0"},
           Row{Value::FromDouble(1.5e-3), "0.0015"},
           Row{Value::FromDouble(std::nan("")), "double(\"NaN\")"},
           Row{Value::FromDouble(-std::numeric_limits<double>::infinity()),
               "double(\"-Infinity\")"},
           Row{Value::FromString("a\"\n"), "\"a\\\"\\n\""},
           Row{Value::FromBytes("a\xff"), "b\"\\141\\377\""},
           Row{Value::FromDuration(1'500'000'000), "duration(\"1.5s\")"},
           Row{Value::FromTimestamp({.seconds = 0, .offset_seconds = 3600}),
               "timestamp(\"1970-01-01T00:00:00Z\")"},
           Row{Value::FromList({Value::FromInt(1), Value::FromString("x")}), "[1, \"x\"]"},
           Row{map.Build(), "{\"a\": null, \"b\": 1}"},
           Row{Value::FromType(TimestampType()), "google.protobuf.Timestamp"},
           Row{Value::None(), "optional.none()"},
           Row{Value::Optional(Value::FromInt(1)), "optional.of(1)"},
           Row{Value::Error("bad"), "error: bad"},
       }) {
    EXPECT_EQ(FormatValue(row.value), row.text);
  }
}

}  // namespace
}  // namespace kube::cel
