#include "apimachinery/managedfields/schema.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using unstructured::Value;

PathElement F(absl::string_view name) { return PathElement::Field(name); }

PathElement Named(absl::string_view name) { return PathElement::Key(Map<Value>{{"name", name}}); }

TEST(MapSchemaTest, FindsFieldsByTheBytesOfTheirNames) {
  const Schema a, upper, z, umlaut;
  MapSchema map;
  map.fields = {{.name = "Z", .schema = &upper},
                {.name = "a", .schema = &a},
                {.name = "z", .schema = &z},
                {.name = "\xC3\xA4", .schema = &umlaut}};
  EXPECT_EQ(map.FindField("Z"), &upper);
  EXPECT_EQ(map.FindField("a"), &a);
  EXPECT_EQ(map.FindField("z"), &z);
  EXPECT_EQ(map.FindField("\xC3\xA4"), &umlaut);
  for (const absl::string_view unknown : {"", "A", "aa", "y", "zz", "\xFF"}) {
    EXPECT_EQ(map.FindField(unknown), nullptr) << unknown;
  }
}

TEST(MapSchemaTest, KeysThatAreNoFieldsHaveTheSchemaOfTheElement) {
  const Schema field, element;
  MapSchema map;
  map.fields.push_back({.name = "a", .schema = &field});
  EXPECT_EQ(map.Find("a"), &field);
  EXPECT_EQ(map.Find("b"), nullptr);
  map.element = &element;
  EXPECT_EQ(map.Find("a"), &field);
  EXPECT_EQ(map.Find("b"), &element);
  EXPECT_EQ(map.FindField("b"), nullptr);
}

TEST(MapSchemaTest, AnEmptyMapHasNoFields) { EXPECT_EQ(MapSchema().Find("a"), nullptr); }

TEST(UntypedAtomicSchemaTest, EverythingIsOwnedAsAWhole) {
  const Schema& schema = UntypedAtomicSchema();
  EXPECT_EQ(schema.scalar, ScalarType::kUntyped);
  ASSERT_NE(schema.list, nullptr);
  EXPECT_FALSE(schema.list->associative);
  EXPECT_EQ(schema.list->element, &schema);
  ASSERT_NE(schema.map, nullptr);
  EXPECT_TRUE(schema.map->atomic);
  EXPECT_EQ(schema.map->Find("any"), &schema);
  EXPECT_EQ(&UntypedAtomicSchema(), &schema);
}

TEST(DeducedSchemaTest, MapsAreOwnedByKeyAndListsAsAWhole) {
  const Schema& schema = DeducedSchema();
  EXPECT_EQ(schema.scalar, ScalarType::kUntyped);
  ASSERT_NE(schema.list, nullptr);
  EXPECT_FALSE(schema.list->associative);
  EXPECT_EQ(schema.list->element, &UntypedAtomicSchema());
  ASSERT_NE(schema.map, nullptr);
  EXPECT_FALSE(schema.map->atomic);
  EXPECT_EQ(schema.map->Find("any"), &schema);
  EXPECT_EQ(&DeducedSchema(), &schema);
}

// A struct whose field `named` is of its own type, as are the values of its other keys.
constexpr absl::string_view kNested = R"(
types:
- name: nested
  map:
    fields:
    - name: named
      type: {namedType: nested}
    - name: number
      type: {scalar: numeric}
    - name: items
      type:
        list:
          elementRelationship: associative
          keys: [name]
          elementType: {namedType: nested}
    - name: set
      type: {list: {elementRelationship: associative, elementType: {scalar: string}}}
    - name: closed
      type: {map: {fields: [{name: a, type: {scalar: string}}]}}
    elementType: {namedType: nested}
)";

struct EnsureNamedCase {
  std::string name;
  FieldSet set;
  FieldSet want;
};

class EnsureNamedFieldsTest : public ::testing::TestWithParam<EnsureNamedCase> {};

TEST_P(EnsureNamedFieldsTest, AddsDeclaredFields) {
  const absl::StatusOr<BuiltSchema> built = ParseSchema(kNested, "nested");
  ASSERT_THAT(built, IsOk());
  EXPECT_EQ(EnsureNamedFieldsAreMembers(GetParam().set, *built->schema), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, EnsureNamedFieldsTest,
    ::testing::Values(
        EnsureNamedCase{"Empty", FieldSet(), FieldSet()},
        EnsureNamedCase{"LeavesStay", FieldSet{Path{F("number")}, Path{F("free")}},
                        FieldSet{Path{F("number")}, Path{F("free")}}},
        EnsureNamedCase{"FieldsOnTheWayAreAdded",
                        FieldSet{Path{F("named"), F("named"), F("number")}},
                        FieldSet{Path{F("named")}, Path{F("named"), F("named")},
                                 Path{F("named"), F("named"), F("number")}}},
        EnsureNamedCase{"KeysOfMapsAreNotAdded",
                        FieldSet{Path{F("free"), F("named"), F("other"), F("number")}},
                        FieldSet{Path{F("free"), F("named")},
                                 Path{F("free"), F("named"), F("other"), F("number")}}},
        EnsureNamedCase{"ItemsWithKeysAreNotAddedButFollowed",
                        FieldSet{Path{F("items"), Named("a"), F("named"), F("number")}},
                        FieldSet{Path{F("items")}, Path{F("items"), Named("a"), F("named")},
                                 Path{F("items"), Named("a"), F("named"), F("number")}}},
        EnsureNamedCase{
            "ItemsThatAreMembersStayMembers",
            FieldSet{Path{F("items"), Named("a")}, Path{F("items"), Named("a"), F("number")}},
            FieldSet{Path{F("items")}, Path{F("items"), Named("a")},
                     Path{F("items"), Named("a"), F("number")}}},
        EnsureNamedCase{"NothingBelowAnIndexIsNamed",
                        FieldSet{Path{F("items"), PathElement::Index(0), F("named"), F("number")}},
                        FieldSet{Path{F("items")},
                                 Path{F("items"), PathElement::Index(0), F("named"), F("number")}}},
        EnsureNamedCase{
            "NothingBelowAnItemOfASetIsNamed",
            FieldSet{Path{F("set"), PathElement::Item("a"), F("named"), F("x")}},
            FieldSet{Path{F("set")}, Path{F("set"), PathElement::Item("a"), F("named"), F("x")}}},
        EnsureNamedCase{
            "NothingBelowAnUnknownFieldIsNamed",
            FieldSet{Path{F("closed"), F("named"), F("named"), F("x")}},
            FieldSet{Path{F("closed")}, Path{F("closed"), F("named"), F("named"), F("x")}}},
        EnsureNamedCase{"ScalarsWithFieldsBelowAreAdded", FieldSet{Path{F("number"), F("named")}},
                        FieldSet{Path{F("number")}, Path{F("number"), F("named")}}}),
    [](const auto& test) { return test.param.name; });

TEST(EnsureNamedFieldsAreMembersTest, DeducedSchemasNameNoFields) {
  const FieldSet set{Path{F("spec"), F("replicas")}, Path{F("kind")}};
  EXPECT_EQ(EnsureNamedFieldsAreMembers(set, DeducedSchema()), set);
}

}  // namespace
}  // namespace kube::managedfields
