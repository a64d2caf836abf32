#include "apimachinery/cel/type.h"

#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(TypeTest, Format) {
  struct Row {
    TypePtr type;
    const char* text;
  };
  for (const Row& row : {
           Row{IntType(), "int"},
           Row{DynType(), "dyn"},
           Row{NullType(), "null"},
           Row{ErrorType(), "!error!"},
           Row{DurationType(), "duration"},
           Row{TimestampType(), "timestamp"},
           Row{ListType(StringType()), "list(string)"},
           Row{MapType(StringType(), ListType(BytesType())), "map(string, list(bytes))"},
           Row{OptionalType(UintType()), "optional_type(uint)"},
           Row{StructType("kubernetes.Quantity"), "kubernetes.Quantity"},
           Row{OpaqueType("net.IP"), "net.IP"},
           Row{TypeOfType(DoubleType()), "type(double)"},
           Row{TypeParameter("A"), "A"},
       }) {
    EXPECT_EQ(FormatType(*row.type), row.text);
  }
}

TEST(TypeTest, Same) {
  EXPECT_TRUE(SameType(*ListType(IntType()), *ListType(IntType())));
  EXPECT_FALSE(SameType(*ListType(IntType()), *ListType(UintType())));
  EXPECT_FALSE(SameType(*ListType(IntType()), *OptionalType(IntType())));
  EXPECT_FALSE(SameType(*StructType("a"), *StructType("b")));
  EXPECT_FALSE(SameType(*StructType("a"), *OpaqueType("a")));
  EXPECT_TRUE(IsOptional(*OptionalType(BoolType())));
  EXPECT_FALSE(IsOptional(*OpaqueType("net.IP")));
}

}  // namespace
}  // namespace kube::cel
