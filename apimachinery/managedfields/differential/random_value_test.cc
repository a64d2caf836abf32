#include "apimachinery/managedfields/differential/random_value.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using unstructured::Value;

constexpr absl::string_view kSchema = R"(
types:
- name: root
  map:
    fields:
    - {name: items, type: {list: {elementRelationship: associative, keys: [name, port],
                                  elementType: {namedType: item}}}}
    - {name: names, type: {list: {elementRelationship: associative,
                                  elementType: {scalar: string}}}}
    - {name: root, type: {namedType: root}}
    elementType: {namedType: __untyped_deduced_}
- name: item
  map:
    fields:
    - {name: name, type: {scalar: string}}
    - {name: port, type: {scalar: numeric}, default: 80}
    - {name: value, type: {scalar: boolean}}
)";

TEST(ValueMakerTest, ValuesWithoutMistakesFitTheSchema) {
  const absl::StatusOr<BuiltSchema> built = ParseSchema(kSchema, "root");
  ASSERT_THAT(built, IsOk());
  ValueMaker maker(1);
  for (int i = 0; i < 300; ++i) {
    const Value donor = maker.Make(*built->schema, 4);
    const Value value = maker.Make(*built->schema, 4);
    EXPECT_THAT(Validate(value, *built->schema), IsOk()) << value;
    const Value varied = maker.Vary(value, donor, *built->schema, 20);
    EXPECT_THAT(Validate(varied, *built->schema), IsOk()) << varied;
    const Value subset = maker.Subset(value, *built->schema, 50);
    EXPECT_THAT(Validate(subset, *built->schema), IsOk()) << subset;
  }
}

TEST(ValueMakerTest, TheSameSeedMakesTheSame) {
  const absl::StatusOr<BuiltSchema> built = ParseSchema(kSchema, "root");
  ASSERT_THAT(built, IsOk());
  ValueMaker a(7, {.mistakes = 50});
  ValueMaker b(7, {.mistakes = 50});
  EXPECT_EQ(a.Make(*built->schema, 4), b.Make(*built->schema, 4));
}

}  // namespace
}  // namespace kube::managedfields
