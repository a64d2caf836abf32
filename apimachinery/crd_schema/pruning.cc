#include "apimachinery/crd_schema/pruning.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/erase_members.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema {
namespace {

using crd_schema::internal::Additional;
using crd_schema::internal::Node;
using unstructured::Value;

bool IsMeta(absl::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

std::string Child(absl::string_view path, absl::string_view name) {
  return path.empty() ? std::string(name) : absl::StrCat(path, ".", name);
}

std::string Element(absl::string_view path, size_t index) {
  return absl::StrCat(path, "[", index, "]");
}

// Recurses as deep as the schema. Values without a schema are pruned without recursion.
class Pruner {
 public:
  std::vector<std::string> removed;

  void Prune(const Node& node, bool embedded, const std::string& path, Value& value) {
    if (Map<Value>* object = value.object(); object != nullptr) {
      PruneObject(node, embedded, path, *object);
    } else if (List<Value>* list = value.list(); list != nullptr) {
      PruneList(node, path, *list);
    }
  }

  void PruneObject(const Node& node, bool embedded, const std::string& path, Map<Value>& object) {
    std::vector<std::string> unknown;
    for (auto& [name, member] : object) {
      if (embedded && IsMeta(name)) continue;
      if (const Node* property = node.FindProperty(name.view()); property != nullptr) {
        Prune(*property, property->embedded_resource, Child(path, name.view()), member);
      } else if (node.additional_schema != nullptr) {
        Prune(*node.additional_schema, node.additional_schema->embedded_resource,
              Child(path, name.view()), member);
      } else if (node.additional != Additional::kAbsent) {
        PruneAll(Child(path, name.view()), member);
      } else if (!node.preserve_unknown_fields) {
        unknown.emplace_back(name);
      }
    }
    crd_schema::internal::EraseMembers(object, unknown);
    for (const std::string& name : unknown) {
      // An object that is not a resource keeps these members in any case.
      if (!IsMeta(name) || !path.empty()) removed.push_back(Child(path, name));
    }
  }

 private:
  // Below a list that preserves unknown fields, those of its elements are preserved too, whatever
  // their schema says (apiextensions-apiserver: `skipPrune`).
  void PruneList(const Node& node, const std::string& path, List<Value>& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (node.items == nullptr) {
        if (!node.preserve_unknown_fields) PruneAll(Element(path, i), list[i]);
      } else if (node.preserve_unknown_fields) {
        Skip(*node.items, Element(path, i), list[i]);
      } else {
        Prune(*node.items, node.items->embedded_resource, Element(path, i), list[i]);
      }
    }
  }

  // Members that the schema specifies are still pruned.
  void Skip(const Node& node, const std::string& path, Value& value) {
    if (List<Value>* list = value.list(); list != nullptr) {
      if (node.items == nullptr) return;
      for (size_t i = 0; i < list->size(); ++i) {
        Skip(*node.items, Element(path, i), (*list)[i]);
      }
    }
    Map<Value>* object = value.object();
    if (object == nullptr) return;
    for (auto& [name, member] : *object) {
      if (node.embedded_resource && IsMeta(name)) continue;
      if (const Node* property = node.FindProperty(name.view()); property != nullptr) {
        Prune(*property, property->embedded_resource, Child(path, name.view()), member);
      } else if (node.additional_schema != nullptr) {
        Prune(*node.additional_schema, node.additional_schema->embedded_resource,
              Child(path, name.view()), member);
      } else if (node.additional != Additional::kAbsent) {
        PruneAll(Child(path, name.view()), member);
      }
    }
  }

  // Without a schema, objects lose all members, and lists keep elements that are not objects.
  void PruneAll(const std::string& path, Value& value) {
    std::vector<std::pair<std::string, Value*>> open = {{path, &value}};
    while (!open.empty()) {
      const auto [place, next] = std::move(open.back());
      open.pop_back();
      if (Map<Value>* object = next->object(); object != nullptr) {
        for (const auto& [name, member] : *object) removed.push_back(Child(place, name.view()));
        object->clear();
      } else if (List<Value>* list = next->list(); list != nullptr) {
        for (size_t i = 0; i < list->size(); ++i) {
          if ((*list)[i].is_list() || (*list)[i].is_object()) {
            open.emplace_back(Element(place, i), &(*list)[i]);
          }
        }
      }
    }
  }
};

}  // namespace

namespace internal {

std::vector<std::string> PruneValue(const Node& node, bool is_resource_root, Value& value) {
  Pruner pruner;
  pruner.Prune(node, is_resource_root || node.embedded_resource, "", value);
  absl::c_sort(pruner.removed);
  return std::move(pruner.removed);
}

}  // namespace internal

std::vector<std::string> Prune(const Structural* schema, Map<Value>& object) {
  Pruner pruner;
  const Node none;
  pruner.PruneObject(schema == nullptr ? none : schema->root(), /*embedded=*/true, "", object);
  absl::c_sort(pruner.removed);
  return std::move(pruner.removed);
}

}  // namespace kube::crd_schema
