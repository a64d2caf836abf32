#include "apimachinery/cel/internal/function.h"

#include <string>
#include <vector>

#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/internal/regexp.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

Value One(const Call&) { return Value::FromInt(1); }
Value Two(const Call&) { return Value::FromInt(2); }

class FunctionTest : public testing::Test {
 protected:
  Value Run(const Function& function, const Overload* overload,
            const std::vector<Value>& arguments) {
    return Invoke(function, overload,
                  {.function = function.name,
                   .arguments = arguments,
                   .budget = budget_,
                   .regexps = regexps_});
  }

  Context context_;
  Budget budget_{context_, 1'000};
  RegexpCache regexps_;
};

TEST_F(FunctionTest, ArgumentsChooseTheOverload) {
  Functions functions;
  functions.Add("f", {.id = "f_int",
                      .is_member = false,
                      .arguments = {IntType()},
                      .result = IntType(),
                      .implementation = One});
  functions.Add("f", {.id = "f_list",
                      .is_member = false,
                      .arguments = {ListType(StringType())},
                      .result = IntType(),
                      .implementation = Two});
  const Function* f = functions.Find("f");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(Run(*f, nullptr, {Value::FromInt(0)}).integer(), 1);
  EXPECT_EQ(Run(*f, nullptr, {Value::FromList({Value::FromString("a")})}).integer(), 2);
  EXPECT_EQ(Run(*f, nullptr, {Value::FromList({Value::FromInt(1)})}).error(),
            "no such overload: f(list)");
  EXPECT_EQ(Run(*f, nullptr, {Value::FromInt(0), Value()}).error(),
            "no such overload: f(int, null_type)");
  EXPECT_EQ(Run(*f, f->FindOverload("f_list"), {Value::FromInt(0)}).error(),
            "no such overload: f(int)");
  EXPECT_EQ(f->FindOverload("none"), nullptr);
  EXPECT_EQ(functions.Find("g"), nullptr);
}

TEST_F(FunctionTest, CommonAndUnguarded) {
  Functions functions;
  functions.Add("f", {.id = "f",
                      .is_member = false,
                      .arguments = {IntType()},
                      .result = IntType(),
                      .implementation = One});
  functions.SetUnguarded("f");
  const Function* f = functions.Find("f");
  EXPECT_EQ(Run(*f, f->FindOverload("f"), {Value()}).integer(), 1);
  EXPECT_TRUE(Run(*f, nullptr, {Value()}).is_error());
  functions.SetCommon("f", Two);
  EXPECT_EQ(Run(*f, nullptr, {Value()}).integer(), 2);
  EXPECT_EQ(Run(*f, nullptr, {}).error(), "no such overload: f()");
}

TEST_F(FunctionTest, HasType) {
  MapBuilder map;
  ASSERT_TRUE(map.Set(Value::FromString("a"), Value::FromInt(1)));
  const Value value = map.Build();
  EXPECT_TRUE(internal::HasType(value, *MapType(StringType(), IntType())));
  EXPECT_FALSE(internal::HasType(value, *MapType(StringType(), StringType())));
  EXPECT_TRUE(internal::HasType(value, *TypeParameter("A")));
  EXPECT_TRUE(internal::HasType(Value::None(), *OptionalType(IntType())));
  EXPECT_FALSE(internal::HasType(Value(), *IntType()));
}

}  // namespace
}  // namespace kube::cel::internal
