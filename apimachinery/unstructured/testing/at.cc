#include "apimachinery/unstructured/testing/at.h"

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {

Value& At(Value& object, FieldPath path) {
  KUBE_CHECK(!path.empty()) << "path of no names";
  Value* value = &object;
  for (const absl::string_view name : path) {
    if (value->is_null()) *value = Map<Value>::Empty();
    KUBE_CHECK(value->is_object()) << "no object has a member " << name;
    value = &(*value->object())[name];
  }
  return *value;
}

Value& At(Map<Value>& object, FieldPath path) {
  KUBE_CHECK(!path.empty()) << "path of no names";
  Value& member = object[path[0]];
  return path.size() == 1 ? member : At(member, path.subspan(1));
}

}  // namespace kube::unstructured
