#include "apimachinery/crd_schema/internal/schema_rules.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/rule_check.h"
#include "apimachinery/crd_schema/internal/simple_path.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema::internal {
namespace {

namespace field = validation::field;
using api::apiextensions::v1::JSONSchemaProps;
using api::apiextensions::v1::ValidationRule;
using field::Path;

constexpr absl::string_view kTypes[] = {"array",  "boolean", "integer",
                                        "number", "object",  "string"};

// The position in the schema.
struct Place {
  // Why defaults are not allowed here. Empty if they are.
  std::string no_defaults;
  // Whether it is in apiVersion, kind or metadata, of the object or of an embedded resource.
  bool inside_meta = false;
  // The outermost list around it whose elements have no old values in an update; empty if none.
  Path uncorrelatable;
  // For x-kubernetes-validations; null where these are not compiled.
  const RulePlace* rules = nullptr;
};

// Returns the place of a part of a schema, where rules are compiled if they are in the schema.
// `part` must outlive the result.
Place WithRules(Place place, const std::optional<RulePlace>& part) {
  place.rules = part.has_value() ? &*part : nullptr;
  return place;
}

const JSONSchemaProps* ItemsOf(const JSONSchemaProps& schema) {
  return schema.items ? schema.items->schema.get() : nullptr;
}

bool IsAtomicSet(const JSONSchemaProps& schema) {
  const JSONSchemaProps* items = ItemsOf(schema);
  if (schema.x_kubernetes_list_type != "set" || items == nullptr) return true;
  if (items->type == "array") return items->x_kubernetes_list_type.value_or("atomic") == "atomic";
  return items->type != "object" || items->x_kubernetes_map_type == "atomic";
}

// apiextensions-apiserver: `validateMapListKeysMapSet`.
void CheckListMapItems(const JSONSchemaProps& schema, const Path& path, field::ErrorList& errors) {
  const JSONSchemaProps* items = ItemsOf(schema);
  const absl::string_view type = schema.x_kubernetes_list_type->view();
  if (items == nullptr || (type != "set" && type != "map")) return;
  const Path items_path = path.Child("items");
  if (items->nullable) {
    errors.push_back(
        field::Forbidden(items_path.Child("nullable"),
                         absl::StrCat("cannot be nullable when x-kubernetes-list-type is ", type)));
  }
  if (type == "set") return;
  for (const String& key : schema.x_kubernetes_list_map_keys) {
    const JSONSchemaProps* property = items->properties.find(key);
    if (property == nullptr) continue;
    const Path key_path = items_path.Child("properties").Key(key.view());
    if (!absl::c_linear_search(items->required, key) && !property->default_.has_value()) {
      errors.push_back(field::Required(key_path.Child("default"),
                                       "this property is in x-kubernetes-list-map-keys, so it must "
                                       "have a default or be a required property"));
    }
    if (property->nullable) {
      errors.push_back(field::Forbidden(
          key_path.Child("nullable"),
          "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
    }
  }
}

class Checker {
 public:
  // `compiler` is null if rules are not compiled.
  Checker(const SchemaRules& rules, RuleChecker* compiler, field::ErrorList& errors)
      : rules_(rules), compiler_(compiler), errors_(errors) {}

  void Check(const JSONSchemaProps& schema, const Place& place, bool is_root, const Path& path) {
    const size_t errors_before = errors_.size();
    CheckSupported(schema, place, path);
    if (schema.unique_items) {
      Forbid(path.Child("uniqueItems"),
             "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    CheckAdditional(schema, place, path);
    CheckProperties(schema, place, is_root, path);
    CheckJunctors(schema, place, path);
    CheckItems(schema, place, path);
    CheckDependencies(schema, place, path);
    if (schema.x_kubernetes_preserve_unknown_fields == false) {
      errors_.push_back(field::Invalid(path.Child("x-kubernetes-preserve-unknown-fields"), false,
                                       "must be true or undefined"));
    }
    CheckMapType(schema, path);
    CheckListType(schema, path);
    CheckListMap(schema, path);
    if (rules_.list_map_keys && schema.x_kubernetes_list_type.has_value()) {
      CheckListMapItems(schema, path, errors_);
    }
    for (size_t i = 0; i < schema.x_kubernetes_validations.size(); ++i) {
      CheckRule(schema, schema.x_kubernetes_validations[i],
                path.Child("x-kubernetes-validations").Index(i));
    }
    if (schema.x_kubernetes_validations.empty() || place.rules == nullptr) return;
    if (errors_.size() == errors_before) {
      compiler_->Check(*place.rules, place.uncorrelatable, path);
    }
  }

 private:
  void CheckProperties(const JSONSchemaProps& schema, const Place& place, bool is_root,
                       const Path& path) {
    for (const auto& [name, property] : schema.properties) {
      std::optional<RulePlace> rules;
      if (place.rules != nullptr) rules.emplace(place.rules->Property(name.view()));
      Place inner = WithRules(place, rules);
      const bool is_meta = name == "metadata" || name == "kind" || name == "apiVersion";
      if (is_meta && (is_root || schema.x_kubernetes_embedded_resource)) inner.inside_meta = true;
      if (is_meta && is_root) inner.no_defaults = absl::StrCat("in top-level ", name.view());
      Check(property, inner, false, path.Child("properties").Key(name.view()));
    }
  }

  void CheckJunctors(const JSONSchemaProps& schema, const Place& place, const Path& path) {
    const Place inner = WithRules(place, std::nullopt);
    if (schema.not_) Check(*schema.not_, inner, false, path.Child("not"));
    CheckAll(schema.all_of, inner, path.Child("allOf"));
    CheckAll(schema.one_of, inner, path.Child("oneOf"));
    CheckAll(schema.any_of, inner, path.Child("anyOf"));
    for (const auto& [name, definition] : schema.definitions) {
      Check(definition, inner, false, path.Child("definitions").Key(name.view()));
    }
  }

  void CheckItems(const JSONSchemaProps& schema, const Place& place, const Path& path) {
    if (!schema.items) return;
    std::optional<RulePlace> rules;
    if (place.rules != nullptr && schema.items->schema) rules.emplace(place.rules->Items());
    Place inner = WithRules(place, rules);
    // Only the elements of such a list have keys by which old ones are found.
    if (schema.x_kubernetes_list_type != "map" && inner.uncorrelatable.empty()) {
      inner.uncorrelatable = path;
    }
    if (schema.items->schema) Check(*schema.items->schema, inner, false, path.Child("items"));
    CheckAll(schema.items->items, WithRules(inner, std::nullopt), path.Child("items"));
  }

  void CheckDependencies(const JSONSchemaProps& schema, const Place& place, const Path& path) {
    for (const auto& [name, dependency] : schema.dependencies) {
      if (!dependency.schema) continue;
      Check(*dependency.schema, WithRules(place, std::nullopt), false,
            path.Child("dependencies").Key(name.view()));
    }
  }

  void Forbid(const Path& path, absl::string_view detail) {
    errors_.push_back(field::Forbidden(path, detail));
  }

  void CheckAll(const List<JSONSchemaProps>& schemas, const Place& place, const Path& path) {
    for (size_t i = 0; i < schemas.size(); ++i) Check(schemas[i], place, false, path.Index(i));
  }

  // apiextensions-apiserver: `specStandardValidatorV3.validate`.
  void CheckSupported(const JSONSchemaProps& schema, const Place& place, const Path& path) {
    if (rules_.valid_types && !schema.type.empty() &&
        !absl::c_linear_search(kTypes, schema.type.view())) {
      errors_.push_back(field::NotSupported(path.Child("type"), std::string(schema.type), kTypes));
    }
    if (schema.default_.has_value() && !place.no_defaults.empty()) {
      Forbid(path.Child("default"), absl::StrCat("must not be set ", place.no_defaults));
    }
    const auto refuse = [&](bool is_set, absl::string_view name) {
      if (is_set) Forbid(path.Child(name), absl::StrCat(name, " is not supported"));
    };
    refuse(!schema.id.empty(), "id");
    refuse(schema.additional_items.has_value(), "additionalItems");
    refuse(!schema.pattern_properties.empty(), "patternProperties");
    refuse(!schema.definitions.empty(), "definitions");
    refuse(!schema.dependencies.is_null(), "dependencies");
    refuse(schema.ref.has_value(), "$ref");
    if (schema.type == "null") {
      Forbid(path.Child("type"), "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.items && !schema.items->items.empty()) {
      Forbid(path.Child("items"), "items must be a schema object and not an array");
    }
    if (place.inside_meta && schema.x_kubernetes_embedded_resource) {
      Forbid(path.Child("x-kubernetes-embedded-resource"),
             "must not be used inside of resource meta");
    }
  }

  void CheckAdditional(const JSONSchemaProps& schema, const Place& place, const Path& path) {
    if (!schema.additional_properties) return;
    const auto& additional = *schema.additional_properties;
    const Path inner_path = path.Child("additionalProperties");
    if (!schema.properties.empty() && (additional.schema || !additional.allows)) {
      Forbid(inner_path, "additionalProperties and properties are mutual exclusive");
    }
    if (!additional.schema) return;
    std::optional<RulePlace> rules;
    if (place.rules != nullptr) rules.emplace(place.rules->AdditionalProperties());
    Place inner = WithRules(place, rules);
    // Without a value, the result of pruning such a default is unknown.
    if (place.inside_meta) {
      inner.no_defaults = "inside additionalProperties applying to object metadata";
    }
    Check(*additional.schema, inner, false, inner_path);
  }

  // `want` is the type that `name` requires.
  void CheckTypeFor(const JSONSchemaProps& schema, absl::string_view want, absl::string_view name,
                    const Path& path) {
    const std::string detail = absl::StrCat("must be ", want, " if ", name, " is specified");
    errors_.push_back(schema.type.empty()
                          ? field::Required(path.Child("type"), detail)
                          : field::Invalid(path.Child("type"), std::string(schema.type), detail));
  }

  void CheckMapType(const JSONSchemaProps& schema, const Path& path) {
    if (!schema.x_kubernetes_map_type.has_value()) return;
    constexpr absl::string_view kName = "x-kubernetes-map-type";
    const absl::string_view type = schema.x_kubernetes_map_type->view();
    if (schema.type != "object") CheckTypeFor(schema, "object", kName, path);
    if (type != "atomic" && type != "granular") {
      errors_.push_back(
          field::NotSupported(path.Child(kName), std::string(type), {{"atomic", "granular"}}));
    }
  }

  void CheckListType(const JSONSchemaProps& schema, const Path& path) {
    if (!schema.x_kubernetes_list_type.has_value()) return;
    constexpr absl::string_view kName = "x-kubernetes-list-type";
    const absl::string_view type = schema.x_kubernetes_list_type->view();
    if (schema.type != "array") {
      CheckTypeFor(schema, "array", kName, path);
    } else if (rules_.atomic_sets && !IsAtomicSet(schema)) {
      // Upstream shows the list type even for objects.
      const JSONSchemaProps& items = *schema.items->schema;
      field::BadValue shown = field::JsonValue{"null"};
      if (items.x_kubernetes_list_type.has_value()) {
        shown = std::string(*items.x_kubernetes_list_type);
      }
      errors_.push_back(field::Invalid(
          path.Child("items").Child(items.type == "array" ? kName : "x-kubernetes-map-type"),
          std::move(shown), "must be atomic as item of a list with x-kubernetes-list-type=set"));
    }
    if (type != "atomic" && type != "set" && type != "map") {
      errors_.push_back(
          field::NotSupported(path.Child(kName), std::string(type), {{"atomic", "set", "map"}}));
    }
  }

  void CheckListMap(const JSONSchemaProps& schema, const Path& path) {
    const Path type_path = path.Child("x-kubernetes-list-type");
    const bool is_map = schema.x_kubernetes_list_type == "map";
    if (!schema.x_kubernetes_list_map_keys.empty() && !is_map) {
      constexpr absl::string_view kDetail =
          "must be map if x-kubernetes-list-map-keys is non-empty";
      errors_.push_back(
          schema.x_kubernetes_list_type.has_value()
              ? field::Invalid(type_path, std::string(*schema.x_kubernetes_list_type), kDetail)
              : field::Required(type_path, kDetail));
    }
    if (!is_map) return;
    if (schema.x_kubernetes_list_map_keys.empty()) {
      errors_.push_back(field::Required(path.Child("x-kubernetes-list-map-keys"),
                                        "must not be empty if x-kubernetes-list-type is map"));
    }
    const Path items_path = path.Child("items");
    if (!schema.items) {
      errors_.push_back(
          field::Required(items_path, "must have a schema if x-kubernetes-list-type is map"));
    } else if (!schema.items->schema) {
      errors_.push_back(
          field::Invalid(items_path, field::JsonOf(*schema.items),
                         "must only have a single schema if x-kubernetes-list-type is map"));
    } else if (schema.items->schema->type != "object") {
      errors_.push_back(
          field::Invalid(items_path.Child("type"), std::string(schema.items->schema->type),
                         "must be object if parent array's x-kubernetes-list-type is map"));
    } else {
      CheckKeys(schema, *schema.items->schema, path);
    }
  }

  void CheckKeys(const JSONSchemaProps& schema, const JSONSchemaProps& items, const Path& path) {
    const auto invalid = [&](absl::string_view detail) {
      errors_.push_back(field::Invalid(
          path.Child("x-kubernetes-list-map-keys"),
          field::JsonTexts(std::vector<std::string>(schema.x_kubernetes_list_map_keys)), detail));
    };
    std::set<String> seen;
    for (const String& key : schema.x_kubernetes_list_map_keys) {
      const JSONSchemaProps* property = items.properties.find(key);
      if (property == nullptr) {
        invalid("entries must all be names of item properties");
      } else if (property->type == "array" || property->type == "object") {
        errors_.push_back(field::Invalid(
            path.Child("items").Child("properties").Key(key.view()).Child("type"),
            std::string(items.type),
            "must be a scalar type if parent array's x-kubernetes-list-type is map"));
      }
      if (!seen.insert(key).second) invalid("must not contain duplicate entries");
    }
  }

  void CheckRule(const JSONSchemaProps& schema, const ValidationRule& rule, const Path& path) {
    const auto text = [](const String& value) { return absl::StripAsciiWhitespace(value.view()); };
    const auto has_lines = [](absl::string_view value) {
      return value.find_first_of("\n\r") != absl::string_view::npos;
    };
    const auto invalid = [&](absl::string_view name, const String& value,
                             absl::string_view detail) {
      errors_.push_back(field::Invalid(path.Child(name), std::string(value), detail));
    };
    if (text(rule.rule).empty()) {
      errors_.push_back(field::Required(path.Child("rule"), "rule is not specified"));
    } else if (!rule.message.empty() && text(rule.message).empty()) {
      invalid("message", rule.message, "must be non-empty if specified");
    } else if (has_lines(text(rule.message))) {
      invalid("message", rule.message, "must not contain line breaks");
    } else if (has_lines(text(rule.rule)) && text(rule.message).empty()) {
      errors_.push_back(field::Required(path.Child("message"),
                                        "message must be specified if rule contains line breaks"));
    }
    if (!rule.message_expression.empty() && text(rule.message_expression).empty()) {
      errors_.push_back(field::Required(path.Child("messageExpression"),
                                        "messageExpression must be non-empty if specified"));
    }
    constexpr absl::string_view kReasons[] = {"FieldValueDuplicate", "FieldValueForbidden",
                                              "FieldValueInvalid", "FieldValueRequired"};
    if (rule.reason.has_value() && !absl::c_linear_search(kReasons, rule.reason->view())) {
      errors_.push_back(field::NotSupported(path.Child("reason"),
                                            field::JsonText(rule.reason->view()), kReasons));
    }
    if (rule.field_path.empty()) return;
    if (text(rule.field_path).empty()) {
      invalid("fieldPath", rule.field_path, "must be non-empty if specified");
    }
    if (has_lines(rule.field_path.view())) {
      invalid("fieldPath", rule.field_path, "must not contain line breaks");
    }
    const auto node = MakeNode(schema);
    if (node.ok() && !FindPath(rule.field_path.view(), **node, /*brackets=*/true).ok()) {
      invalid("fieldPath", rule.field_path, "must be a valid path");
    }
  }

  const SchemaRules rules_;
  RuleChecker* const compiler_;
  field::ErrorList& errors_;
};

}  // namespace

field::ErrorList CheckSchema(const JSONSchemaProps& schema, const SchemaRules& rules,
                             const Path& path, const RuleCompilation* compilation) {
  field::ErrorList errors;
  Place root;
  RuleChecker* compiler = nullptr;
  if (compilation != nullptr) {
    root.rules = &compilation->root;
    compiler = &compilation->checker;
  }
  Checker(rules, compiler, errors).Check(schema, root, /*is_root=*/true, path);
  return errors;
}

bool AnySchema(const JSONSchemaProps& schema,
               absl::FunctionRef<bool(const JSONSchemaProps&)> matches) {
  const auto any = [&](const auto& list) {
    return absl::c_any_of(list, [&](const auto& s) { return AnySchema(s, matches); });
  };
  const auto any_value = [&](const auto& map) {
    return absl::c_any_of(map, [&](const auto& e) { return AnySchema(e.value, matches); });
  };
  const auto has = [&](const auto& box) {
    return box && box->schema && AnySchema(*box->schema, matches);
  };
  return matches(schema) || has(schema.items) || (schema.items && any(schema.items->items)) ||
         any(schema.all_of) || any(schema.any_of) || any(schema.one_of) ||
         (schema.not_ && AnySchema(*schema.not_, matches)) || any_value(schema.properties) ||
         has(schema.additional_properties) || any_value(schema.pattern_properties) ||
         has(schema.additional_items) || any_value(schema.definitions) ||
         absl::c_any_of(schema.dependencies, [&](const auto& e) {
           return e.value.schema && AnySchema(*e.value.schema, matches);
         });
}

SchemaRules RulesOf(const JSONSchemaProps& schema) {
  SchemaRules rules;
  rules.valid_types = !AnySchema(schema, [](const JSONSchemaProps& s) {
    return !s.type.empty() && !absl::c_linear_search(kTypes, s.type.view());
  });
  rules.atomic_sets = !AnySchema(schema, [](const JSONSchemaProps& s) { return !IsAtomicSet(s); });
  rules.list_map_keys = !AnySchema(schema, [](const JSONSchemaProps& s) {
    field::ErrorList errors;
    if (s.x_kubernetes_list_type.has_value()) CheckListMapItems(s, Path(), errors);
    return !errors.empty();
  });
  return rules;
}

}  // namespace kube::crd_schema::internal
