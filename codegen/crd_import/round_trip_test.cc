// From a definition to IDL and back: the IDL is what the generator takes, and the definition that
// it writes of the IDL means what the first one means.

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crd_import/import_crds.h"
#include "codegen/crd_import/testing/definition_diff.h"
#include "codegen/crds/crds.h"
#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using base::IsOk;
using testing::IsEmpty;

namespace pb = google::protobuf;

// What the generator makes of imported IDL: the definition, or the errors.
struct Written {
  std::string idl;
  std::string yaml;
  std::vector<std::string> errors;
};

Written Write(const std::vector<ImportedIdl>& imported) {
  SampleIdl idl;
  idl.Add("api/meta/v1/types.proto",
          "syntax = \"proto3\"; package kube.api.meta.v1;\n"
          "message ObjectMeta { string name = 1; }\nmessage ListMeta { string a = 1; }\n");
  Written written;
  std::vector<const pb::FileDescriptor*> files;
  Diagnostics diagnostics;
  for (const ImportedIdl& each : imported) {
    written.idl += each.text;
    files.push_back(&idl.Add(absl::StrCat(each.version, ".proto"), each.text));
    Diagnostics of_model, of_twins;
    BuildFile(*files.back(), of_model);
    BuildApplyConfigurations(*files.back(), of_twins);
    diagnostics.Merge(of_model);
    diagnostics.Merge(of_twins);
  }
  written.yaml = PrintCrds(files, diagnostics);
  written.errors = diagnostics.errors();
  return written;
}

// Imports a definition and expects the written one to mean the same.
void ExpectRoundTrip(const std::string& yaml) {
  const absl::StatusOr<std::vector<ImportedIdl>> imported =
      ImportCrds({{.name = "crd.yaml", .text = yaml}});
  ASSERT_THAT(imported, IsOk()) << yaml;
  const Written written = Write(*imported);
  ASSERT_THAT(written.errors, IsEmpty()) << written.idl;
  EXPECT_THAT(DiffDefinitions(unstructured::ParseYaml(yaml).value(),
                              unstructured::ParseYaml(written.yaml).value()),
              IsEmpty())
      << written.idl << written.yaml;
}

std::string Definition(absl::string_view schema, absl::string_view version = "",
                       absl::string_view spec = "", absl::string_view metadata = "") {
  return absl::StrCat("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
                      "metadata: {name: widgets.example.com", metadata,
                      "}\nspec:\n  group: example.com\n  scope: Namespaced\n",
                      "  names: {kind: Widget, plural: widgets}\n", spec,
                      "  versions:\n  - {name: v1, served: true, storage: true, ", version,
                      "schema: {openAPIV3Schema: ", schema, "}}\n");
}

