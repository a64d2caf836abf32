#include "apimachinery/managedfields/differential/schema_comparison.h"

#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

absl::string_view TextOf(const Value& value) { return value.text().value_or(""); }

absl::string_view NameOf(ScalarType type) {
  switch (type) {
    case ScalarType::kNone:
      return "";
    case ScalarType::kNumeric:
      return "numeric";
    case ScalarType::kString:
      return "string";
    case ScalarType::kBoolean:
      return "boolean";
    case ScalarType::kUntyped:
      return "untyped";
  }
  return "";
}

// A type of Go: its content, and the relationship that the reference to it sets, if any.
struct GoType {
  const Value* atom = nullptr;
  absl::string_view relationship = "";
};

class Comparer {
 public:
  explicit Comparer(const Value& types) : types_(types) {}

  // Returns no atom if the type is not defined.
  GoType TypeOf(const Value& reference) const {
    const Value* name = reference.Find("named");
    return {.atom = name == nullptr ? &reference : types_.Find(TextOf(*name)),
            .relationship = TextOf(reference["override"])};
  }

  void Compare(const Schema& ours, const GoType& go, const std::string& path) {
    if (go.atom == nullptr) return Report(path, "Go's type is not defined");
    if (!compared_.emplace(&ours, go.atom, go.relationship).second) return;
    if (TextOf((*go.atom)["scalar"]) != NameOf(ours.scalar)) {
      Report(path, absl::StrCat("scalar: Go has \"", TextOf((*go.atom)["scalar"]), "\", ours is \"",
                                NameOf(ours.scalar), "\""));
    }
    // A reference's relationship is for maps, or for lists if there is no map.
    const Value* map = go.atom->Find("map");
    const Value* list = go.atom->Find("list");
    if ((map != nullptr) != (ours.map != nullptr)) {
      Report(path, absl::StrCat("map: Go has ", map == nullptr ? "none" : "one"));
    } else if (map != nullptr) {
      CompareMaps(*ours.map, *map, go.relationship, path);
    }
    if ((list != nullptr) != (ours.list != nullptr)) {
      Report(path, absl::StrCat("list: Go has ", list == nullptr ? "none" : "one"));
    } else if (list != nullptr) {
      CompareLists(*ours.list, *list, map == nullptr ? go.relationship : "", path);
    }
  }

  std::vector<std::string> Take() { return std::move(differences_); }

 private:
  void Report(const std::string& path, absl::string_view what) {
    differences_.push_back(absl::StrCat(path, ": ", what));
  }

  void CompareParts(const Schema* ours, const Value& reference, const std::string& path) {
    const bool go_has = !reference.object()->empty();
    if (go_has != (ours != nullptr)) {
      Report(path, go_has ? "only Go has it" : "only ours has it");
    } else if (go_has) {
      Compare(*ours, TypeOf(reference), path);
    }
  }

  void CompareMaps(const MapSchema& ours, const Value& go, absl::string_view imposed,
                   const std::string& path) {
    const bool atomic = (imposed.empty() ? TextOf(go["relationship"]) : imposed) == "atomic";
    if (atomic != ours.atomic) {
      Report(path, absl::StrCat("map: Go's is ", atomic ? "atomic" : "not atomic"));
    }
    for (const auto& [name, field] : *go["fields"].object()) {
      const std::string part = absl::StrCat(path, ".", name.view());
      const Schema* schema = ours.FindField(name.view());
      if (schema == nullptr) {
        Report(part, "only Go has the field");
      } else {
        Compare(*schema, TypeOf(field["type"]), part);
      }
    }
    for (const FieldSchema& field : ours.fields) {
      if (!go["fields"].object()->contains(field.name)) {
        Report(absl::StrCat(path, ".", field.name), "only ours has the field");
      }
    }
    CompareParts(ours.element, go["element"], absl::StrCat(path, ".*"));
  }

  void CompareLists(const ListSchema& ours, const Value& go, absl::string_view imposed,
                    const std::string& path) {
    const bool associative =
        (imposed.empty() ? TextOf(go["relationship"]) : imposed) == "associative";
    if (associative != ours.associative) {
      Report(path, absl::StrCat("list: Go's is ", associative ? "associative" : "atomic"));
    }
    CompareParts(ours.element, go["element"], absl::StrCat(path, "[]"));
    const List<Value>& keys = *go["keys"].list();
    for (size_t i = 0; i < keys.size() || i < ours.keys.size(); ++i) {
      const absl::string_view go_name = i < keys.size() ? TextOf(keys[i]) : "nothing";
      const absl::string_view name =
          i < ours.keys.size() ? absl::string_view(ours.keys[i].name) : "nothing";
      if (go_name != name) {
        Report(path, absl::StrCat("keys: Go has ", go_name, ", ours is ", name));
        return;
      }
      CompareDefaults(ours.keys[i], TypeOf(go["element"]), path);
    }
  }

  void CompareDefaults(const ListKey& key, const GoType& element, const std::string& path) {
    if (element.atom == nullptr) return;
    const Value& go = (*element.atom)["map"]["fields"][key.name]["default"];
    const Value ours = key.default_value.value_or(Value());
    if (!EqualValues(ours, go)) {
      Report(path, absl::StrCat("default of key ", key.name, ": Go has ", ExactJson(go),
                                ", ours is ", ExactJson(ours)));
    }
  }

  const Value& types_;
  std::set<std::tuple<const Schema*, const Value*, absl::string_view>> compared_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> SchemaDifferences(const Schema& ours, const Value& types,
                                           absl::string_view root) {
  Comparer comparer(types);
  comparer.Compare(ours, {.atom = types.Find(root)}, "");
  return comparer.Take();
}

}  // namespace kube::managedfields
