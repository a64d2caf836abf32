#include "apimachinery/cel/internal/unifier.h"

#include <string>
#include <vector>

#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

std::string Known(Unifier& unifier, const TypePtr& type) {
  return FormatType(*unifier.Substitute(type, /*unknown_to_dyn=*/false));
}

TEST(UnifierTest, TypesFit) {
  const struct {
    const char* what;
    TypePtr to;
    TypePtr from;
    bool fits;
  } kTests[] = {
      {"same", IntType(), IntType(), true},
      {"different", IntType(), UintType(), false},
      {"dyn takes all", DynType(), ListType(IntType()), true},
      {"dyn fits all", IntType(), DynType(), true},
      {"inside", ListType(DynType()), ListType(IntType()), true},
      {"inside differs", ListType(StringType()), ListType(IntType()), false},
      {"null for a time", NullType(), TimestampType(), true},
      {"null for an object", StructType("a"), NullType(), true},
      {"null for an int", NullType(), IntType(), false},
      {"objects", StructType("a"), StructType("b"), false},
      {"types", TypeOfType(IntType()), TypeOfType(StringType()), true},
      {"optional", OptionalType(IntType()), OptionalType(IntType()), true},
      {"optional and value", OptionalType(IntType()), IntType(), false},
  };
  for (const auto& test : kTests) {
    Unifier unifier;
    EXPECT_EQ(unifier.Assignable(test.to, test.from), test.fits) << test.what;
  }
}

TEST(UnifierTest, VariablesGetTypes) {
  Unifier unifier;
  const TypePtr a = unifier.NewVariable();
  const TypePtr b = unifier.NewVariable();
  EXPECT_EQ(Known(unifier, a), "_var0");
  EXPECT_TRUE(unifier.Assignable(ListType(a), ListType(b)));
  EXPECT_TRUE(unifier.Assignable(b, StringType()));
  EXPECT_EQ(Known(unifier, MapType(a, b)), "map(string, string)");
  EXPECT_FALSE(unifier.Assignable(a, IntType()));
  EXPECT_EQ(Known(unifier, a), "string");
}

TEST(UnifierTest, UnknownVariablesBecomeDyn) {
  Unifier unifier;
  EXPECT_EQ(FormatType(*unifier.Substitute(ListType(unifier.NewVariable()), true)), "list(dyn)");
}

TEST(UnifierTest, NothingIsKeptOfTypesThatDoNotFit) {
  Unifier unifier;
  const TypePtr a = unifier.NewVariable();
  EXPECT_FALSE(unifier.Assignable(MapType(a, IntType()), MapType(StringType(), BoolType())));
  EXPECT_EQ(Known(unifier, a), "_var0");
}

TEST(UnifierTest, VariableIsNotPartOfItsType) {
  Unifier unifier;
  const TypePtr a = unifier.NewVariable();
  EXPECT_FALSE(unifier.Assignable(a, ListType(a)));
}

TEST(UnifierTest, SignaturesGetNewVariables) {
  Unifier unifier;
  const std::vector<TypePtr> signature = {ListType(TypeParameter("T")), TypeParameter("T")};
  const std::vector<TypePtr> first = unifier.Instantiate(signature);
  const std::vector<TypePtr> second = unifier.Instantiate(signature);
  EXPECT_EQ(Known(unifier, first[0]), "list(_var0)");
  EXPECT_EQ(Known(unifier, first[1]), "_var0");
  EXPECT_EQ(Known(unifier, second[1]), "_var1");
}

TEST(UnifierTest, HugeTypesEndTheWork) {
  Unifier unifier;
  TypePtr left = IntType();
  TypePtr right = IntType();
  for (int i = 0; i < 40; ++i) {
    left = MapType(left, left);
    right = MapType(right, right);
  }
  EXPECT_FALSE(unifier.Assignable(left, right));
  EXPECT_TRUE(unifier.exhausted());
  EXPECT_EQ(TypeText(*left), "map(...)");
}

}  // namespace
}  // namespace kube::cel::internal
