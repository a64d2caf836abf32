#include "codegen/crd_import/import_crds.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A definition of a kind of example.com, with these versions.
std::string Definition(absl::string_view kind, absl::string_view plural,
                       const std::vector<std::string>& versions,
                       absl::string_view schema = "{type: object}") {
  std::string text = absl::StrCat(
      "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
      "metadata: {name: ", plural, ".example.com}\n", "spec:\n  group: example.com\n",
      "  scope: Namespaced\n", "  names: {kind: ", kind, ", plural: ", plural, "}\n  versions:\n");
  for (const std::string& version : versions) {
    absl::StrAppend(&text, "  - {name: ", version,
                    ", served: true, storage: ", version == versions.back() ? "true" : "false",
                    ", schema: {openAPIV3Schema: ", schema, "}}\n");
  }
  return text;
}

std::vector<std::string> VersionsOf(const std::vector<ImportedIdl>& imported) {
  std::vector<std::string> versions;
  for (const ImportedIdl& each : imported) {
    versions.push_back(absl::StrCat(each.group, "/", each.version));
  }
  return versions;
}

// The example of the header.
TEST(ImportCrds, AFileForEachGroupAndVersion) {
  const std::string yaml = Definition("Widget", "widgets", {"v1", "v2"});
  const absl::StatusOr<std::vector<ImportedIdl>> files =
      ImportCrds({{.name = "crds.yaml", .text = yaml}}, {.versions = {"example.com/v1"}});
  ASSERT_THAT(files, IsOk());
  EXPECT_THAT(VersionsOf(*files), ElementsAre("example.com/v1"));
  EXPECT_THAT(files->front().text, Not(HasSubstr("storage: true")));

  const auto all = ImportCrds({{.name = "crds.yaml", .text = yaml}});
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(VersionsOf(*all), ElementsAre("example.com/v1", "example.com/v2"));
  EXPECT_THAT((*all)[0].text, Not(HasSubstr("storage: true")));
  EXPECT_THAT((*all)[1].text, HasSubstr("storage: true"));
  EXPECT_THAT((*all)[1].text, HasSubstr("package kube.crd.com.example.v2;\n"));
}

TEST(ImportCrds, TheOrderOfFilesDoesNotMatter) {
  const CrdFile a = {.name = "a", .text = Definition("Widget", "widgets", {"v1"})};
  const CrdFile b = {.name = "b", .text = Definition("Gadget", "gadgets", {"v1"})};
  const auto one = ImportCrds({a, b});
  const auto other = ImportCrds({b, a});
  const auto joined = ImportCrds({{.name = "c", .text = b.text + a.text}});
  ASSERT_THAT(one, IsOk());
  ASSERT_THAT(other, IsOk());
  ASSERT_THAT(joined, IsOk());
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ(one->front().text, other->front().text);
  EXPECT_EQ(one->front().text, joined->front().text);
  EXPECT_THAT(one->front().text, HasSubstr("// Source: gadgets.example.com\n"
                                           "// Source: widgets.example.com\n"));
}

TEST(ImportCrds, NoFiles) {
  const auto imported = ImportCrds({});
  ASSERT_THAT(imported, IsOk());
  EXPECT_THAT(*imported, IsEmpty());
}

TEST(ImportCrds, PackagesMayHaveAnotherPrefix) {
  const auto imported = ImportCrds({{.name = "a", .text = Definition("Widget", "widgets", {"v1"})}},
                                   {.package_prefix = "acme.apis"});
  ASSERT_THAT(imported, IsOk());
  EXPECT_THAT(imported->front().text, HasSubstr("package acme.apis.com.example.v1;\n"));
}

TEST(ImportCrds, KindsKeepTheirNames) {
  const auto imported =
      ImportCrds({{.name = "a",
                   .text = Definition("Widget", "widgets", {"v1"},
                                      "{type: object, properties: {list: {type: object, "
                                      "properties: {a: {type: string}}}, client: {type: object, "
                                      "properties: {b: {type: string}}}}}")}});
  ASSERT_THAT(imported, IsOk());
  const std::string& text = imported->front().text;
  EXPECT_THAT(text,
              HasSubstr("message WidgetList {\n  option (kube.kind) = {list_of: \"Widget\"};"));
  EXPECT_THAT(text, HasSubstr("message WidgetList2 {\n"));
  EXPECT_THAT(text, HasSubstr("message WidgetClient2 {\n"));
}

