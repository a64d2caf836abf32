#include "codegen/crd_import/internal/kind_options.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "codegen/crd_import/internal/idl.h"
#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;

std::string Text(const IdlOptions& options) {
  return absl::StrJoin(options, ", ", [](std::string* out, const IdlOption& option) {
    absl::StrAppend(out, option.name, ": ",
                    option.members.empty() ? option.value : "{" + Text(option.members) + "}");
  });
}

CustomResourceDefinition Definition(absl::string_view yaml) {
  return codec::DecodeYaml<CustomResourceDefinition>(yaml).value();
}

TEST(KindOptionsOf, TheLeast) {
  const CustomResourceDefinition definition = Definition(R"(
spec:
  scope: Cluster
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  versions: [{name: v1, served: true, storage: true}]
)");
  const auto& version = definition.spec.versions[0];
  EXPECT_EQ(Text(KindOptionsOf(definition, version, "Widget", false)),
            R"(scope: CLUSTER, plural: "widgets", imported: true)");
  EXPECT_EQ(Text(KindOptionsOf(definition, version, "Widget2", true)),
            R"(name: "Widget", scope: CLUSTER, plural: "widgets", storage: true, imported: true)");
  EXPECT_EQ(Text(ListOptionsOf(definition, "WidgetList", "Widget")), R"(list_of: "Widget")");
  EXPECT_EQ(Text(ListOptionsOf(definition, "List2", "Widget2")),
            R"(name: "WidgetList", list_of: "Widget2")");
}

TEST(KindOptionsOf, AllOfIt) {
  const CustomResourceDefinition definition = Definition(R"(
metadata:
  annotations: {api-approved.kubernetes.io: "a\"b", kubectl.kubernetes.io/last-applied-configuration: x}
  labels: {app: a}
spec:
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: wd, shortNames: [w, x], categories: [all]}
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}
  versions:
  - name: v1
    served: false
    storage: false
    deprecated: true
    deprecationWarning: use v2
    subresources: {status: {}, scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.b, labelSelectorPath: .status.c}}
    additionalPrinterColumns:
    - {name: A, type: integer, jsonPath: .spec.a, format: int32, description: how many, priority: 1}
    selectableFields: [{jsonPath: .spec.a}]
)");
  EXPECT_EQ(Text(KindOptionsOf(definition, definition.spec.versions[0], "Widget", false)),
            R"(scope: NAMESPACED, plural: "widgets", singular: "wd", short_name: "w", )"
            R"(short_name: "x", category: "all", subresource: {name: "status"}, )"
            R"(subresource: {name: "scale", verb: "get", verb: "update", verb: "patch", )"
            R"(input: "autoscaling/v1 Scale", result: "autoscaling/v1 Scale", )"
            R"(spec_replicas_path: ".spec.a", )"
            R"(status_replicas_path: ".status.b", label_selector_path: ".status.c"}, )"
            R"(printer_column: {name: "A", type: "integer", json_path: ".spec.a", )"
            R"(format: "int32", description: "how many", priority: 1}, )"
            R"(selectable_field: ".spec.a", served: false, deprecated: "", )"
            R"(deprecation_warning: "use v2", )"
            R"(crd_annotation: {key: "api-approved.kubernetes.io", value: "a\"b"}, )"
            R"(crd_label: {key: "app", value: "a"}, imported: true, )"
            R"(crd_spec_json: "{\"conversion\":{\"strategy\":\"Webhook\",\"webhook\":)"
            R"({\"conversionReviewVersions\":[\"v1\"]}}}")");
}

}  // namespace
}  // namespace kube::codegen::internal
