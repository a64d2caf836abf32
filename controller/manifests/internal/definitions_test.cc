#include "controller/manifests/internal/definitions.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "controller/manifests/internal/objects.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::manifests::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using unstructured::Value;

// Returns a definition whose stored version has these properties.
std::string DefinitionYaml(const std::string& group, const std::string& kind,
                           const std::string& plural, const std::string& properties) {
  return absl::StrCat(R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  creationTimestamp: null
  name: )",
                      plural, ".", group, R"(
spec:
  group: )",
                      group, R"(
  names: {kind: )",
                      kind, ", plural: ", plural, R"(}
  scope: Namespaced
  versions:
  - {name: v0, served: true, storage: false}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: )",
                      properties, R"(
status: {}
)");
}

std::string Yaml(const Object& object) {
  const auto text = unstructured::EncodeYaml(Value(object));
  return text.ok() ? *text : text.status().ToString();
}

TEST(ParseDefinitionsTest, SeveralDocuments_AreSortedAndWithoutWhatServersWrite) {
  const auto parsed = ParseDefinitions(
      absl::StrCat("# A comment.\n---\n", DefinitionYaml("z.com", "Dog", "dogs", "{}"), "---\n",
                   DefinitionYaml("a.com", "Cat", "cats", "{}")));
  ASSERT_THAT(parsed, IsOk());
  ASSERT_THAT(*parsed, SizeIs(2));
  EXPECT_EQ((*parsed)[0].group, "a.com");
  EXPECT_EQ((*parsed)[0].plural, "cats");
  EXPECT_EQ((*parsed)[1].kind, "Dog");
  EXPECT_EQ((*parsed)[0].object.find("status"), nullptr);
  EXPECT_EQ((*parsed)[0].object.find("metadata")->Find("creationTimestamp"), nullptr);
}

TEST(ParseDefinitionsTest, NoText_NoDefinitions) {
  const auto parsed = ParseDefinitions("");
  ASSERT_THAT(parsed, IsOk());
  EXPECT_THAT(*parsed, IsEmpty());
}

TEST(ParseDefinitionsTest, WhatIsNone_IsAnErrorWithItsLine) {
  const struct {
    const char* name;
    std::string yaml;
    const char* error;
  } kRows[] = {
      {"another kind", "kind: Pod\n", "it is no CustomResourceDefinition"},
      {"an old version", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition",
       "it is no CustomResourceDefinition"},
      {"no names", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
       "must be set"},
      {"no YAML", "a: [", "line 1"},
      {"twice",
       absl::StrCat(DefinitionYaml("a.com", "Cat", "cats", "{}"), "---\n",
                    DefinitionYaml("a.com", "Cat", "cats", "{}")),
       "another one defines cats.a.com"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(ParseDefinitions(row.yaml),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         testing::AllOf(HasSubstr("document at line"), HasSubstr(row.error))));
  }
}

TEST(UserRolesTest, EachKind_HasThreeRoles) {
  const auto parsed =
      ParseDefinitions(absl::StrCat(DefinitionYaml("a.com", "Cat", "cats", "{}"), "---\n",
                                    DefinitionYaml("b.com", "Cat", "cats", "{}")));
  ASSERT_THAT(parsed, IsOk());
  const PlacedObjects roles = UserRoles({.program = "op", .namespace_name = "prod"}, *parsed);
  std::vector<std::string> files;
  for (const Placed& role : roles) files.push_back(role.file);
  EXPECT_THAT(files,
              ElementsAre("rbac/cat_admin_role.yaml", "rbac/cat_editor_role.yaml",
                          "rbac/cat_viewer_role.yaml", "rbac/cat-b.com_admin_role.yaml",
                          "rbac/cat-b.com_editor_role.yaml", "rbac/cat-b.com_viewer_role.yaml"));
  EXPECT_EQ(Yaml(roles[2].object), R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels:
    app.kubernetes.io/name: op
  name: op-cat-viewer-role
rules:
- apiGroups:
  - a.com
  resources:
  - cats
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - a.com
  resources:
  - cats/status
  verbs:
  - get
)");
}

TEST(SampleOfTest, Members_ThatAreRequiredOrHaveADefault) {
  const struct {
    const char* name;
    const char* spec;
    const char* sample;
  } kRows[] = {
      {"no members", "{type: object}", "{}"},
      {"optional", "{type: object, properties: {a: {type: string}}}", "{}"},
      {"a default", "{type: object, properties: {a: {type: integer, default: 3}}}", R"({"a":3})"},
      {"an example", "{type: object, required: [a], properties: {a: {type: string, example: x}}}",
       R"({"a":"x"})"},
      {"an enum", "{type: object, required: [a], properties: {a: {type: string, enum: [p, q]}}}",
       R"({"a":"p"})"},
      {"a text", "{type: object, required: [a], properties: {a: {type: string}}}",
       R"({"a":"sample"})"},
      {"a long text",
       "{type: object, required: [a], properties: {a: {type: string, minLength: 10}}}",
       R"({"a":"sample-sample"})"},
      {"a short text",
       "{type: object, required: [a], properties: {a: {type: string, maxLength: 3}}}",
       R"({"a":"sam"})"},
      {"numbers",
       "{type: object, required: [a, b, c, d], properties: {a: {type: integer}, "
       "b: {type: integer, minimum: 2}, c: {type: integer, minimum: 2, exclusiveMinimum: true}, "
       "d: {type: integer, maximum: -1}}}",
       R"({"a":0,"b":2,"c":3,"d":-1})"},
      {"fractions, which an integer cannot have",
       "{type: object, required: [a, b, c, d], properties: {a: {type: number, minimum: 0.5}, "
       "b: {type: integer, minimum: 1.5}, c: {type: integer, maximum: -1.5}, "
       "d: {type: number, minimum: 0, exclusiveMinimum: true, maximum: 0.5, "
       "exclusiveMaximum: true}}}",
       R"({"a":0.5,"b":2,"c":-2,"d":0.25})"},
      {"limits beyond 64 bits",
       "{type: object, required: [a, b], properties: {a: {type: integer, minimum: 1.0e+30}, "
       "b: {type: integer, maximum: -1.0e+30}}}",
       R"({"a":9223372036854775807,"b":-9223372036854775808})"},
      {"lists",
       "{type: object, required: [a, b], properties: {a: {type: array, items: {type: string}}, "
       "b: {type: array, minItems: 1, items: {type: boolean}}}}",
       R"({"a":[],"b":[false]})"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto parsed = ParseDefinitions(
        DefinitionYaml("a.com", "Cat", "cats", absl::StrCat("{spec: ", row.spec, "}")));
    ASSERT_THAT(parsed, IsOk());
    ASSERT_THAT(*parsed, SizeIs(1));
    const Value sample(SampleOf((*parsed)[0]));
    EXPECT_EQ(sample["apiVersion"].text(), "a.com/v1");
    EXPECT_EQ(sample["kind"].text(), "Cat");
    EXPECT_EQ(sample["metadata"]["name"].text(), "cat-sample");
    const auto spec = unstructured::EncodeJson(sample["spec"]);
    ASSERT_THAT(spec, IsOk());
    EXPECT_EQ(*spec, row.sample);
  }
}

}  // namespace
}  // namespace kube::manifests::internal