TEST(ImportCrds, Errors) {
  const std::string widgets = Definition("Widget", "widgets", {"v1"});
  const struct {
    const char* name;
    std::vector<CrdFile> files;
    ImportCrdsOptions options;
    absl::StatusCode code;
    const char* want;
  } kRows[] = {
      {"twice",
       {{"a.yaml", widgets}, {"b.yaml", widgets}},
       {},
       absl::StatusCode::kInvalidArgument,
       "import b.yaml: CustomResourceDefinition \"widgets.example.com\" is in a.yaml, too"},
      {"one kind of two definitions",
       {{"a.yaml", widgets + Definition("Widget", "things", {"v1"})}},
       {},
       absl::StatusCode::kInvalidArgument,
       "import kind Widget of example.com/v1: \"widgets.example.com\" in a.yaml and "
       "\"things.example.com\" in a.yaml both define it"},
      {"a prefix that is no package",
       {{"a.yaml", widgets}},
       {.package_prefix = "a; b"},
       absl::StatusCode::kInvalidArgument,
       "import with package prefix \"a; b\": must be names with dots between them"},
      {"an empty prefix",
       {{"a.yaml", widgets}},
       {.package_prefix = ""},
       absl::StatusCode::kInvalidArgument,
       "import with package prefix \"\": "},
      {"no such version",
       {{"a.yaml", widgets}},
       {.versions = {"example.com/v2"}},
       absl::StatusCode::kNotFound,
       "import version \"example.com/v2\": the files have example.com/v1"},
      {"a schema that is not structural",
       {{"a.yaml", Definition("Widget", "widgets", {"v1"},
                              "{type: object, properties: {spec: {properties: {}}}}")}},
       {},
       absl::StatusCode::kInvalidArgument,
       "properties[spec].type: Required value"},
      {"not YAML", {{"a.yaml", "a: ["}}, {}, absl::StatusCode::kInvalidArgument, "import a.yaml: "},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(ImportCrds(row.files, row.options), StatusIs(row.code, HasSubstr(row.want)))
        << row.name;
  }
}

// ---- hostile definitions: each ends with an error, or with text in which it has no say.

// Returns whether nothing of `text` is outside of comments and quotes that should not be.
testing::AssertionResult IsTame(absl::string_view text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StrContains(line, "EVIL") && !absl::StrContains(line, "//") &&
        !absl::StrContains(line, "\"")) {
      return testing::AssertionFailure() << line;
    }
  }
  return testing::AssertionSuccess();
}

TEST(ImportCrds, HostileDescriptions) {
  for (const char* description :
       {"*/ EVIL", "\\n} EVIL {", "EVIL \\\\", "EVIL \\\\\\n EVIL", "\\r EVIL", "\\u2028EVIL",
        "\\u202eEVIL", "#define EVIL", "\\\"; EVIL", "---\\nEVIL", "EVIL ?\?/", "\\0 EVIL"}) {
    const auto imported = ImportCrds(
        {{.name = "a",
          .text = Definition("Widget", "widgets", {"v1"},
                             absl::StrCat("{type: object, description: \"", description,
                                          "\", properties: {a: {type: string, description: \"",
                                          description, "\"}}}"))}});
    ASSERT_THAT(imported, IsOk()) << description;
    EXPECT_TRUE(IsTame(imported->front().text)) << description;
  }
}

TEST(ImportCrds, HostileNamesOfDefinitions) {
  for (const char* name : {"a/../b", "A;", "a\\nb", "", "a b", "..", "a\\\"b", "\\u0000"}) {
    const std::string text = absl::StrCat(
        R"({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": ")",
        name, R"(.example.com"}, "spec": {"group": "example.com", "scope": "Cluster",
            "names": {"kind": ")",
        name, R"(", "plural": ")", name, R"("}, "versions": [{"name": ")", name,
        R"(", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}})");
    EXPECT_THAT(ImportCrds({{.name = "a", .text = text}}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("import a: CustomResourceDefinition \"")))
        << name;
  }
}

TEST(ImportCrds, KindsKeepOffGeneratedNames) {
  std::string yaml;
  for (const char* kind : {"Kinds", "SharedInformerFactory", "ExampleV1Client", "ExampleInformers",
                           "Widget", "WidgetClient", "WidgetInformer", "my-kind"}) {
    absl::StrAppend(&yaml,
                    Definition(kind, absl::StrCat(absl::AsciiStrToLower(kind), "s"), {"v1"}));
  }
  const auto imported = ImportCrds({{.name = "a", .text = yaml}});
  ASSERT_THAT(imported, IsOk());
  const std::string& text = imported->front().text;
  for (const char* message :
       {"Kinds2", "SharedInformerFactory2", "ExampleV1Client2", "ExampleInformers2", "Widget",
        "WidgetClient2", "WidgetInformer2", "MyKind", "MyKindList"}) {
    EXPECT_THAT(text, HasSubstr(absl::StrCat("\nmessage ", message, " {\n")));
  }
  EXPECT_THAT(text, HasSubstr("name: \"Kinds\""));
  EXPECT_THAT(text, HasSubstr("name: \"my-kind\""));
}