// Definitions of one property.
TEST(RoundTrip, Properties) {
  for (const char* schema : {
           "{type: string}",
           "{type: string, description: \"What it is.\\n\\n  Indented.\"}",
           "{type: string, description: \"a\\n---\\nb\"}",
           "{type: string, title: T, example: e, externalDocs: {url: \"http://a\"}}",
           "{type: string, minLength: 1, maxLength: 3, pattern: \"^\\\\w\\\"$\"}",
           "{type: string, format: uuid}",
           "{type: string, format: date-time}",
           "{type: string, format: datetime}",
           "{type: string, format: byte}",
           "{type: string, format: binary}",
           "{type: string, enum: [a, \"\", \"b\\\"c\"], default: a}",
           "{type: string, nullable: true, enum: [a, null]}",
           "{type: boolean, default: false}",
           "{type: integer}",
           "{type: integer, format: int32, minimum: 1, maximum: 9, exclusiveMinimum: true}",
           "{type: integer, format: int64, multipleOf: 2}",
           "{type: integer, format: uint32, minimum: 0, maximum: 4294967295}",
           "{type: integer, enum: [1, 2], default: 1}",
           "{type: number, minimum: -1.5e+30, maximum: 100000000000000000000}",
           "{type: number, format: double}",
           "{x-kubernetes-int-or-string: true}",
           "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
           "{x-kubernetes-int-or-string: true, pattern: \"^[0-9]+$\", "
           "allOf: [{anyOf: [{type: integer}, {type: string}]}, {pattern: a}]}",
           "{x-kubernetes-preserve-unknown-fields: true}",
           "{type: object, x-kubernetes-preserve-unknown-fields: true}",
           "{type: object, x-kubernetes-preserve-unknown-fields: true, "
           "properties: {a: {type: string}}}",
           "{type: object, x-kubernetes-embedded-resource: true, "
           "x-kubernetes-preserve-unknown-fields: true}",
           "{type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: "
           "string}, "
           "apiVersion: {type: string}, metadata: {type: object}, spec: {type: object}}}",
           "{type: object}",
           "{type: object, maxProperties: 3, nullable: true}",
           "{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}",
           "{type: object, required: [a, b], properties: {a: {type: string, nullable: true}, "
           "b: {type: integer, default: 1}}}",
           "{type: object, default: {a: x}, properties: {a: {type: string}}}",
           "{type: object, x-kubernetes-map-type: atomic, properties: {a: {type: string}}}",
           "{type: object, x-kubernetes-map-type: granular, properties: {a: {type: string}}}",
           "{type: object, oneOf: [{required: [a]}, {required: [b]}], "
           "properties: {a: {type: string}, b: {type: string}}}",
           "{type: object, properties: {a: {type: string}}, not: {properties: {a: {pattern: x}}}}",
           "{type: object, additionalProperties: {type: string, maxLength: 3, enum: [a]}}",
           "{type: object, additionalProperties: {type: array, items: {type: string}}}",
           "{type: object, additionalProperties: {type: string, nullable: true}}",
           "{type: object, additionalProperties: {type: object, description: Of each., "
           "properties: {a: {type: string}}}, x-kubernetes-map-type: atomic}",
           "{type: array, items: {type: string, description: Of each.}, minItems: 1}",
           "{type: array, items: {type: string}, x-kubernetes-list-type: set, default: [a]}",
           "{type: array, items: {type: integer, format: int32}, x-kubernetes-list-type: atomic}",
           "{type: array, items: {type: array, items: {type: string}}}",
           "{type: array, items: {type: object, nullable: true, properties: {a: {type: string}}}}",
           "{type: array, items: {type: object, x-kubernetes-map-type: atomic, "
           "properties: {a: {type: string}}}, x-kubernetes-list-type: set}",
           "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], "
           "items: {type: object, description: Of each., required: [a], properties: {"
           "a: {type: string}, b: {type: integer, format: int32, default: 0}}}}",
           "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
           "items: {type: object, properties: {a: {type: string, default: \"b,c\"}}}}",
           "{type: string, x-kubernetes-validations: [{rule: \"self != ''\", message: m}, "
           "{rule: \"oldSelf.hasValue() ||\\nself != 'a'\", message: m, messageExpression: "
           "\"'a'\", reason: "
           "FieldValueForbidden, optionalOldSelf: true}]}",
           "{type: object, properties: {\"a\\\"b\": {type: string}, \"a-b\": {type: string}, a_b: "
           "{type: string}, aB: {type: string}, \"\": {type: string}, class: {type: string}, "
           "kube: {type: string}, kind: {type: string}, \"[x]\": {type: string}}, "
           "required: [\"a\\\"b\", a_b]}",
           "{type: string, enum: [\"\", \"*/\", \"a\\nb\", \"\\\"\", \"\\\\\", "
           "\"\\u2028\", \"?\?/\", \"\\0\"], default: \"*/\"}",
           "{type: string, description: \"*/ a \\\\\\n?\?/\\n// \\\\\\n#error\"}",
           "{type: string, description: \"\\0 a \\r b \\u2028 c \\u202e\"}",
           "{type: object, properties: {\"NULL\": {type: string}, EOF: {type: string}, "
           "errno: {type: string}, major: {type: string}, linux: {type: string}, "
           "stdin: {type: string}, \"..\": {type: string}, \"//\": {type: string}, "
           "\"a\\nb\": {type: string}, \"*/\": {type: string}, option: {type: string}, "
           "message: {type: string}, kMessage: {type: string}}, required: [\"NULL\", \"..\"]}",
           "{type: object, properties: {linksEntry: {type: object, properties: {a: {type: "
           "string}}}, "
           "links: {type: object, additionalProperties: {type: string}}}}",
       }) {
    SCOPED_TRACE(schema);
    ExpectRoundTrip(
        Definition(absl::StrCat("{type: object, properties: {p: ", schema, "}, required: [p]}")));
    ExpectRoundTrip(Definition(absl::StrCat("{type: object, properties: {p: ", schema, "}}")));
    ExpectRoundTrip(Definition(absl::StrCat(
        "{type: object, properties: {spec: {type: object, description: A spec., properties: {",
        "a: {type: object, properties: {p: ", schema,
        "}}, b: {type: object, properties: {p: ", schema, "}}}}}}")));
  }
}

