#include "apimachinery/unstructured/value.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kLong = "a text of more than fifteen characters";

TEST(ValueTest, Constructor_EachArgument_SetsTheType) {
  struct Case {
    const char* name;
    Value value;
    ValueType type;
  };
  const Case kCases[] = {
      {"default", Value(), ValueType::kNull},
      {"nullptr", nullptr, ValueType::kNull},
      {"bool", false, ValueType::kBool},
      {"int", 1, ValueType::kInt},
      {"unsigned", 4294967295u, ValueType::kInt},
      {"int64", std::numeric_limits<int64_t>::min(), ValueType::kInt},
      {"double", 1.0, ValueType::kDouble},
      {"float", 1.0f, ValueType::kDouble},
      {"empty text", "", ValueType::kString},
      {"text inside", "fifteen letters", ValueType::kString},
      {"text outside", kLong, ValueType::kString},
      {"std::string", std::string("x"), ValueType::kString},
      {"String", String("x"), ValueType::kString},
      {"list", List<Value>{1, 2}, ValueType::kList},
      {"null list", List<Value>(), ValueType::kList},
      {"object", Map<Value>{{"a", 1}}, ValueType::kObject},
      {"null object", Map<Value>(), ValueType::kObject},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.value.type(), c.type);
    EXPECT_EQ(c.value.is_null(), c.type == ValueType::kNull);
    EXPECT_EQ(c.value.is_bool(), c.type == ValueType::kBool);
    EXPECT_EQ(c.value.is_int(), c.type == ValueType::kInt);
    EXPECT_EQ(c.value.is_double(), c.type == ValueType::kDouble);
    EXPECT_EQ(c.value.is_string(), c.type == ValueType::kString);
    EXPECT_EQ(c.value.is_list(), c.type == ValueType::kList);
    EXPECT_EQ(c.value.is_object(), c.type == ValueType::kObject);
    EXPECT_EQ(c.value.boolean().has_value(), c.type == ValueType::kBool);
    EXPECT_EQ(c.value.integer().has_value(), c.type == ValueType::kInt);
    EXPECT_EQ(c.value.number().has_value(), c.value.is_number());
    EXPECT_EQ(c.value.text().has_value(), c.type == ValueType::kString);
    EXPECT_EQ(c.value.list() != nullptr, c.type == ValueType::kList);
    EXPECT_EQ(c.value.object() != nullptr, c.type == ValueType::kObject);
    const Value copy = c.value;
    EXPECT_EQ(copy, c.value);
    EXPECT_EQ(absl::HashOf(copy), absl::HashOf(c.value));
  }
  static_assert(!std::is_convertible_v<uint64_t, Value>);
  static_assert(!std::is_convertible_v<char, Value>);
  static_assert(!std::is_convertible_v<const void*, Value>);
}

TEST(ValueTest, Accessors_ReturnTheStoredValue) {
  EXPECT_EQ(Value(true).boolean(), true);
  EXPECT_EQ(Value(std::numeric_limits<int64_t>::max()).integer(),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Value(-3).number(), -3.0);
  EXPECT_EQ(Value(0.25).number(), 0.25);
  EXPECT_EQ(Value("").text(), "");
  EXPECT_EQ(Value("fifteen letters").text(), "fifteen letters");
  EXPECT_EQ(Value(kLong).text(), kLong);
  EXPECT_FALSE(Value(List<Value>()).list()->is_null()) << "JSON has null, and has []";
  EXPECT_FALSE(Value(Map<Value>()).object()->is_null());
}

TEST(ValueTest, FindAndBrackets_NestedObject_ReturnTheMember) {
  const Value read = Map<Value>{
      {"spec", Map<Value>{{"replicas", 3}, {"template", Map<Value>{{"x", true}}}}},
  };
  EXPECT_EQ(read["spec"]["template"][std::string("x")], Value(true));
  ASSERT_NE(read.Find("spec"), nullptr);
  EXPECT_EQ(read.Find("spec")->Find("replicas")->integer(), 3);
  EXPECT_EQ(read.Find("status"), nullptr);
  EXPECT_EQ(read.Find("spec")->Find("replicas")->Find("x"), nullptr);
}

// A server may send a string where an object is expected; reading its members must not end the
// program.
TEST(ValueTest, Brackets_ValueThatIsNoObject_ReturnNullAndAddNothing) {
  for (Value value : {Value(), Value(true), Value(1), Value(1.5), Value("secret"),
                      Value(List<Value>{1}), Value(Map<Value>())}) {
    const Value before = value;
    EXPECT_TRUE(value["spec"]["replicas"].is_null());
    EXPECT_EQ(value["spec"].integer(), std::nullopt);
    EXPECT_EQ(value, before) << "reading adds nothing";
  }
}

// Writing through [] would have to end the program, or replace the existing value.
template <typename T>
concept IsWritable = requires(T& value) {
  value["spec"] = 1;
};
static_assert(!IsWritable<Value>);
static_assert(IsWritable<Map<Value>>);

