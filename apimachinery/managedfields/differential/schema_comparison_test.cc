#include "apimachinery/managedfields/differential/schema_comparison.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using testing::ElementsAre;

TEST(SchemaComparisonTest, DifferencesAreFound) {
  constexpr absl::string_view kOurs = R"(
types:
- name: root
  map:
    fields:
    - {name: a, type: {scalar: string}}
    - {name: items, type: {list: {elementRelationship: associative, keys: [name],
                                  elementType: {namedType: item}}}}
    - {name: root, type: {namedType: root}}
- name: item
  map:
    fields: [{name: name, type: {scalar: string}, default: x}]
)";
  constexpr absl::string_view kGo = R"({
    "root": {"map": {"relationship": "", "element": {"scalar": "string"}, "fields": {
      "a": {"type": {"scalar": "numeric"}, "default": null},
      "b": {"type": {"scalar": "numeric"}, "default": null},
      "root": {"type": {"named": "root"}, "default": null},
      "items": {"default": null, "type": {"list": {
        "relationship": "associative", "keys": ["name"],
        "element": {"named": "item", "override": "atomic"}}}}}}},
    "item": {"map": {"relationship": "", "element": {}, "fields": {
      "name": {"type": {"scalar": "string"}, "default": "y"}}}}})";
  const absl::StatusOr<BuiltSchema> ours = ParseSchema(kOurs, "root");
  ASSERT_TRUE(ours.ok()) << ours.status();
  EXPECT_THAT(SchemaDifferences(*ours->schema, unstructured::ParseJson(kGo).value(), "root"),
              ElementsAre(".a: scalar: Go has \"numeric\", ours is \"string\"",
                          ".b: only Go has the field", ".items[]: map: Go's is atomic",
                          ".items: default of key name: Go has \"y\", ours is \"x\"",
                          ".*: only Go has it"));
}

}  // namespace
}  // namespace kube::managedfields
