#include "apimachinery/table/walk.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

TEST(WalkTest, SizesAreThoseOfTypeOf) {
  for (const Type& type :
       {TypeOf<String>(), TypeOf<Bytes>(), TypeOf<Quantity>(), TypeOf<RawExtension>(),
        TypeOf<FieldsV1>(), TypeOf<RawJson>(), TypeOf<bool>(), TypeOf<int32_t>(), TypeOf<int64_t>(),
        TypeOf<double>(), TypeOf<Time>(), TypeOf<MicroTime>(), TypeOf<Duration>(),
        TypeOf<IntOrString>(), TypeOf<List<String>>()}) {
    EXPECT_EQ(SizeOf(type.kind), type.size) << static_cast<int>(type.kind);
  }
}

TEST(WalkTest, TheTypeOfAFieldIsThatOfItsClass) {
  const struct {
    absl::string_view name;
    Type type;
  } cases[] = {
      {"name", TypeOf<String>()},    {"count", TypeOf<int32_t>()},
      {"note", TypeOf<String>()},    {"flag", TypeOf<bool>()},
      {"number", TypeOf<int64_t>()}, {"weight", TypeOf<double>()},
      {"data", TypeOf<Bytes>()},     {"size", TypeOf<Size>()},
      {"limit", TypeOf<Size>()},     {"child", TypeOf<Part>()},
      {"parts", TypeOf<Part>()},     {"tags", TypeOf<String>()},
      {"ports", TypeOf<int32_t>()},  {"groups", TypeOf<List<String>>()},
      {"labels", TypeOf<String>()},  {"sizes", TypeOf<Size>()},
      {"flags", TypeOf<bool>()},     {"extra", TypeOf<List<String>>()},
      {"index", TypeOf<Part>()},
  };
  const Message& message = Part::kMessage;
  ASSERT_EQ(std::size(cases), message.field_count);
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    ASSERT_EQ(message.field_name(field), cases[i].name);
    const Type type = ValueType(message, field);
    EXPECT_EQ(type.kind, cases[i].type.kind) << cases[i].name;
    EXPECT_EQ(type.size, cases[i].type.size) << cases[i].name;
    EXPECT_EQ(type.message, cases[i].type.message) << cases[i].name;
    EXPECT_EQ(ElementType(message, field).kind, cases[i].type.kind) << cases[i].name;
  }
}

TEST(WalkTest, AListOfStringsByValueHasStringsAsElements) {
  Field field{};
  field.kind = Kind::kStringList;
  field.shape = Shape::kValue;
  const Message message{};
  EXPECT_EQ(ValueType(message, field).kind, Kind::kStringList);
  EXPECT_EQ(ElementType(message, field).kind, Kind::kString);
  EXPECT_EQ(ElementType(message, field).size, sizeof(StringRep));
}

TEST(WalkTest, LoadsWhatWasStored) {
  char bytes[16] = {};
  Store(bytes + 3, int64_t{-7});
  EXPECT_EQ(Load<int64_t>(bytes + 3), -7);
}

}  // namespace
}  // namespace kube::table
