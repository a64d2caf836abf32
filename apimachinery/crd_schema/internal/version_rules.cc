#include "apimachinery/crd_schema/internal/version_rules.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/crd_schema/default_validation.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/rule_check.h"
#include "apimachinery/crd_schema/internal/schema_rules.h"
#include "apimachinery/crd_schema/internal/simple_path.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema::internal {
namespace {

namespace field = validation::field;
using api::apiextensions::v1::CustomResourceColumnDefinition;
using api::apiextensions::v1::CustomResourceSubresources;
using api::apiextensions::v1::JSONSchemaProps;
using api::apiextensions::v1::SelectableField;
using field::Path;

constexpr size_t kMaxSelectableFields = 8;

// With a status subresource, the schema of "status" is used alone, so the root must not contain
// parts that would then be lost.
void CheckRootWithStatus(const JSONSchemaProps& schema, const Path& path,
                         field::ErrorList& errors) {
  const bool before_type = !schema.id.empty() || !schema.schema.empty() || schema.ref.has_value();
  if (!before_type && !schema.type.empty() && schema.type != "object") {
    errors.push_back(field::Invalid(path.Child("openAPIV3Schema.type"), std::string(schema.type),
                                    "only \"object\" is allowed as the type at the root of the "
                                    "schema if the status subresource is enabled"));
    return;
  }
  const bool others =
      schema.nullable || schema.default_.has_value() || !schema.enum_.is_null() ||
      schema.max_properties.has_value() || schema.min_properties.has_value() ||
      !schema.all_of.is_null() || !schema.one_of.is_null() || !schema.any_of.is_null() ||
      schema.not_.has_value() || schema.additional_properties.has_value() ||
      !schema.pattern_properties.is_null() || !schema.dependencies.is_null() ||
      schema.additional_items.has_value() || !schema.definitions.is_null() ||
      schema.x_kubernetes_embedded_resource || schema.x_kubernetes_int_or_string ||
      !schema.x_kubernetes_list_map_keys.is_null() || schema.x_kubernetes_list_type.has_value() ||
      schema.x_kubernetes_map_type.has_value();
  if (!before_type && !others) return;
  errors.push_back(field::Invalid(
      path.Child("openAPIV3Schema"), field::JsonOf(schema),
      "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum "
      "MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items "
      "Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at "
      "the root of the schema if the status subresource is enabled"));
}

// Checks that the path starts with a dot. Other mistakes, such as brackets, are not reported here.
field::ErrorList CheckSimplePath(absl::string_view text, const Path& path) {
  if (text[0] == '.') return {};
  return {field::Invalid(path, std::string(text), "must be a simple json path starting with .")};
}

void CheckReplicasPath(absl::string_view text, absl::string_view want, const Path& path,
                       field::ErrorList& errors) {
  if (text.empty()) {
    errors.push_back(field::Required(path, ""));
  } else if (field::ErrorList found = CheckSimplePath(text, path); !found.empty()) {
    field::Append(errors, std::move(found));
  } else if (!absl::StartsWith(text, absl::StrCat(want, "."))) {
    errors.push_back(field::Invalid(path, std::string(text),
                                    absl::StrCat("should be a json path under ", want)));
  }
}

}  // namespace

field::ErrorList CheckValidation(const JSONSchemaProps& schema, bool has_status,
                                 const VersionRules& rules, const Path& path) {
  field::ErrorList errors;
  if (has_status) CheckRootWithStatus(schema, path, errors);
  if (schema.nullable) {
    errors.push_back(field::Forbidden(path.Child("openAPIV3Schema.nullable"),
                                      "nullable cannot be true at the root"));
  }
  const Path schema_path = path.Child("openAPIV3Schema");
  const absl::StatusOr<std::shared_ptr<const Structural>> structural = Structural::Make(schema);
  bool compiles_rules = false;
  if (rules.structural && structural.ok()) {
    field::ErrorList found = ValidateStructural(**structural, schema_path);
    if (found.empty()) found = ValidateDefaults(**structural, rules.pruned_defaults, schema_path);
    compiles_rules = found.empty();
    field::Append(errors, std::move(found));
  }
  RuleChecker checker(rules.cheap_rules);
  if (compiles_rules) {
    const RulePlace root((*structural)->root());
    const RuleCompilation compilation = {.root = root, .checker = checker};
    field::Append(errors, CheckSchema(schema, rules.schema, schema_path, &compilation));
    field::Append(errors, checker.TakeErrors());
  } else {
    field::Append(errors, CheckSchema(schema, rules.schema, schema_path));
  }
  // Most reasons why a schema cannot be structural are already reported by other rules. This
  // rejects schemas that are nested too deeply for this library, even where upstream does not
  // require a structural schema.
  if (errors.empty() && !structural.ok()) {
    errors.push_back(field::Invalid(schema_path, std::string(), structural.status().message()));
  }
  field::Append(errors, checker.CheckTotal(schema_path));
  return errors;
}

