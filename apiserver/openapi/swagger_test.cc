#include "apiserver/openapi/swagger.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

std::string Canonical(const char* json) { return EncodeJson(ParseJson(json).value()).value(); }

TEST(ToSwaggerSchema, DropsWhatVersion2DoesNotHave) {
  const struct {
    const char* name;
    const char* v3;
    const char* v2;
  } rows[] = {
      {"default", R"({"type":"string","default":""})", R"({"type":"string"})"},
      {"reference", R"({"$ref":"#/components/schemas/a.B"})", R"({"$ref":"#/definitions/a.B"})"},
      {"reference with siblings",
       R"({"allOf":[{"$ref":"#/components/schemas/a.B"}],"default":{},"description":"d"})",
       R"({"$ref":"#/definitions/a.B","description":"d"})"},
      {"two types", R"({"oneOf":[{"type":"string"},{"type":"number"}],"description":"d"})",
       R"({"type":"string","description":"d"})"},
      {"parts",
       R"({"properties":{"default":{"items":{"type":"string","default":""}}},)"
       R"("additionalProperties":{"$ref":"#/components/schemas/a.B"}})",
       R"({"properties":{"default":{"items":{"type":"string"}}},)"
       R"("additionalProperties":{"$ref":"#/definitions/a.B"}})"},
      {"extensions", R"({"x-kubernetes-map-type":"atomic"})",
       R"({"x-kubernetes-map-type":"atomic"})"},
  };
  for (const auto& row : rows) {
    Value schema = ParseJson(row.v3).value();
    EXPECT_EQ(EncodeJson(ToSwaggerSchema(*schema.object())).value(), Canonical(row.v2)) << row.name;
  }
}

TEST(ToSwaggerPathItem, ABodyIsAParameterAndFormatsAreOfTheOperation) {
  const Value item = ParseJson(R"({
    "post": {
      "operationId": "createThing",
      "parameters": [{"in": "query", "name": "dryRun", "schema": {"type": "string"}},
                     {"in": "query", "name": "a", "schema": {"type": "boolean"}}],
      "requestBody": {"required": true, "content": {
          "*/*": {"schema": {"$ref": "#/components/schemas/a.B"}}}},
      "responses": {
        "200": {"description": "OK", "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/a.C"}},
            "application/yaml": {"schema": {"$ref": "#/components/schemas/a.C"}}}},
        "401": {"description": "Unauthorized"}
      },
      "x-kubernetes-action": "post"
    },
    "get": {
      "responses": {"200": {"description": "OK", "content": {
          "application/json": {"schema": {"type": "string"}}}}}
    },
    "parameters": [{"in": "path", "name": "name", "required": true,
                    "schema": {"type": "string", "uniqueItems": true}}]
  })")
                         .value();
  EXPECT_EQ(EncodeJson(ToSwaggerPathItem(*item.object())).value(), Canonical(R"({
    "post": {
      "operationId": "createThing",
      "consumes": ["*/*"],
      "produces": ["application/json", "application/yaml"],
      "schemes": ["https"],
      "parameters": [
          {"in": "query", "name": "a", "type": "boolean"},
          {"in": "body", "name": "body", "required": true,
           "schema": {"$ref": "#/definitions/a.B"}},
          {"in": "query", "name": "dryRun", "type": "string"}],
      "responses": {
        "200": {"description": "OK", "schema": {"$ref": "#/definitions/a.C"}},
        "401": {"description": "Unauthorized"}
      },
      "x-kubernetes-action": "post"
    },
    "get": {
      "consumes": ["application/json"],
      "produces": ["application/json"],
      "schemes": ["https"],
      "responses": {"200": {"description": "OK", "schema": {"type": "string"}}}
    },
    "parameters": [{"in": "path", "name": "name", "required": true, "type": "string",
                    "uniqueItems": true}]
  })"));
}

TEST(ToSwaggerPathItem, WithoutABodyTakesWhatDependsOnTheOwner) {
  const struct {
    const char* name;
    const char* members;  // of the operation
    const char* content;
    const char* consumes;
  } rows[] = {
      {"a built-in resource", R"("x-kubernetes-action":"get",)",
       R"({"application/json":{},"application/vnd.kubernetes.protobuf":{}})", R"(["*/*"])"},
      {"a custom resource", R"("x-kubernetes-action":"get",)",
       R"({"application/json":{},"application/yaml":{}})",
       R"(["application/json","application/yaml"])"},
      {"discovery", "", R"({"application/json":{},"application/vnd.kubernetes.protobuf":{}})",
       R"(["application/json","application/vnd.kubernetes.protobuf"])"},
  };
  for (const auto& row : rows) {
    const Value item =
        ParseJson(absl::StrCat(R"({"get":{)", row.members, R"("responses":{"200":{"content":)",
                               row.content, R"(,"description":"OK"}}}})"))
            .value();
    const Value converted = ToSwaggerPathItem(*item.object());
    EXPECT_EQ(EncodeJson(converted["get"]["consumes"]).value(), row.consumes) << row.name;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
