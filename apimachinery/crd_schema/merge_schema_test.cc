#include "apimachinery/crd_schema/merge_schema.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/managedfields/testing/schema_text.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

const managedfields::Schema& Metadata() {
  return managedfields::SchemaOf(api::meta::v1::ObjectMeta::kMessage);
}

// Returns the text of a schema, with META for the schema of metadata.
std::string TextOf(const MergeSchema& made) {
  return absl::StrReplaceAll(managedfields::SchemaText(made.schema()),
                             {{managedfields::SchemaText(Metadata()), "META"}});
}

std::string TextOfProps(absl::string_view yaml) {
  return TextOf(*MergeSchema::Make(Structural::Make(Props(yaml)).value().get()));
}

struct PropertyCase {
  std::string name;
  std::string schema;  // of the property `p`
  std::string want;
};

class MergeSchemaPropertyTest : public ::testing::TestWithParam<PropertyCase> {};

TEST_P(MergeSchemaPropertyTest, BecomesAField) {
  const auto structural = MakeSchema(absl::StrCat("p: ", GetParam().schema));
  EXPECT_EQ(
      TextOf(*MergeSchema::Make(structural.get())),
      absl::StrCat("{apiVersion: string, kind: string, metadata: META, p: ", GetParam().want, "}"));
}

