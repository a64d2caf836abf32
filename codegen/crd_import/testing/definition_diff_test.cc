#include "codegen/crd_import/testing/definition_diff.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Value;

Value Parse(absl::string_view yaml) { return unstructured::ParseYaml(yaml).value(); }

// A definition with a schema, and with other lines of the version.
Value Definition(absl::string_view schema, absl::string_view version = "") {
  return Parse(absl::StrCat("{metadata: {name: a.b.c}, spec: {group: b.c, scope: Cluster, ",
                            "names: {kind: A, plural: a}, ",
                            "versions: [{name: v1, served: true, storage: true, ",
                            "schema: {openAPIV3Schema: ", schema, "}", version, "}]}}"));
}

TEST(DiffDefinitions, WhatMeansTheSame) {
  const struct {
    const char* name;
    const char* before;
    const char* after;
  } kRows[] = {
      {"order of required", "{required: [b, a]}", "{required: [a, b]}"},
      {"falsehoods", "{nullable: false, properties: {}}", "{}"},
      {"implicit fields", "{}", "{properties: {apiVersion: {type: string, description: x}}}"},
      {"white space", "{description: \" a \\n b \"}", "{description: \"a\\n b\"}"},
      {"numbers", "{properties: {a: {minimum: 1.0}}}", "{properties: {a: {minimum: 1}}}"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(DiffDefinitions(Definition(row.before), Definition(row.after)), IsEmpty())
        << row.name;
  }
  EXPECT_THAT(DiffDefinitions(Definition("{}", ", subresources: {}"), Definition("{}")), IsEmpty());
}

TEST(DiffDefinitions, WhatDoesNot) {
  const struct {
    const char* before;
    const char* after;
    const char* want;
  } kRows[] = {
      {"{properties: {a: {type: string}}}", "{}",
       ".spec.versions[0].schema.properties.a: {\"type\":\"string\"} -> absent"},
      {"{properties: {a: {default: false}}}", "{properties: {a: {}}}",
       ".spec.versions[0].schema.properties.a.default: false -> absent"},
      {"{description: a}", "{description: b}",
       ".spec.versions[0].schema.description: \"a\" -> \"b\""},
      {"{anyOf: [{type: string}]}", "{anyOf: [{type: integer}]}",
       ".spec.versions[0].schema.anyOf[0].type: \"string\" -> \"integer\""},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(DiffDefinitions(Definition(row.before), Definition(row.after)),
                ElementsAre(row.want));
  }
  EXPECT_THAT(DiffDefinitions(Definition("{}", ", subresources: {status: {}}"), Definition("{}")),
              ElementsAre(".spec.versions[0].subresources: {\"status\":{}} -> absent"));
}

}  // namespace
}  // namespace kube::codegen
