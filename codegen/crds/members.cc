#include "codegen/crds/members.h"

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::codegen {

using unstructured::Value;

Map<Value>& ObjectAt(Map<Value>& object, absl::string_view key) {
  Value& member = object[key];
  if (!member.is_object()) member = Map<Value>();
  return *member.object();
}

List<Value>& ListAt(Map<Value>& object, absl::string_view key) {
  Value& member = object[key];
  if (!member.is_list()) member = List<Value>();
  return *member.list();
}

std::string TypeOf(const Map<Value>& schema) {
  const Value* type = schema.find("type");
  return type == nullptr ? "" : std::string(type->text().value_or(""));
}

}  // namespace kube::codegen
