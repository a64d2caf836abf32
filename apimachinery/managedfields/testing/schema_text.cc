#include "apimachinery/managedfields/testing/schema_text.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::managedfields {
namespace {

absl::string_view ScalarText(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::kNone:
      return "NOTHING";
    case ScalarType::kNumeric:
      return "numeric";
    case ScalarType::kString:
      return "string";
    case ScalarType::kBoolean:
      return "boolean";
    case ScalarType::kUntyped:
      return "untyped";
  }
  return "?";
}

class SchemaWriter {
 public:
  std::string TextOf(const Schema& schema) {
    if (&schema == &DeducedSchema()) return "DEDUCED";
    if (&schema == &UntypedAtomicSchema()) return "ATOMIC";
    if (absl::c_linear_search(open_, &schema)) return "...";
    open_.push_back(&schema);
    std::vector<std::string> forms;
    if (schema.scalar != ScalarType::kNone) forms.emplace_back(ScalarText(schema.scalar));
    if (schema.list != nullptr) forms.push_back(TextOfList(*schema.list));
    if (schema.map != nullptr) forms.push_back(TextOfMap(*schema.map));
    open_.pop_back();
    return forms.empty() ? std::string(ScalarText(ScalarType::kNone)) : absl::StrJoin(forms, "|");
  }

 private:
  std::string TextOfList(const ListSchema& list) {
    std::vector<std::string> keys;
    for (const ListKey& key : list.keys) {
      keys.push_back(key.name);
      if (!key.default_value.has_value()) continue;
      absl::StrAppend(&keys.back(), "=", unstructured::EncodeJson(*key.default_value).value());
    }
    std::string kind = list.associative ? "set" : "atomic";
    if (!keys.empty()) {
      kind = absl::StrCat(list.associative ? "map" : "atomic", "(", absl::StrJoin(keys, ", "), ")");
    }
    return absl::StrCat(kind, "[", TextOf(*list.element), "]");
  }

  std::string TextOfMap(const MapSchema& map) {
    std::vector<std::string> members;
    for (const FieldSchema& field : map.fields) {
      members.push_back(absl::StrCat(field.name, ": ", TextOf(*field.schema)));
    }
    if (map.element != nullptr) members.push_back(absl::StrCat("*: ", TextOf(*map.element)));
    return absl::StrCat(map.atomic ? "atomic{" : "{", absl::StrJoin(members, ", "), "}");
  }

  std::vector<const Schema*> open_;  // the schemas that are being written
};

}  // namespace

std::string SchemaText(const Schema& schema) { return SchemaWriter().TextOf(schema); }

}  // namespace kube::managedfields
