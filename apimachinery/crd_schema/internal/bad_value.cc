#include "apimachinery/crd_schema/internal/bad_value.h"

#include <string>

#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"

namespace kube::crd_schema::internal {

validation::field::BadValue BadValueOf(const unstructured::Value& value) {
  switch (value.type()) {
    case unstructured::ValueType::kBool:
      return *value.boolean();
    case unstructured::ValueType::kInt:
      return *value.integer();
    case unstructured::ValueType::kDouble:
      return *value.number();
    case unstructured::ValueType::kString:
      return std::string(*value.text());
    default:
      return validation::field::JsonValue{unstructured::EncodeJson(value).value_or("null")};
  }
}

}  // namespace kube::crd_schema::internal
