#include "clientset/dynamic/internal/exact_json.h"

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::dynamic::internal {
namespace {

using unstructured::Value;

TEST(ExactJsonTest, KeepsTheTypesOfNumbers) {
  for (absl::string_view json :
       {R"({"a":[1,1.0,-0.0,1.5,1e+21,1000000.0,null,true,{}],"b":{"c":[]},"d\n":"\u003c"})", "3.0",
        "[]", "{}", "\"x\"", "[[[]],[[1]]]"}) {
    const Value value = unstructured::ParseJson(json).value();
    EXPECT_THAT(EncodeExactJson(value), base::IsOkAndHolds(std::string(json)));
  }
}

TEST(ExactJsonTest, DeepAndInfinite) {
  const std::string deep = std::string(9'000, '[') + std::string(9'000, ']');
  EXPECT_THAT(EncodeExactJson(unstructured::ParseJson(deep).value()), base::IsOkAndHolds(deep));
  const Value infinite = List<Value>{std::numeric_limits<double>::infinity()};
  EXPECT_THAT(EncodeExactJson(infinite), base::StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::dynamic::internal
