#include "apimachinery/types/table.h"

#include <cstddef>
#include <cstdint>

#include "apimachinery/table/message.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

struct Part {
  int32_t x{};
  static const Message kMessage;
};
constinit const Message Part::kMessage = {};

template <typename M>
constexpr Field Of() {
  return FieldOf<M>({.name = 3, .name_size = 4, .flags = 5, .offset = 6, .number = 7, .sub = 8});
}

TEST(FieldOf, TakesWhatTheTypeSays) {
  const struct {
    const char* name;
    Field field;
    Kind kind;
    Shape shape;
    Storage storage;
    size_t element_size;
  } kRows[] = {
      {"String", Of<String>(), Kind::kString, Shape::kValue, Storage::kString, 16},
      {"Bytes", Of<Bytes>(), Kind::kBytes, Shape::kValue, Storage::kString, 16},
      {"bool", Of<bool>(), Kind::kBool, Shape::kValue, Storage::kNone, 1},
      {"Time", Of<Time>(), Kind::kTime, Shape::kValue, Storage::kNone, 8},
      {"IntOrString", Of<IntOrString>(), Kind::kIntOrString, Shape::kValue, Storage::kString, 24},
      {"struct", Of<Part>(), Kind::kMessage, Shape::kValue, Storage::kMessage, 4},
      {"Opt of int", Of<Opt<int32_t>>(), Kind::kInt32, Shape::kOpt, Storage::kNone, 4},
      {"Opt of Quantity", Of<Opt<Quantity>>(), Kind::kQuantity, Shape::kOpt, Storage::kString, 16},
      {"Box", Of<Box<Part>>(), Kind::kMessage, Shape::kBox, Storage::kBox, 4},
      {"List", Of<List<String>>(), Kind::kString, Shape::kList, Storage::kList, 16},
      {"List of structs", Of<List<Part>>(), Kind::kMessage, Shape::kList, Storage::kList, 4},
      {"Map", Of<Map<String>>(), Kind::kString, Shape::kMap, Storage::kMap, 32},
      {"Map of bool", Of<Map<bool>>(), Kind::kBool, Shape::kMap, Storage::kMap, 24},
      {"Map of lists", Of<Map<List<String>>>(), Kind::kStringList, Shape::kMap, Storage::kMap, 24},
      {"list that is a value", StringListField<List<String>>({}), Kind::kStringList, Shape::kValue,
       Storage::kList, 8},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.field.kind, row.kind);
    EXPECT_EQ(row.field.shape, row.shape);
    EXPECT_EQ(row.field.storage, row.storage);
    EXPECT_EQ(row.field.element_size, row.element_size);
  }
}

TEST(FieldOf, KeepsTheRest) {
  constexpr Field kField = Of<String>();
  EXPECT_EQ(kField.name, 3);
  EXPECT_EQ(kField.name_size, 4);
  EXPECT_EQ(kField.flags, 5);
  EXPECT_EQ(kField.offset, 6);
  EXPECT_EQ(kField.number, 7);
  EXPECT_EQ(kField.sub, 8);
}

// The byte that presence_offset names is where an Opt keeps its presence.
template <typename T>
void ExpectPresence() {
  Opt<T> opt;
  opt.emplace();
  const Field field = FieldOf<Opt<T>>({});
  EXPECT_EQ(reinterpret_cast<const char*>(&opt)[field.presence_offset()], 1);
}

TEST(FieldOf, PresenceFollowsTheValue) {
  ExpectPresence<bool>();
  ExpectPresence<int32_t>();
  ExpectPresence<double>();
  ExpectPresence<String>();
  ExpectPresence<Time>();
  ExpectPresence<IntOrString>();
}

}  // namespace
}  // namespace kube::table