field::ErrorList CheckSubresources(const CustomResourceSubresources& subresources,
                                   const Path& path) {
  field::ErrorList errors;
  if (!subresources.scale) return errors;
  const auto& scale = *subresources.scale;
  CheckReplicasPath(scale.spec_replicas_path.view(), ".spec", path.Child("scale.specReplicasPath"),
                    errors);
  CheckReplicasPath(scale.status_replicas_path.view(), ".status",
                    path.Child("scale.statusReplicasPath"), errors);
  const String& selector = *scale.label_selector_path;
  if (selector.empty()) return errors;
  const Path selector_path = path.Child("scale.labelSelectorPath");
  if (field::ErrorList found = CheckSimplePath(selector.view(), selector_path); !found.empty()) {
    field::Append(errors, std::move(found));
  } else if (!absl::StartsWith(selector.view(), ".spec.") &&
             !absl::StartsWith(selector.view(), ".status.")) {
    errors.push_back(field::Invalid(selector_path, std::string(selector),
                                    "should be a json path under either .spec or .status"));
  }
  return errors;
}

field::ErrorList CheckColumns(const List<CustomResourceColumnDefinition>& columns,
                              const Path& path) {
  constexpr absl::string_view kTypes[] = {"boolean", "date", "integer", "number", "string"};
  constexpr absl::string_view kOneType = "must be one of boolean,date,integer,number,string";
  constexpr absl::string_view kFormats[] = {"byte",  "date",  "date-time", "double",
                                            "float", "int32", "int64",     "password"};
  field::ErrorList errors;
  for (size_t i = 0; i < columns.size(); ++i) {
    const CustomResourceColumnDefinition& column = columns[i];
    const Path place = path.Index(i);
    if (column.name.empty()) errors.push_back(field::Required(place.Child("name"), ""));
    if (column.type.empty()) {
      errors.push_back(field::Required(place.Child("type"), kOneType));
    } else if (!absl::c_linear_search(kTypes, column.type.view())) {
      errors.push_back(field::Invalid(place.Child("type"), std::string(column.type), kOneType));
    }
    if (!column.format.empty() && !absl::c_linear_search(kFormats, column.format.view())) {
      errors.push_back(
          field::Invalid(place.Child("format"), std::string(column.format),
                         "must be one of byte,date,date-time,double,float,int32,int64,password"));
    }
    if (column.json_path.empty()) {
      errors.push_back(field::Required(place.Child("JSONPath"), ""));
    } else {
      field::Append(errors, CheckSimplePath(column.json_path.view(), place.Child("JSONPath")));
    }
  }
  return errors;
}

field::ErrorList CheckSelectableFields(const List<SelectableField>& fields,
                                       const JSONSchemaProps& schema, bool any_number,
                                       const Path& path, const Path& schema_path) {
  field::ErrorList errors;
  const auto node = MakeNode(schema);
  if (!node.ok()) {
    // Upstream continues, and panics if a field has a path.
    errors.push_back(field::Invalid(schema_path, std::string(), node.status().message()));
    return errors;
  }
  std::set<std::string> seen;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Path place = path.Index(i).Child("jsonPath");
    const std::string text(fields[i].json_path);
    if (text.empty()) {
      errors.push_back(field::Required(place, ""));
      continue;
    }
    const absl::StatusOr<FoundPath> found = FindPath(text, **node, /*brackets=*/false);
    if (!found.ok()) {
      errors.push_back(field::Invalid(
          place, text, absl::StrCat("is an invalid path: ", found.status().message())));
      continue;
    }
    if (found->first == "metadata") {
      errors.push_back(field::Invalid(place, text, "must not point to fields in metadata"));
    }
    const absl::string_view type =
        found->node == nullptr ? absl::string_view() : absl::string_view(found->node->type);
    if (type != "string" && type != "boolean" && type != "integer") {
      errors.push_back(field::Invalid(place, text,
                                      "must point to a field of type string, boolean or integer. "
                                      "Enum string fields and strings with formats are allowed."));
    }
    if (!seen.insert(found->text).second) errors.push_back(field::Duplicate(place, text));
  }
  if (seen.size() > kMaxSelectableFields && !any_number) {
    errors.push_back(
        field::TooMany(path, static_cast<int>(seen.size()), int{kMaxSelectableFields}));
  }
  return errors;
}

field::ErrorList CheckDeprecation(bool deprecated, const Opt<String>& warning, const Path& path) {
  field::ErrorList errors;
  if (!warning.has_value()) return errors;
  const std::string text(*warning);
  const auto invalid = [&](absl::string_view detail) {
    errors.push_back(field::Invalid(path, text, detail));
  };
  if (!deprecated) {
    invalid("can only be set for deprecated versions");
    return errors;
  }
  if (text.size() > 256) invalid("must be <= 256 characters long");
  if (text.empty()) invalid("must not be an empty string");
  for (size_t i = 0; i < text.size();) {
    const text::Rune rune = text::DecodeRune(absl::string_view(text).substr(i));
    if (!text::IsPrint(rune.value)) {
      invalid(
          absl::StrCat("must only contain printable UTF-8 characters; non-printable character "
                       "found at index ",
                       i));
      break;
    }
    i += rune.size;
  }
  return errors;
}

}  // namespace kube::crd_schema::internal
