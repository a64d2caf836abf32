#include "apimachinery/cel/internal/lists.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

std::string Show(const Value& list) {
  std::string out;
  for (size_t i = 0; i < list.list().size(); ++i) {
    const Value element = list.list().At(i);
    absl::StrAppend(
        &out, i == 0 ? "" : " ",
        element.is_map() ? element.map().Find(Value::FromView("v"))->integer() : element.integer());
  }
  return out;
}

Value Ints(std::vector<int64_t> numbers) {
  std::vector<Value> elements;
  for (const int64_t number : numbers) elements.push_back(Value::FromInt(number));
  return Value::FromList(std::move(elements));
}

SchemaPtr ListSchema(ListKind kind, SchemaPtr element, std::vector<std::string> keys = {}) {
  Schema schema;
  schema.kind = SchemaKind::kList;
  schema.list_kind = kind;
  schema.list_keys = std::move(keys);
  schema.element = std::move(element);
  return std::make_shared<const Schema>(std::move(schema));
}

unstructured::Value Json(absl::string_view json) { return unstructured::ParseJson(json).value(); }

TEST(ListsTest, WithoutASchema) {
  Context context;
  Budget budget(context, 1'000);
  const Value sum = AddLists(AddLists(Ints({1, 2}), Ints({3}), budget), Ints({2}), budget);
  EXPECT_EQ(Show(sum), "1 2 3 2");
  EXPECT_EQ(Show(AddLists(Ints({}), Ints({3}), budget)), "3");
  EXPECT_EQ(Show(AddLists(Ints({3}), Ints({}), budget)), "3");
}

TEST(ListsTest, SetsAndMaps) {
  Context context;
  Budget budget(context, 1'000);
  const SchemaPtr any = std::make_shared<const Schema>();
  const SchemaPtr set = ListSchema(ListKind::kSet, any);
  const unstructured::Value a = Json("[1, 2]");
  EXPECT_EQ(Show(AddLists(ToValue(a, *set), Ints({2, 3, 3, 1, 4}), budget)), "1 2 3 4");
  const SchemaPtr map = ListSchema(ListKind::kMap, any, {"k"});
  const unstructured::Value x = Json(R"([{"k": 1, "v": 1}, {"k": 2, "v": 2}])");
  const unstructured::Value y = Json(R"([{"k": 3, "v": 3}, {"k": 1, "v": 4}])");
  const Value sum = AddLists(ToValue(x, *map), ToValue(y, *map), budget);
  EXPECT_EQ(Show(sum), "4 2 3");
  EXPECT_EQ(sum.list().list_kind(), ListKind::kMap);
}

TEST(ListsTest, TooLarge) {
  Context context;
  Budget budget(context, 1'000);
  Value list = Ints({1});
  for (int i = 0; i < 31; ++i) list = AddLists(list, list, budget);
  EXPECT_EQ(list.list().size(), size_t{1} << 31);
  EXPECT_EQ(list.list().At((size_t{1} << 31) - 1).integer(), 1);
  EXPECT_EQ(AddLists(list, list, budget).error(), "list is too large");
}

TEST(ListsTest, Strings) {
  const Value list = StringList({"a", "b"});
  ASSERT_EQ(list.list().size(), 2u);
  EXPECT_EQ(list.list().At(1).text(), "b");
}

}  // namespace
}  // namespace kube::cel::internal