INSTANTIATE_TEST_SUITE_P(
    Scalars, MergeSchemaPropertyTest,
    ::testing::Values(
        PropertyCase{"Integer", "{type: integer}", "numeric"},
        PropertyCase{"IntegerWithFormat", "{type: integer, format: int32}", "numeric"},
        PropertyCase{"Number", "{type: number}", "numeric"},
        PropertyCase{"Boolean", "{type: boolean}", "boolean"},
        PropertyCase{"String", "{type: string}", "string"},
        PropertyCase{"Bytes", "{type: string, format: byte}", "string"},
        PropertyCase{"StringWithFormat", "{type: string, format: date-time}", "untyped"},
        PropertyCase{"StringWithUnknownFormat", "{type: string, format: x}", "untyped"},
        PropertyCase{"Nullable", "{type: string, nullable: true}", "string"},
        PropertyCase{"IntOrString", "{x-kubernetes-int-or-string: true}",
                     "untyped|atomic[ATOMIC]|{*: DEDUCED}"},
        PropertyCase{"IntOrStringSpelledOut",
                     "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
                     "untyped|atomic[ATOMIC]|{*: DEDUCED}"},
        PropertyCase{"Anything", "{x-kubernetes-preserve-unknown-fields: true}",
                     "untyped|atomic[ATOMIC]|{*: DEDUCED}"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Objects, MergeSchemaPropertyTest,
    ::testing::Values(
        PropertyCase{"WithoutProperties", "{type: object}", "{*: DEDUCED}"},
        PropertyCase{"WithProperties",
                     "{type: object, properties: {b: {type: string}, a: {type: integer}}}",
                     "{a: numeric, b: string}"},
        PropertyCase{"Atomic",
                     "{type: object, x-kubernetes-map-type: atomic, properties: {a: {type: "
                     "string}}}",
                     "atomic{a: string}"},
        PropertyCase{"Granular",
                     "{type: object, x-kubernetes-map-type: granular, additionalProperties: {type: "
                     "string}}",
                     "{*: string}"},
        PropertyCase{"AtomicMap",
                     "{type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: "
                     "string}}",
                     "atomic{*: string}"},
        PropertyCase{"AdditionalPropertiesAreAllowed", "{type: object, additionalProperties: true}",
                     "{*: DEDUCED}"},
        PropertyCase{"AdditionalPropertiesAreForbidden",
                     "{type: object, additionalProperties: false}", "{}"},
        PropertyCase{"UnknownFieldsArePreserved",
                     "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: "
                     "{type: string}}}",
                     "{a: string, *: DEDUCED}"},
        // Unlike pruning, merging goes on to preserve below a property that is specified.
        PropertyCase{"UnknownFieldsArePreservedFurtherDown",
                     "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: "
                     "{type: array, items: {type: object, properties: {b: {type: object, "
                     "properties: {c: {type: string}}}}}}}}",
                     "{a: atomic[{b: {c: string, *: DEDUCED}, *: DEDUCED}], *: DEDUCED}"},
        PropertyCase{"UnknownFieldsArePreservedInValuesOfAMap",
                     "{type: object, x-kubernetes-preserve-unknown-fields: true, "
                     "additionalProperties: {type: object, properties: {a: {type: string}}}}",
                     "{*: {a: string, *: DEDUCED}}"},
        PropertyCase{"UnknownFieldsAreNotPreservedBesides",
                     "{type: object, properties: {a: {type: object, "
                     "x-kubernetes-preserve-unknown-fields: true}, b: {type: object, properties: "
                     "{c: {type: string}}}}}",
                     "{a: {*: DEDUCED}, b: {c: string}}"},
        PropertyCase{"ValidationsDoNotCount",
                     "{type: object, properties: {a: {type: string}}, allOf: [{properties: {a: "
                     "{format: date}}}]}",
                     "{a: string}"},
        PropertyCase{"MetadataWithin", "{type: object, properties: {metadata: {type: object}}}",
                     "{metadata: {*: DEDUCED}}"},
        PropertyCase{"EmbeddedResource",
                     "{type: object, x-kubernetes-embedded-resource: true, "
                     "x-kubernetes-preserve-unknown-fields: true}",
                     "{apiVersion: string, kind: string, metadata: META, *: DEDUCED}"},
        PropertyCase{"EmbeddedResourceWithProperties",
                     "{type: object, x-kubernetes-embedded-resource: true, properties: {kind: "
                     "{type: string, format: x}, spec: {type: object}}}",
                     "{apiVersion: string, kind: string, metadata: META, spec: {*: DEDUCED}}"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Lists, MergeSchemaPropertyTest,
    ::testing::Values(
        PropertyCase{"OwnedAsAWhole", "{type: array, items: {type: string}}", "atomic[string]"},
        PropertyCase{"Atomic",
                     "{type: array, x-kubernetes-list-type: atomic, items: {type: string}}",
                     "atomic[string]"},
        PropertyCase{"Set", "{type: array, x-kubernetes-list-type: set, items: {type: string}}",
                     "set[string]"},
        PropertyCase{"Map",
                     "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b, "
                     "a], items: {type: object, properties: {a: {type: string, default: x}, b: "
                     "{type: integer}}}}",
                     "map(b, a=\"x\")[{a: string, b: numeric}]"},
        PropertyCase{"MapWithIntegerAsDefault",
                     "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
                     "items: {type: object, properties: {a: {type: integer, default: 0}}}}",
                     "map(a=0)[{a: numeric}]"},
        PropertyCase{"MapWithNullAsDefault",
                     "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
                     "items: {type: object, properties: {a: {type: string, default: null}}}}",
                     "map(a)[{a: string}]"},
        PropertyCase{"MapWithUnknownKey",
                     "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [z], "
                     "items: {type: object, properties: {a: {type: string, default: x}}}}",
                     "map(z)[{a: string}]"},
        // Upstream's kind and apiVersion have no defaults.
        PropertyCase{"MapOfEmbeddedResources",
                     "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: "
                     "[kind, a], items: {type: object, x-kubernetes-embedded-resource: true, "
                     "properties: {kind: {type: string, default: X}, a: {type: string, default: "
                     "x}}}}",
                     "map(kind, a=\"x\")[{a: string, apiVersion: string, kind: string, metadata: "
                     "META}]"},
        PropertyCase{"KeysOfAListThatIsNoMapDoNotCount",
                     "{type: array, x-kubernetes-list-type: set, x-kubernetes-list-map-keys: [a], "
                     "items: {type: string}}",
                     "set[string]"}),
    [](const auto& test) { return test.param.name; });

TEST(MergeSchemaTest, MetadataIsThatOfAllKinds) {
  const auto structural = MakeSchema("metadata: {type: object}");
  const auto made = MergeSchema::Make(structural.get());
  ASSERT_NE(made->schema().map, nullptr);
  EXPECT_EQ(made->schema().map->FindField("metadata"), &Metadata());
}

TEST(MergeSchemaTest, RootReplacesWhatTheSchemaSaysOfItsFields) {
  EXPECT_EQ(TextOfProps("{type: object, properties: {apiVersion: {type: string, format: x}, kind: "
                        "{type: string, default: X}, metadata: {type: object, properties: {name: "
                        "{type: string}}}}}"),
            "{apiVersion: string, kind: string, metadata: META}");
}

TEST(MergeSchemaTest, RootWithoutPropertiesAllowsNoOthers) {
  EXPECT_EQ(TextOfProps("{type: object}"), "{apiVersion: string, kind: string, metadata: META}");
}

TEST(MergeSchemaTest, RootMayBeAtomicAndPreserveUnknownFields) {
  EXPECT_EQ(TextOfProps("{type: object, x-kubernetes-map-type: atomic, "
                        "x-kubernetes-preserve-unknown-fields: true}"),
            "atomic{apiVersion: string, kind: string, metadata: META, *: DEDUCED}");
}

TEST(MergeSchemaTest, NothingIsKnownWithoutASchema) {
  EXPECT_EQ(TextOf(*MergeSchema::Make(nullptr)), "{*: DEDUCED}");
}

TEST(MergeSchemaTest, NothingIsKnownOfASchemaThatIsNotPublished) {
  for (const absl::string_view yaml :
       {"{type: object, properties: {a: {}}}", "{type: object, properties: {a: {type: array}}}",
        "{type: string}", "{type: object, additionalProperties: true}",
        "{type: object, properties: {a: {type: text}}}",
        "{type: object, properties: {a: {type: array, items: {type: text}}}}",
        "{type: object, properties: {a: {type: object, additionalProperties: {type: text}}}}"}) {
    EXPECT_EQ(TextOfProps(yaml), "{*: DEDUCED}") << yaml;
  }
}

TEST(MergeSchemaTest, OutlivesTheStructuralSchema) {
  auto structural = MakeSchema(
      "p: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: "
      "{type: object, properties: {a: {type: string, default: a text of more than a few bytes}}}}");
  const auto made = MergeSchema::Make(structural.get());
  structural.reset();
  EXPECT_EQ(TextOf(*made),
            "{apiVersion: string, kind: string, metadata: META, p: map(a=\"a text of more than a "
            "few bytes\")[{a: string}]}");
}

TEST(MergeSchemaTest, IsMadeOfAStructuralSchema_AsInTheHeader) {
  const std::shared_ptr<const Structural> structural = MakeSchema("a: {type: string}");
  const std::shared_ptr<const MergeSchema> made = MergeSchema::Make(structural.get());
  const managedfields::Schema& schema = made->schema();
  EXPECT_EQ(schema.map->FindField("a")->scalar, managedfields::ScalarType::kString);
}

}  // namespace
}  // namespace kube::crd_schema