TEST(ValueTest, EqualsTheSameTypeAndValueOnly) {
  EXPECT_EQ(Value(1), Value(1));
  EXPECT_EQ(Value(0.0), Value(-0.0));
  EXPECT_EQ(absl::HashOf(Value(0.0)), absl::HashOf(Value(-0.0)));
  const Value kDifferent[] = {
      nullptr,
      false,
      true,
      0,
      1,
      1.0,
      std::numeric_limits<double>::quiet_NaN(),
      "",
      "1",
      kLong,
      List<Value>(),
      List<Value>{1},
      List<Value>{1.0},
      List<Value>{nullptr},
      Map<Value>(),
      Map<Value>{{"a", nullptr}},
      Map<Value>{{"a", 1}},
      Map<Value>{{"b", 1}},
  };
  for (const Value& a : kDifferent) {
    for (const Value& b : kDifferent) {
      const bool is_nan = a.is_double() && std::isnan(*a.number());
      EXPECT_EQ(a == b, &a == &b && !is_nan) << a << " and " << b;
    }
  }
}

// Nested more deeply than a stack would allow recursion, which a JSON text may be.
TEST(ValueTest, IsCopiedComparedHashedAndFreedWithoutRecursion) {
  const auto nest = [](Value value) {
    for (int i = 0; i < 1'000'000; ++i) {
      if (i % 2 == 0) {
        List<Value> list;
        list.push_back(std::move(value));
        value = std::move(list);
      } else {
        Map<Value> object;
        object[kLong] = std::move(value);
        value = std::move(object);
      }
    }
    return value;
  };
  const Value deep = nest(kLong);
  const Value copy = deep;
  EXPECT_TRUE(copy == deep);
  EXPECT_FALSE(copy == nest("other"));
  EXPECT_EQ(absl::HashOf(copy), absl::HashOf(deep));
}

TEST(ValueTest, Copy_IsChanged_OriginalStaysTheSame) {
  Value original = Map<Value>{
      {kLong, List<Value>{kLong, Map<Value>{{"in", kLong}}}},
      {"empty", List<Value>()},
  };
  Value copy = original;
  (*(*copy.Find(kLong)->list())[1].object())["in"] = "other";
  EXPECT_EQ((*original.Find(kLong)->list())[1].Find("in")->text(), kLong);
  EXPECT_NE(copy, original);
  copy = original;
  EXPECT_EQ(copy, original);
  copy = *copy.Find(kLong);  // a part of itself
  EXPECT_EQ(copy, *original.Find(kLong));
  copy = std::move((*copy.list())[1]);
  EXPECT_EQ(copy, (Map<Value>{{"in", kLong}}));
  const Value taken = std::move(copy);
  EXPECT_TRUE(copy.is_null());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(taken.Find("in")->text(), kLong);
}

TEST(ValueTest, ListsAndMapsOfValues_SupportInsertionAndErasure) {
  List<Value> list{"a", 1.5, true};
  list.insert(list.begin(), Map<Value>{{"k", kLong}});
  list.push_back(list.front());
  EXPECT_EQ(list.size(), 5);
  EXPECT_EQ(list.front(), list.back());
  EXPECT_EQ(erase_if(list, [](const Value& v) { return v.is_object(); }), 2);
  EXPECT_EQ(list, (List<Value>{"a", 1.5, true}));
  Map<Value> map{{"b", 1}, {"a", kLong}};
  map.insert_or_assign("a", nullptr);
  EXPECT_TRUE(map.erase("b"));
  EXPECT_EQ(map, (Map<Value>{{"a", nullptr}}));
}

std::string Printed(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(ValueTest, Print_NestedValue_IsOneReadableLine) {
  const Value value =
      Map<Value>{{"list", List<Value>{nullptr, true, -1, 0.5, "a\nb"}}, {"nothing", Map<Value>()}};
  EXPECT_EQ(Printed(value), "{list: [null, true, -1, 0.5, \"a\\nb\"], nothing: {}}");
}

TEST(ValueTest, Print_Secret_HidesItsData) {
  const Value secret = Map<Value>{{"kind", "Secret"},
                                  {"data", Map<Value>{{"pin", "MTIzNA=="}}},
                                  {"stringData", Map<Value>{{"pin", "1234"}}}};
  EXPECT_EQ(Printed(secret),
            "{data: {pin: <8 bytes>}, kind: \"Secret\", stringData: {pin: <4 bytes>}}");
  const Value map = Map<Value>{{"kind", "ConfigMap"}, {"data", Map<Value>{{"a", "b"}}}};
  EXPECT_THAT(Printed(map), HasSubstr("{a: \"b\"}"));
}

TEST(ValueTest, IsReadByItsMembers_AsInTheHeader) {
  std::ostringstream out;
  Value spec = Map<Value>{{"replicas", 3}, {"args", List<Value>{"run", 1.5, true}}};
  std::optional<int64_t> replicas = spec["replicas"].integer();
  bool host_network = spec["template"]["spec"]["hostNetwork"].boolean() == true;  // false
  for (const auto& [key, value] : *spec.object()) out << key << ": " << value << "\n";
  EXPECT_EQ(replicas, 3);
  EXPECT_FALSE(host_network);
  EXPECT_THAT(out.str(), HasSubstr("replicas: 3\n"));
}

}  // namespace
}  // namespace kube::unstructured
