#include "apiserver/openapi/schema_parts.h"

#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver::internal {

using unstructured::Value;

Map<Value> ReferenceTo(absl::string_view name) {
  Map<Value> reference;
  reference["$ref"] = absl::StrCat(kDefinitionsV3, name);
  return reference;
}

Map<Value> WithReference(Map<Value> schema, absl::string_view name) {
  if (schema.empty()) return ReferenceTo(name);
  List<Value> all;
  all.push_back(ReferenceTo(name));
  schema["allOf"] = std::move(all);
  return schema;
}

void ForEachPart(Map<Value>& schema, absl::FunctionRef<void(Map<Value>&)> visit) {
  for (const absl::string_view key : {"items", "additionalProperties"}) {
    Value* part = schema.find(key);
    if (part != nullptr && part->is_object()) visit(*part->object());
  }
  Value* properties = schema.find("properties");
  if (properties == nullptr || !properties->is_object()) return;
  for (auto& [name, property] : *properties->object()) {
    if (property.is_object()) visit(*property.object());
  }
}

}  // namespace kube::apiserver::internal
