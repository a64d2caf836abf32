#include "apiserver/openapi/expression_types.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "apiserver/resources.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

// Returns the text of a field's type, or "" if there is no such field.
std::string FieldOf(const cel::SchemaTypes& types, absl::string_view object,
                    absl::string_view field) {
  const cel::TypePtr type = types.FindField(object, field);
  return type == nullptr ? "" : cel::FormatType(*type);
}

struct Row {
  const char* object;
  const char* field;
  const char* type;
};

class BuiltInTypes : public testing::Test {
 protected:
  std::shared_ptr<const cel::SchemaTypes> TypesOf(absl::string_view group,
                                                  absl::string_view plural) const {
    return ExpressionTypesOf(*resources_.Find(group, "v1", plural), "K");
  }

  const Resources resources_ = Resources::BuiltIn();
};

TEST_F(BuiltInTypes, AreThoseOfTheDocument) {
  const std::shared_ptr<const cel::SchemaTypes> types = TypesOf("apps", "deployments");
  ASSERT_NE(types->root(), nullptr);
  EXPECT_EQ(cel::FormatType(*types->root()), "K");
  for (const Row& row : {
           Row{"K", "kind", "string"},
           Row{"K", "metadata", "K.metadata"},
           Row{"K.metadata", "creationTimestamp", "timestamp"},
           Row{"K.metadata", "labels", "map(string, string)"},
           Row{"K.metadata", "namespace", "string"},
           Row{"K.spec", "replicas", "int"},
           Row{"K.spec", "paused", "bool"},
           Row{"K.spec", "replica", ""},
           Row{"K.spec.strategy.rollingUpdate", "maxSurge", "dyn"},
           Row{"K.spec.template.spec", "containers", "list(K.spec.template.spec.containers.@idx)"},
           Row{"K.spec.template.spec.containers.@idx", "image", "string"},
           // Quantities have no type.
           Row{"K.spec.template.spec.containers.@idx.resources", "limits", ""},
           Row{"K.spec.template.spec.containers.@idx.resources", "claims",
               "list(K.spec.template.spec.containers.@idx.resources.claims.@idx)"},
       }) {
    EXPECT_EQ(FieldOf(*types, row.object, row.field), row.type) << row.object << "." << row.field;
  }
  EXPECT_EQ(FieldOf(*TypesOf("", "secrets"), "K", "data"), "map(string, bytes)");
}

TEST_F(BuiltInTypes, EndWhereADefinitionContainsItself) {
  const std::shared_ptr<const cel::SchemaTypes> types =
      TypesOf("apiextensions.k8s.io", "customresourcedefinitions");
  constexpr char kSchema[] = "K.spec.versions.@idx.schema.openAPIV3Schema";
  EXPECT_EQ(FieldOf(*types, kSchema, "type"), "string");
  EXPECT_EQ(FieldOf(*types, kSchema, "not"), std::string(kSchema) + ".not");
  EXPECT_EQ(FieldOf(*types, std::string(kSchema) + ".not", "type"), "");
  // It can be any JSON.
  EXPECT_EQ(FieldOf(*types, kSchema, "default"), "");
}

// Returns the types of a custom kind with this schema.
std::shared_ptr<const cel::SchemaTypes> CustomTypes(absl::string_view schema) {
  std::shared_ptr<const CustomKind> kind = SampleKind(schema);
  Resource resource;
  resource.kind = &kind->kind();
  resource.custom = std::move(kind);
  return ExpressionTypesOf(resource, "K");
}

TEST(CustomTypes, AreThoseOfTheDefinition) {
  const std::shared_ptr<const cel::SchemaTypes> types =
      CustomTypes(R"({"type":"object","properties":{"spec":{"type":"object","properties":{)"
                  R"("size":{"type":"integer"},"port":{"x-kubernetes-int-or-string":true},)"
                  R"("weights":{"type":"object","additionalProperties":{"type":"number"}},)"
                  R"("open":{"type":"object","x-kubernetes-preserve-unknown-fields":true},)"
                  R"("any":{"x-kubernetes-preserve-unknown-fields":true},)"
                  R"("object":{"type":"object","x-kubernetes-embedded-resource":true,)"
                  R"("x-kubernetes-preserve-unknown-fields":true}}}}})");
  for (const Row& row : {
           Row{"K", "apiVersion", "string"},
           Row{"K.metadata", "labels", "map(string, string)"},
           Row{"K.spec", "size", "int"},
           Row{"K.spec", "port", "dyn"},
           Row{"K.spec", "weights", "map(string, double)"},
           Row{"K.spec", "open", "K.spec.open"},
           Row{"K.spec.open", "x", ""},
           Row{"K.spec", "any", ""},
           Row{"K.spec.object.metadata", "name", "string"},
       }) {
    EXPECT_EQ(FieldOf(*types, row.object, row.field), row.type) << row.object << "." << row.field;
  }
}

TEST(CustomTypes, WithoutASchemaHaveWhatAllObjectsHave) {
  const std::shared_ptr<const cel::SchemaTypes> types = CustomTypes("");
  EXPECT_EQ(FieldOf(*types, "K", "kind"), "string");
  EXPECT_EQ(FieldOf(*types, "K.metadata", "generateName"), "string");
  EXPECT_EQ(FieldOf(*types, "K.metadata", "labels"), "");
  EXPECT_EQ(FieldOf(*types, "K", "spec"), "");
}

}  // namespace
}  // namespace kube::apiserver::internal
