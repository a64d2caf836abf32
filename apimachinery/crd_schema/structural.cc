#include "apimachinery/crd_schema/structural.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using crd_schema::internal::Additional;
using crd_schema::internal::Node;
using field::Path;

// Matches anyOf: [{type: integer}, {type: string}].
bool IsIntOrString(const std::vector<std::unique_ptr<const Node>>& any_of) {
  return any_of.size() == 2 && any_of[0]->only_type && any_of[0]->type == "integer" &&
         any_of[1]->only_type && any_of[1]->type == "string";
}

enum class Level { kRoot, kItem, kField };

class Invariants {
 public:
  field::ErrorList errors;

  // apiextensions-apiserver: `validateStructuralInvariants`.
  void Check(const Node& node, Level level, const Path& path) {
    if (node.type == "array" && node.items == nullptr) {
      errors.push_back(field::Required(path.Child("items"), "must be specified"));
    }
    if (node.items != nullptr) Check(*node.items, Level::kItem, path.Child("items"));
    for (const auto& [name, property] : node.properties) {
      Check(*property, Level::kField, path.Child("properties").Key(name));
    }
    if (node.additional != Additional::kAbsent) {
      if (level == Level::kRoot) {
        Forbid(path.Child("additionalProperties"), "must not be used at the root");
      }
      if (node.additional_schema != nullptr) {
        Check(*node.additional_schema, Level::kField, path.Child("additionalProperties"));
      }
    }
    CheckExtensions(node, path);
    // Instead of x-kubernetes-int-or-string, its meaning may be spelled out in one of two places.
    CheckValidations(node, IsIntOrString(node.any_of),
                     !node.all_of.empty() && IsIntOrString(node.all_of[0]->any_of), path);
    CheckType(node, level, path);
    CheckMeta(node, level, path);
    if (node.embedded_resource && !node.preserve_unknown_fields && node.properties.empty()) {
      errors.push_back(
          field::Required(path.Child("properties"),
                          "must not be empty if x-kubernetes-embedded-resource is true without "
                          "x-kubernetes-preserve-unknown-fields"));
    }
  }

 private:
  void Forbid(const Path& path, absl::string_view detail) {
    errors.push_back(field::Forbidden(path, detail));
  }

  void CheckExtensions(const Node& node, const Path& path) {
    if (!node.int_or_string) return;
    for (const auto& [name, value] :
         {std::pair("x-kubernetes-preserve-unknown-fields", node.preserve_unknown_fields),
          std::pair("x-kubernetes-embedded-resource", node.embedded_resource)}) {
      if (!value) continue;
      errors.push_back(field::Invalid(path.Child(name), true,
                                      "must be false if x-kubernetes-int-or-string is true"));
    }
  }

  void CheckType(const Node& node, Level level, const Path& path) {
    const Path type = path.Child("type");
    if (node.embedded_resource && node.type != "object") {
      constexpr absl::string_view kDetail =
          "must be object if x-kubernetes-embedded-resource is true";
      errors.push_back(node.type.empty() ? field::Required(type, kDetail)
                                         : field::Invalid(type, node.type, kDetail));
    } else if (node.type.empty() && !node.int_or_string && !node.preserve_unknown_fields) {
      errors.push_back(field::Required(
          type, level == Level::kRoot   ? "must not be empty at the root"
                : level == Level::kItem ? "must not be empty for specified array items"
                                        : "must not be empty for specified object fields"));
    }
    if (node.embedded_resource && node.additional != Additional::kAbsent) {
      Forbid(path.Child("additionalProperties"),
             "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (level == Level::kRoot && !node.type.empty() && node.type != "object") {
      errors.push_back(field::Invalid(type, node.type, "must be object at the root"));
    }
  }

  void CheckMeta(const Node& node, Level level, const Path& path) {
    const bool is_resource = level == Level::kRoot || node.embedded_resource;
    for (const absl::string_view name : {"kind", "apiVersion"}) {
      const Node* property = is_resource ? node.FindProperty(name) : nullptr;
      if (property == nullptr || property->type == "string") continue;
      errors.push_back(field::Invalid(path.Child("properties").Key(name).Child("type"),
                                      property->type, "must be string"));
    }
    const Node* metadata = is_resource ? node.FindProperty("metadata") : nullptr;
    if (metadata == nullptr) return;
    const Path metadata_path = path.Child("properties").Key("metadata");
    if (metadata->type != "object") {
      errors.push_back(
          field::Invalid(metadata_path.Child("type"), metadata->type, "must be object"));
    }
    if (level == Level::kRoot && !metadata->plain_metadata) {
      Forbid(metadata_path,
             "must not specify anything other than name and generateName, but metadata is "
             "implicitly specified");
    }
  }

  // In CRDs, x-kubernetes-validations are not allowed below allOf, anyOf, oneOf and not either
  // (apiextensions-apiserver: `validateValueValidation`).
  void CheckValidations(const Node& node, bool skip_any_of, bool skip_first_any_of,
                        const Path& path) {
    if (!skip_any_of) {
      for (size_t i = 0; i < node.any_of.size(); ++i) {
        CheckNested(*node.any_of[i], false, path.Child("anyOf").Index(i));
      }
    }
    for (size_t i = 0; i < node.all_of.size(); ++i) {
      CheckNested(*node.all_of[i], skip_first_any_of && i == 0, path.Child("allOf").Index(i));
    }
    for (size_t i = 0; i < node.one_of.size(); ++i) {
      CheckNested(*node.one_of[i], false, path.Child("oneOf").Index(i));
    }
    if (node.not_ != nullptr) CheckNested(*node.not_, false, path.Child("not"));
    if (node.regexp != nullptr && !node.regexp->error().empty()) {
      errors.push_back(field::Invalid(
          path.Child("pattern"), node.pattern,
          absl::StrCat("must be a valid regular expression, but isn't: ", node.regexp->error())));
    }
  }

  // apiextensions-apiserver: `validateNestedValueValidation`.
  void CheckNested(const Node& node, bool skip_any_of, const Path& path) {
    CheckValidations(node, skip_any_of, false, path);
    if (node.items != nullptr) CheckNested(*node.items, false, path.Child("items"));
    for (const auto& [name, property] : node.properties) {
      CheckNested(*property, false, path.Child("properties").Key(name));
    }
    constexpr absl::string_view kEmpty = "must be empty to be structural";
    constexpr absl::string_view kUndefined = "must be undefined to be structural";
    constexpr absl::string_view kFalse = "must be false to be structural";
    const auto forbid = [&](bool is_set, absl::string_view name, absl::string_view detail) {
      if (is_set) Forbid(path.Child(name), detail);
    };
    forbid(!node.type.empty(), "type", kEmpty);
    // Upstream ignores false.
    forbid(node.additional == Additional::kTrue || node.additional == Additional::kSchema,
           "additionalProperties", kUndefined);
    forbid(!node.default_value.is_null(), "default", kUndefined);
    forbid(!node.title.empty(), "title", kEmpty);
    forbid(!node.description.empty(), "description", kEmpty);
    forbid(node.nullable, "nullable", kFalse);
    forbid(node.preserve_unknown_fields, "x-kubernetes-preserve-unknown-fields", kFalse);
    forbid(node.embedded_resource, "x-kubernetes-embedded-resource", kFalse);
    forbid(node.int_or_string, "x-kubernetes-int-or-string", kFalse);
    forbid(!node.list_map_keys.empty(), "x-kubernetes-list-map-keys", kEmpty);
    forbid(node.list_type.has_value(), "x-kubernetes-list-type", kUndefined);
    forbid(node.map_type.has_value(), "x-kubernetes-map-type", kUndefined);
    forbid(!node.rules.empty(), "x-kubernetes-validations", kEmpty);
    if (node.FindProperty("metadata") != nullptr) {
      Forbid(path.Child("properties").Key("metadata"), "must not be specified in a nested context");
    }
  }
};

// Everything that is restricted below allOf, anyOf, oneOf and not must also be in the structure
// (apiextensions-apiserver: `complete.go`).
class Completeness {
 public:
  field::ErrorList errors;

