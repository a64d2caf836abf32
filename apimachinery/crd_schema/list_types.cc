#include "apimachinery/crd_schema/list_types.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/crd_schema/internal/bad_value.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using crd_schema::internal::BadValueOf;
using crd_schema::internal::Node;
using field::Path;
using unstructured::Value;

// Returns the same text for equal values. 1 and 1.0 are different, as in Go.
std::string KeyOf(const Value& value) {
  if (value.is_double() && *value.number() == 0) return "d0";
  return absl::StrCat(value.is_double() ? "d" : "",
                      unstructured::EncodeJson(value).value_or("null"));
}

// Returns the indices at which a key occurs for the second time.
std::vector<size_t> SecondOnes(const std::vector<std::string>& keys) {
  std::vector<size_t> found;
  absl::flat_hash_map<std::string, int> seen;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (++seen[keys[i]] == 2) found.push_back(i);
  }
  return found;
}

class Checker {
 public:
  field::ErrorList errors;

  void CheckObject(const Node& node, const Map<Value>& object, const Path& path) {
    if (node.additional_schema != nullptr) {
      for (const auto& [name, member] : object) {
        Check(*node.additional_schema, member, path.Key(name.view()));
      }
    }
    for (const auto& [name, member] : object) {
      if (const Node* property = node.FindProperty(name.view()); property != nullptr) {
        Check(*property, member, path.Child(name.view()));
      }
    }
  }

 private:
  void Check(const Node& node, const Value& value, const Path& path) {
    if (const Map<Value>* object = value.object(); object != nullptr) {
      CheckObject(node, *object, path);
    } else if (const List<Value>* list = value.list(); list != nullptr) {
      if (node.list_type == "set") CheckSet(*list, path);
      if (node.list_type == "map") CheckMap(node, *list, path);
      if (node.items == nullptr) return;
      for (size_t i = 0; i < list->size(); ++i) {
        Check(*node.items, (*list)[i], path.Index(i));
      }
    }
  }

  void CheckSet(const List<Value>& list, const Path& path) {
    std::vector<std::string> keys;
    for (const Value& element : list) keys.push_back(KeyOf(element));
    for (const size_t i : SecondOnes(keys)) {
      errors.push_back(field::Duplicate(path.Index(i), BadValueOf(list[i])));
    }
  }

  void CheckMap(const Node& node, const List<Value>& list, const Path& path) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].is_null() || list[i].is_object()) continue;
      errors.push_back(field::Invalid(path.Index(i), BadValueOf(list[i]),
                                      "must be an object for an array of list-type map"));
      return;
    }
    // The key of an element consists of its members for the list's map keys, without missing ones.
    std::vector<Value> keys;
    std::vector<std::string> texts;
    for (const Value& element : list) {
      Map<Value> key = Map<Value>::Empty();
      std::string text;
      for (const std::string& name : node.list_map_keys) {
        const Value* member = element.Find(name);
        if (member == nullptr) continue;
        key.insert_or_assign(name, *member);
        // With several keys upstream compares their JSON, in which 1 and 1.0 are equal.
        if (node.list_map_keys.size() == 1) text = KeyOf(*member);
      }
      keys.emplace_back(std::move(key));
      texts.push_back(node.list_map_keys.size() == 1 ? text : KeyOf(keys.back()));
    }
    for (const size_t i : SecondOnes(texts)) {
      errors.push_back(field::Duplicate(path.Index(i), BadValueOf(keys[i])));
    }
  }
};

}  // namespace

field::ErrorList ValidateListTypes(const Structural& schema, const Map<Value>& object) {
  Checker checker;
  checker.CheckObject(schema.root(), object, Path());
  return std::move(checker.errors);
}

}  // namespace kube::crd_schema