TEST(ImportCrds, TooManyKinds) {
  std::string yaml;
  for (int i = 0; i < 1001; ++i) {
    absl::StrAppend(&yaml, Definition(absl::StrCat("Kind", i), absl::StrCat("kinds", i), {"v1"}));
  }
  EXPECT_THAT(
      ImportCrds({{.name = "a", .text = yaml}}),
      StatusIs(absl::StatusCode::kResourceExhausted,
               HasSubstr("import example.com/v1: 1001 kinds, more than the limit of 1000")));
}

TEST(ImportCrds, DeepSchemas) {
  for (const int depth : {20, 100, 300, 1000}) {
    std::string schema = R"({"type": "string"})";
    for (int i = 0; i < depth; ++i) {
      schema = absl::StrCat(R"({"type": "object", "properties": {"p": )", schema, "}}");
    }
    const std::string text = absl::StrCat(
        R"({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {"group": "example.com", "scope": "Cluster",
                     "names": {"kind": "Widget", "plural": "widgets"},
                     "versions": [{"name": "v1", "served": true, "storage": true,
                                   "schema": {"openAPIV3Schema": )",
        schema, "}}]}}");
    const auto imported = ImportCrds({{.name = "a", .text = text}});
    EXPECT_EQ(imported.ok(), depth < 200) << depth << ": " << imported.status();
    if (!imported.ok()) {
      EXPECT_THAT(imported, StatusIs(testing::_, HasSubstr("import a: "))) << depth;
    }
  }
}

TEST(ImportCrds, ADescriptionOfTenMegabytes) {
  const auto imported =
      ImportCrds({{.name = "a",
                   .text = Definition("Widget", "widgets", {"v1"},
                                      absl::StrCat("{type: object, description: \"",
                                                   std::string(10 << 20, '/'), "\"}"))}});
  ASSERT_THAT(imported, IsOk());
  EXPECT_GT(imported->front().text.size(), size_t{10} << 20);
}

// Aliases that repeat each other: each line is nine times the line before.
TEST(ImportCrds, AliasesThatMultiply) {
  std::string yaml = "a0: &a0 x\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = absl::StrCat("*a", i - 1);
    absl::StrAppend(&yaml, "a", i, ": &a", i, " [",
                    absl::StrJoin(std::vector<std::string>(9, before), ", "), "]\n");
  }
  EXPECT_THAT(ImportCrds({{.name = "a.yaml", .text = yaml}}),
              StatusIs(testing::_, HasSubstr("import a.yaml: ")));
}

// All of these properties want to be the field "field", and their objects the message "Field". To
// compare each with each other would take longer than a test may.
TEST(ImportCrds, ThousandsOfNamesThatClash) {
  std::vector<std::string> names;
  for (const char a : {'!', '#', '%', '*', '+', '-', '.', '/', ':', ';'}) {
    for (int i = 1; i <= 90; ++i) names.push_back(std::string(static_cast<size_t>(i), a));
  }
  std::string inner, outer;
  for (const std::string& name : names) absl::StrAppend(&inner, "\"", name, "\": {type: string},");
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&outer, "\"", names[static_cast<size_t>(i)],
                    "\": {type: object, maxProperties: ", i, ", properties: {", inner, "}},");
  }
  const auto imported =
      ImportCrds({{.name = "a",
                   .text = Definition("Widget", "widgets", {"v1"},
                                      absl::StrCat("{type: object, properties: {", outer, "}}"))}});
  ASSERT_THAT(imported, IsOk());
  EXPECT_THAT(imported->front().text, HasSubstr("  optional string field_900 = 900 [json_name = "));
}

TEST(ImportCrds, LongNamesAndManyProperties) {
  std::string properties;
  for (int i = 0; i < 1500; ++i) {
    absl::StrAppend(&properties, i == 0 ? "" : ", ", std::string(300, 'n'), i, ": {type: string}");
  }
  const auto imported =
      ImportCrds({{.name = "a",
                   .text = Definition("Widget", "widgets", {"v1"},
                                      absl::StrCat("{type: object, properties: {spec: {type: "
                                                   "object, properties: {",
                                                   properties, "}}}}"))}});
  ASSERT_THAT(imported, IsOk());
  EXPECT_THAT(imported->front().text, HasSubstr("  kube.Value spec = 2 "));
}

}  // namespace
}  // namespace kube::codegen
