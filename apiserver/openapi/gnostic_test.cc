#include "apiserver/openapi/gnostic.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

// Returns a field of bytes, whose number and size are below 128.
template <typename... Parts>
std::string Bytes(int number, const Parts&... parts) {
  const std::string content = absl::StrCat(parts...);
  // Numbers from 16 on take two bytes.
  const int tag = number << 3 | 2;
  std::string field;
  if (tag < 128) {
    field += static_cast<char>(tag);
  } else {
    field += static_cast<char>((tag & 0x7f) | 0x80);
    field += static_cast<char>(tag >> 7);
  }
  EXPECT_LT(content.size(), 128u);
  field += static_cast<char>(content.size());
  return field + content;
}

std::string Any(absl::string_view json) { return Bytes(2, json); }

std::string Named(int number, absl::string_view name, const std::string& value) {
  return Bytes(number, Bytes(1, name), Bytes(2, value));
}

// Returns the bytes of the only schema of a document of version 3, a Schema or a Reference.
std::string SchemaV3(absl::string_view json) {
  const std::string document = EncodeGnosticV3(
      unstructured::ParseJson(absl::StrCat(R"({"components":{"schemas":{"A":)", json, "}}}"))
          .value());
  // Document.components, Components.schemas, SchemasOrReferences.additional_properties, name,
  // value: all begin with a tag and a size of one byte.
  const std::string head = Bytes(1, "A");
  const size_t at = document.find(head);
  EXPECT_NE(at, std::string::npos);
  return document.substr(at + head.size() + 2);
}

std::string SchemaV2(absl::string_view json) {
  const std::string document = EncodeGnosticV2(
      unstructured::ParseJson(absl::StrCat(R"({"definitions":{"A":)", json, "}}")).value());
  const std::string head = Bytes(1, "A");
  const size_t at = document.find(head);
  EXPECT_NE(at, std::string::npos);
  return document.substr(at + head.size() + 2);
}

std::string Shown(absl::string_view bytes) { return absl::CHexEscape(bytes); }

