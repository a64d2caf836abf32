#include "apiserver/validation/variable_types.h"

#include <string>

#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

std::string TypeOf(const VariableTypes& types, const char* name) {
  const cel::TypePtr type = types.FindField(VariableTypes::Self()->name, name);
  return type == nullptr ? "" : cel::FormatType(*type);
}

TEST(VariableTypes, KeepSimpleTypesAndForgetOthers) {
  struct Row {
    const char* name;
    cel::TypePtr type;
    const char* declared;
  };
  for (const Row& row : {
           Row{"an int", cel::IntType(), "int"},
           Row{"a list", cel::ListType(cel::StringType()), "list(string)"},
           Row{"a map", cel::MapType(cel::StringType(), cel::BoolType()), "map(string, bool)"},
           Row{"an object", cel::StructType("Pod0.spec"), "dyn"},
           Row{"a list of objects", cel::ListType(cel::StructType("Pod0")), "list(dyn)"},
           Row{"an optional value", cel::OptionalType(cel::IntType()), "dyn"},
           Row{"what does not compile", nullptr, "dyn"},
       }) {
    VariableTypes types;
    EXPECT_EQ(TypeOf(types, "x"), "") << row.name;
    types.Add("x", row.type);
    EXPECT_EQ(TypeOf(types, "x"), row.declared) << row.name;
  }
}

TEST(VariableTypes, StandBesideTheRequest) {
  const VariableTypes types;
  EXPECT_TRUE(types.HasStruct(VariableTypes::Self()->name));
  EXPECT_TRUE(types.HasStruct("kubernetes.AdmissionRequest"));
  EXPECT_FALSE(types.HasStruct("kubernetes.Other"));
  EXPECT_EQ(cel::FormatType(*types.FindField("kubernetes.AdmissionRequest", "name")), "string");
}

}  // namespace
}  // namespace kube::apiserver::internal
