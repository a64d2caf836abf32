#ifndef APIMACHINERY_CRD_SCHEMA_TESTING_SAMPLE_SCHEMA_H_
#define APIMACHINERY_CRD_SCHEMA_TESTING_SAMPLE_SCHEMA_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"

// Makes schemas and objects from YAML, for tests. Invalid YAML aborts the test.
namespace kube::crd_schema {

inline api::apiextensions::v1::JSONSchemaProps Props(absl::string_view yaml) {
  return codec::DecodeYaml<api::apiextensions::v1::JSONSchemaProps>(yaml).value();
}

// Returns the schema of an object with these properties.
inline std::shared_ptr<const Structural> MakeSchema(absl::string_view properties) {
  return Structural::Make(Props(absl::StrCat("{type: object, properties: {", properties, "}}")))
      .value();
}

inline Map<unstructured::Value> ObjectOf(absl::string_view yaml) {
  return *unstructured::ParseYaml(yaml).value().object();
}

inline std::vector<std::string> Texts(const validation::field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error.ToString());
  return texts;
}

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_TESTING_SAMPLE_SCHEMA_H_