  // `path` leads to `structure`, `nested_path` to `node`.
  void CheckJunctors(const Node& node, const Node& structure, const Path& path,
                     const Path& nested_path) {
    if (node.not_ != nullptr) Check(*node.not_, &structure, path, nested_path.Child("not"));
    CheckAll(node.all_of, structure, path, nested_path.Child("allOf"));
    CheckAll(node.any_of, structure, path, nested_path.Child("anyOf"));
    CheckAll(node.one_of, structure, path, nested_path.Child("oneOf"));
  }

 private:
  void CheckAll(const std::vector<std::unique_ptr<const Node>>& nodes, const Node& structure,
                const Path& path, const Path& nested_path) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      Check(*nodes[i], &structure, path, nested_path.Index(i));
    }
  }

  // `structure` is null if the structure has no such part.
  void Check(const Node& node, const Node* structure, const Path& path, const Path& nested_path) {
    if (structure == nullptr) {
      errors.push_back(
          field::Required(path, absl::StrCat("because it is defined in ", nested_path.ToString())));
      return;
    }
    CheckJunctors(node, *structure, path, nested_path);
    if (node.items != nullptr) {
      Check(*node.items, structure->items.get(), path.Child("items"), nested_path.Child("items"));
    }
    for (const auto& [name, property] : node.properties) {
      Check(*property, structure->FindProperty(name), path.Child("properties").Key(name),
            nested_path.Child("properties").Key(name));
    }
  }
};

}  // namespace

Structural::Structural(Key, std::unique_ptr<const Node> root)
    : root_(std::move(root)), has_rules_(crd_schema::internal::HasRules(*root_)) {}

absl::StatusOr<std::shared_ptr<const Structural>> Structural::Make(
    const api::apiextensions::v1::JSONSchemaProps& schema) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<const Node> root, crd_schema::internal::MakeNode(schema));
  return std::make_shared<const Structural>(Key(), std::move(root));
}

field::ErrorList ValidateStructural(const Structural& schema, const Path& path) {
  Invariants invariants;
  invariants.Check(schema.root(), Level::kRoot, path);
  Completeness completeness;
  completeness.CheckJunctors(schema.root(), schema.root(), path, path);
  std::vector<std::pair<std::string, field::Error>> sorted;
  for (field::ErrorList* list : {&invariants.errors, &completeness.errors}) {
    for (field::Error& error : *list) {
      std::string text = error.ToString();
      sorted.emplace_back(std::move(text), std::move(error));
    }
  }
  absl::c_stable_sort(sorted, [](const auto& a, const auto& b) { return a.first < b.first; });
  field::ErrorList errors;
  for (auto& [text, error] : sorted) errors.push_back(std::move(error));
  return errors;
}

}  // namespace kube::crd_schema