TEST(RoundTrip, Roots) {
  for (const char* schema : {
           "{type: object}",
           "{type: object, description: \"A widget.\\n---\\nNot for users.\"}",
           "{type: object, x-kubernetes-preserve-unknown-fields: true}",
           "{type: object, required: [metadata, spec, apiVersion], "
           "properties: {apiVersion: {type: string, description: a}, kind: {type: string}, "
           "metadata: {type: object, properties: {name: {type: string, maxLength: 9}}}, "
           "spec: {type: object}}}",
           "{type: object, properties: {kind: {type: string, enum: [Widget]}}}",
           "{type: object, properties: {api_version: {type: string}, Kind: {type: string}}}",
           "{type: object, title: T, maxProperties: 5, "
           "x-kubernetes-validations: [{rule: has(self.metadata), message: m}]}",
           "{type: object, properties: {data: {type: string}, \"a\\\"b\": {type: string}}}",
       }) {
    SCOPED_TRACE(schema);
    ExpectRoundTrip(Definition(schema));
  }
}

TEST(RoundTrip, WhatIsNoSchema) {
  constexpr char kSchema[] = "{type: object, properties: {spec: {type: object}}}";
  ExpectRoundTrip(Definition(kSchema, "subresources: {status: {}}, "));
  ExpectRoundTrip(Definition(kSchema,
                             "subresources: {scale: {specReplicasPath: .spec.a, "
                             "statusReplicasPath: .status.b, labelSelectorPath: .status.c}}, "));
  ExpectRoundTrip(Definition(kSchema,
                             "additionalPrinterColumns: [{name: A, type: date, jsonPath: .spec.a, "
                             "priority: 1}, {name: B, type: string, jsonPath: .b, format: byte, "
                             "description: \"a \\\"b\\\"\"}], "));
  ExpectRoundTrip(Definition(kSchema, "deprecated: true, "));
  ExpectRoundTrip(
      Definition(kSchema, "deprecated: true, deprecationWarning: \"use \\\"v2\\\"\", "));
  ExpectRoundTrip(Definition(
      "{type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}",
      "selectableFields: [{jsonPath: .spec.a}], "));
  ExpectRoundTrip(Definition(kSchema, "",
                             "  conversion: {strategy: Webhook, webhook: {clientConfig: {service: "
                             "{name: a, namespace: b}}, conversionReviewVersions: [v1]}}\n"));
  ExpectRoundTrip(Definition(kSchema, "", "", ", labels: {a: b}, annotations: {c: \"d\\ne\"}"));
}

TEST(RoundTrip, SeveralVersions) {
  ExpectRoundTrip(R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Widget, listKind: Widgetry, plural: widgets, singular: wd, shortNames: [w], categories: [all]}
  conversion: {strategy: Webhook, webhook: {clientConfig: {url: "https://a"}, conversionReviewVersions: [v1]}}
  versions:
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {b: {type: string}}}}}
  - {name: v1, served: false, storage: false, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}
)");
}

TEST(RoundTrip, ALowerCaseKindWithADash) {
  ExpectRoundTrip(R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: my-widget, listKind: my-widgets, plural: widgets}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
)");
}

}  // namespace
}  // namespace kube::codegen
