#include "apimachinery/crd_schema/differential/exact_json.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::crd_schema {

using unstructured::Value;

std::string ExactJson(const Value& value) {
  std::string json;
  absl::string_view separator;
  if (const List<Value>* list = value.list(); list != nullptr) {
    for (const Value& element : *list) {
      absl::StrAppend(&json, separator, ExactJson(element));
      separator = ",";
    }
    return absl::StrCat("[", json, "]");
  }
  if (const Map<Value>* object = value.object(); object != nullptr) {
    for (const auto& [name, member] : *object) {
      absl::StrAppend(&json, separator, unstructured::EncodeJson(Value(name.view())).value(), ":",
                      ExactJson(member));
      separator = ",";
    }
    return absl::StrCat("{", json, "}");
  }
  json = unstructured::EncodeJson(value).value();
  const bool whole = value.is_double() && json.find_first_of(".e") == std::string::npos;
  return absl::StrCat(json, whole ? ".0" : "");
}

}  // namespace kube::crd_schema
