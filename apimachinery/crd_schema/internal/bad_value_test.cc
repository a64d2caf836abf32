#include "apimachinery/crd_schema/internal/bad_value.h"

#include <string>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using validation::field::BadValue;
using validation::field::JsonValue;

TEST(BadValueTest, OfEachType) {
  EXPECT_EQ(BadValueOf({}), BadValue(JsonValue{"null"}));
  EXPECT_EQ(BadValueOf("a"), BadValue(std::string("a")));
  EXPECT_EQ(BadValueOf(1.5), BadValue(1.5));
  EXPECT_EQ(BadValueOf(Map<unstructured::Value>{{"a", 1}}), BadValue(JsonValue{R"({"a":1})"}));
}

}  // namespace
}  // namespace kube::crd_schema::internal
