#include "codegen/crd_import/internal/read_definitions.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kDocument[] = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  labels: {a: b, app: '{{ template "x" . }}'}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
status: {storedVersions: [v0]}
)";

TEST(ReadDefinitions, OfSeveralDocuments) {
  const auto definitions = ReadDefinitions(
      absl::StrCat("# nothing\n---\nkind: Namespace\napiVersion: v1\n---\n", kDocument, "---\n"));
  ASSERT_THAT(definitions, IsOk());
  ASSERT_THAT(*definitions, SizeIs(1));
  const auto& definition = definitions->front();
  EXPECT_EQ(definition.metadata.name, "widgets.example.com");
  EXPECT_EQ(definition.metadata.labels.size(), 1u);
  EXPECT_EQ(definition.spec.names.list_kind, "WidgetList");
}

TEST(ReadDefinitions, OfAList) {
  const auto definitions = ReadDefinitions(R"({"kind": "List", "apiVersion": "v1", "items": [
    {"kind": "Namespace"},
    {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
     "metadata": {"name": "widgets.example.com"},
     "spec": {"group": "example.com", "scope": "Cluster",
              "names": {"kind": "Widget", "plural": "widgets"},
              "versions": [{"name": "v1", "served": true, "storage": true,
                            "schema": {"openAPIV3Schema": {"type": "object"}}}]}}]})");
  ASSERT_THAT(definitions, IsOk());
  EXPECT_THAT(*definitions, SizeIs(1));
}

TEST(ReadDefinitions, NoDefinitions) {
  for (const char* text : {"", "# a\n", "a: b\n", "3\n", "[1]\n"}) {
    const auto definitions = ReadDefinitions(text);
    ASSERT_THAT(definitions, IsOk()) << text;
    EXPECT_THAT(*definitions, IsEmpty()) << text;
  }
}

TEST(ReadDefinitions, ErrorsNamePlaceAndReason) {
  const struct {
    const char* name;
    std::string text;
    const char* want;
  } kRows[] = {
      {"no YAML", "a: [\n", "line"},
      {"an old version",
       "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"
       "metadata: {name: \"a\\nb\"}\n",
       "CustomResourceDefinition \"a b\": apiVersion \"apiextensions.k8s.io/v1beta1\": only "
       "apiextensions.k8s.io/v1 can be imported, convert the definition"},
      {"a wrong type",
       "---\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
       "spec:\n  versions: 3\n",
       "decode CustomResourceDefinition: spec.versions: expected an array (line 6"},
      {"what a server refuses",
       "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
       "metadata: {name: a.b.c}\nspec: {group: b.c}\n",
       "CustomResourceDefinition \"a.b.c\": "},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(ReadDefinitions(row.text),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.want)))
        << row.name;
  }
}

TEST(ReadDefinitions, ErrorsAreShort) {
  std::string versions;
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&versions, i == 0 ? "" : ", ", "{name: \"", std::string(2000, 'V'), i, "\"}");
  }
  const absl::Status status =
      ReadDefinitions(absl::StrCat("apiVersion: apiextensions.k8s.io/v1\n"
                                   "kind: CustomResourceDefinition\nmetadata: {name: x}\n"
                                   "spec: {versions: [",
                                   versions, "]}\n"))
          .status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(" more errors")));
  EXPECT_LT(status.message().size(), 4000u);
}

}  // namespace
}  // namespace kube::codegen::internal