TEST(EncodeGnosticV3, Schemas) {
  const struct {
    const char* name;
    const char* json;
    std::string bytes;
  } rows[] = {
      {"reference", R"({"$ref":"#/b"})", Bytes(2, Bytes(1, "#/b"))},
      {"scalars", R"({"type":"string","format":"byte","description":"d","nullable":true})",
       Bytes(1, "\x08\x01", Bytes(25, "string"), Bytes(34, "d"), Bytes(35, "byte"))},
      {"numbers", R"({"maxLength":300,"minimum":0.5,"maximum":0})",
       Bytes(1, absl::string_view("\x69\0\0\0\0\0\0\xe0\x3f", 9),
             absl::string_view("\x78\xac\x02", 3))},
      {"large numbers", R"({"maxLength":9223372036854775807})",
       Bytes(1, absl::string_view("\x78\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10))},
      {"items", R"({"items":{"type":"x"}})",
       Bytes(1, Bytes(30, Bytes(1, Bytes(1, Bytes(25, "x")))))},
      {"all of", R"({"allOf":[{"$ref":"b"},{"type":"x"}]})",
       Bytes(1, Bytes(26, Bytes(2, Bytes(1, "b"))), Bytes(26, Bytes(1, Bytes(25, "x"))))},
      {"not", R"({"not":{"type":"x"}})", Bytes(1, Bytes(29, Bytes(25, "x")))},
      {"properties", R"({"properties":{"x-a":{"type":"x"}}})",
       Bytes(1, Bytes(31, Named(1, "x-a", Bytes(1, Bytes(25, "x")))))},
      {"values", R"({"additionalProperties":{"type":"x"}})",
       Bytes(1, Bytes(32, Bytes(1, Bytes(1, Bytes(25, "x")))))},
      {"any values", R"({"additionalProperties":true})",
       Bytes(1, Bytes(32, absl::string_view("\x10\x01", 2)))},
      {"no values", R"({"additionalProperties":false})",
       Bytes(1, Bytes(32, absl::string_view("\x10\x00", 2)))},
      {"default text", R"({"default":""})", Bytes(1, Bytes(33, Bytes(3, "")))},
      {"default bool", R"({"default":false})",
       Bytes(1, Bytes(33, absl::string_view("\x10\x00", 2)))},
      {"default number", R"({"default":1})",
       Bytes(1, Bytes(33, absl::string_view("\x09\0\0\0\0\0\0\xf0\x3f", 9)))},
      {"default object", R"({"default":{}})", Bytes(1, Bytes(33))},
      {"enum", R"({"enum":["a",1]})", Bytes(1, Bytes(24, Any("\"a\"")), Bytes(24, Any("1")))},
      {"required", R"({"required":["a","b"]})", Bytes(1, Bytes(23, "a"), Bytes(23, "b"))},
      {"extension", R"({"x-b":{"c":[1]}})", Bytes(1, Named(36, "x-b", Any(R"({"c":[1]})")))},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Shown(SchemaV3(row.json)), Shown(row.bytes)) << row.name;
  }
}

TEST(EncodeGnosticV2, Schemas) {
  const struct {
    const char* name;
    const char* json;
    std::string bytes;
  } rows[] = {
      {"reference", R"({"$ref":"#/b","description":"d"})",
       absl::StrCat(Bytes(1, "#/b"), Bytes(4, "d"))},
      {"type", R"({"type":"string","format":"byte"})",
       absl::StrCat(Bytes(2, "byte"), Bytes(22, Bytes(1, "string")))},
      {"items", R"({"items":{"$ref":"b"}})", Bytes(23, Bytes(1, Bytes(1, "b")))},
      {"properties", R"({"properties":{"a":{}}})", Bytes(25, Named(1, "a", ""))},
      {"values", R"({"additionalProperties":{"$ref":"b"}})", Bytes(21, Bytes(1, Bytes(1, "b")))},
      {"default", R"({"default":{}})", Bytes(5, Any("{}"))},
      {"extension", R"({"x-b":"c"})", Named(31, "x-b", Any("\"c\""))},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Shown(SchemaV2(row.json)), Shown(row.bytes)) << row.name;
  }
}

TEST(EncodeGnosticV3, PathsAndTheirOperations) {
  const auto document = unstructured::ParseJson(R"({
    "info": {"title": "t", "version": "v"},
    "openapi": "3.0.0",
    "paths": {"/a": {
      "get": {"operationId": "o", "x-k": "l", "responses": {"200": {"description": "OK"}}},
      "parameters": [{"in": "path", "name": "n", "required": true}]
    }}
  })");
  const std::string operation =
      Bytes(4, Bytes(5, "o"), Bytes(8, Named(2, "200", Bytes(1, Bytes(1, "OK")))),
            Named(13, "x-k", Any("\"l\"")));
  const std::string parameter =
      Bytes(13, Bytes(1, Bytes(1, "n"), Bytes(2, "path"), absl::string_view("\x20\x01", 2)));
  EXPECT_EQ(Shown(EncodeGnosticV3(document.value())),
            Shown(absl::StrCat(Bytes(1, "3.0.0"), Bytes(2, Bytes(1, "t"), Bytes(6, "v")),
                               Bytes(4, Named(1, "/a", operation + parameter)))));
}

TEST(EncodeGnosticV2, PathsAndTheirParameters) {
  const auto document = unstructured::ParseJson(R"({
    "paths": {"/a": {
      "post": {
        "consumes": ["*/*"],
        "parameters": [{"in": "body", "name": "body", "schema": {"$ref": "b"}},
                       {"in": "query", "name": "q", "type": "string", "uniqueItems": true}],
        "responses": {"401": {"description": "no", "schema": {"$ref": "b"}}}
      },
      "parameters": [{"in": "path", "name": "p", "type": "string"}]
    }},
    "security": [{"B": []}],
    "swagger": "2.0"
  })");
  const std::string operation = Bytes(
      4, Bytes(7, "*/*"),
      Bytes(8, Bytes(1, Bytes(1, Bytes(2, "body"), Bytes(3, "body"), Bytes(5, Bytes(1, "b"))))),
      Bytes(8, Bytes(1, Bytes(2, Bytes(3, Bytes(2, "query"), Bytes(4, "q"), Bytes(6, "string"),
                                       absl::string_view("\xa0\x01\x01", 3))))),
      Bytes(9, Named(1, "401", Bytes(1, Bytes(1, "no"), Bytes(2, Bytes(1, Bytes(1, "b")))))));
  const std::string parameter =
      Bytes(9, Bytes(1, Bytes(2, Bytes(4, Bytes(2, "path"), Bytes(4, "p"), Bytes(5, "string")))));
  const std::string item = Bytes(1, "/a") + Bytes(2, operation, parameter);
  const std::string written = EncodeGnosticV2(document.value());
  EXPECT_NE(written.find(item), std::string::npos) << Shown(written);
  EXPECT_EQ(Shown(written.substr(0, 5)), Shown(Bytes(1, "2.0")));
  EXPECT_NE(written.find(Bytes(12, Named(1, "B", ""))), std::string::npos) << Shown(written);
}

}  // namespace
}  // namespace kube::apiserver::internal
