#include "apimachinery/crd_schema/crd_validation.h"

#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/crd_schema/default_validation.h"
#include "apimachinery/crd_schema/internal/schema_rules.h"
#include "apimachinery/crd_schema/internal/version_rules.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/object_meta.h"
#include "apimachinery/validation/webhook_client.h"
#include "net/url/url.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
namespace crd = api::apiextensions::v1;
using crd::CustomResourceDefinition;
using crd::CustomResourceDefinitionNames;
using crd::CustomResourceDefinitionSpec;
using crd::CustomResourceDefinitionVersion;
using crd::JSONSchemaProps;
using field::Path;

// ---- the internal version

// The parts that all versions agree on, which upstream's internal version has at the top level. The
// other parts are in each version.
struct Common {
  bool schema = true;
  bool subresources = true;
  bool columns = true;
  bool fields = true;
};

Common CommonOf(const CustomResourceDefinitionSpec& spec) {
  Common common;
  for (const CustomResourceDefinitionVersion& version : spec.versions) {
    const CustomResourceDefinitionVersion& first = spec.versions[0];
    common.schema &= version.schema == first.schema;
    common.subresources &= version.subresources == first.subresources;
    common.columns &= version.additional_printer_columns == first.additional_printer_columns;
    common.fields &= version.selectable_fields == first.selectable_fields;
  }
  return common;
}

const JSONSchemaProps* SchemaOf(const CustomResourceDefinitionVersion& version) {
  return version.schema ? version.schema->open_api_v3_schema.get() : nullptr;
}

template <typename Predicate>
bool AnyVersionSchema(const CustomResourceDefinitionSpec& spec, Predicate matches) {
  return absl::c_any_of(spec.versions, [&](const CustomResourceDefinitionVersion& version) {
    return SchemaOf(version) != nullptr && matches(*SchemaOf(version));
  });
}

field::JsonValue JsonOf(const List<CustomResourceDefinitionVersion>& versions) {
  std::vector<std::string> parts;
  for (const CustomResourceDefinitionVersion& version : versions) {
    parts.push_back(field::JsonOf(version).json);
  }
  return {.json = versions.is_null() ? "null" : absl::StrCat("[", absl::StrJoin(parts, ","), "]")};
}

bool HasStatus(const CustomResourceDefinitionVersion& version) {
  return version.subresources && version.subresources->status;
}

// ---- the errors that an old definition may have

struct Rules {
  crd_schema::internal::VersionRules version;
  bool schemas = true;
  bool known_review_version = true;
  bool same_names = false;
  // The versions that may have too many selectable fields; "" stands for all.
  std::set<std::string> many_fields;
  // The versions whose schema an update leaves as it is.
  std::set<std::string> same_schemas;

  // Returns what counts for the schema of a version.
  crd_schema::internal::VersionRules Of(absl::string_view version_name) const {
    crd_schema::internal::VersionRules of = version;
    of.cheap_rules = !same_schemas.contains(std::string(version_name));
    return of;
  }
};

bool IsStructural(const JSONSchemaProps& schema) {
  const auto structural = Structural::Make(schema);
  return structural.ok() && ValidateStructural(**structural, Path()).empty();
}

bool HasUnprunedDefaults(const JSONSchemaProps& schema) {
  const auto structural = Structural::Make(schema);
  if (!structural.ok() || !ValidateStructural(**structural, Path()).empty()) return false;
  return ValidateDefaults(**structural, true, Path()) !=
         ValidateDefaults(**structural, false, Path());
}

bool HasReviewVersion(const List<String>& versions) {
  return absl::c_any_of(versions, [](const String& v) { return v == "v1" || v == "v1beta1"; });
}

Rules RulesFor(const CustomResourceDefinition& definition, const CustomResourceDefinition& old) {
  Rules rules;
  const CustomResourceDefinitionSpec& spec = old.spec;
  rules.schemas = absl::c_all_of(spec.versions,
                                 [](const auto& version) { return SchemaOf(version) != nullptr; });
  rules.version.structural =
      !AnyVersionSchema(spec, [](const auto& schema) { return !IsStructural(schema); });
  rules.version.pruned_defaults = !AnyVersionSchema(spec, HasUnprunedDefaults);
  for (const CustomResourceDefinitionVersion& version : spec.versions) {
    if (SchemaOf(version) == nullptr) continue;
    const crd_schema::internal::SchemaRules kept =
        crd_schema::internal::RulesOf(*SchemaOf(version));
    rules.version.schema.valid_types &= kept.valid_types;
    rules.version.schema.atomic_sets &= kept.atomic_sets;
    rules.version.schema.list_map_keys &= kept.list_map_keys;
  }
  if (spec.conversion && spec.conversion->webhook) {
    const List<String>& versions = spec.conversion->webhook->conversion_review_versions;
    rules.known_review_version = versions.empty() || HasReviewVersion(versions);
  }
  rules.same_names = absl::c_any_of(old.status.conditions, [](const auto& condition) {
    return condition.type == "Established" && condition.status == "True";
  });
  for (const CustomResourceDefinitionVersion& version : definition.spec.versions) {
    for (const CustomResourceDefinitionVersion& before : spec.versions) {
      if (before.name == version.name && before.selectable_fields.size() > 8 &&
          before.selectable_fields == version.selectable_fields) {
        rules.many_fields.emplace(version.name);
      }
      if (before.name == version.name && before.schema == version.schema) {
        rules.same_schemas.emplace(version.name);
      }
    }
  }
  return rules;
}

// ---- parts of the definition

void CheckName(absl::string_view name, const Path& path, absl::string_view prefix,
               field::ErrorList& errors) {
  if (name.empty()) return;
  const validation::Messages wrong =
      validation::IsDns1035Label(prefix.empty() ? std::string(name) : absl::AsciiStrToLower(name));
  if (wrong.empty()) return;
  errors.push_back(
      field::Invalid(path, std::string(name), absl::StrCat(prefix, absl::StrJoin(wrong, ","))));
}

// apiextensions-apiserver: `ValidateCustomResourceDefinitionNames`.
void CheckNames(const CustomResourceDefinitionNames& names, const Path& path,
                field::ErrorList& errors) {
  constexpr absl::string_view kMixed = "may have mixed case, but should otherwise match: ";
  CheckName(names.plural.view(), path.Child("plural"), "", errors);
  CheckName(names.singular.view(), path.Child("singular"), "", errors);
  CheckName(names.kind.view(), path.Child("kind"), kMixed, errors);
  CheckName(names.list_kind.view(), path.Child("listKind"), kMixed, errors);
  const auto check_list = [&](const List<String>& list, const Path& list_path) {
    for (size_t i = 0; i < list.size(); ++i) {
      const validation::Messages wrong = validation::IsDns1035Label(list[i].view());
      if (wrong.empty()) continue;
      errors.push_back(
          field::Invalid(list_path.Index(i), std::string(list[i]), absl::StrJoin(wrong, ",")));
    }
  };
  check_list(names.short_names, path.Child("shortNames"));
  if (!names.kind.empty() && names.kind == names.list_kind) {
    errors.push_back(field::Invalid(path.Child("listKind"), std::string(names.list_kind),
                                    "kind and listKind may not be the same"));
  }
  check_list(names.categories, path.Child("categories"));
}

void CheckEnum(absl::string_view value, std::initializer_list<absl::string_view> accepted,
               const Path& path, field::ErrorList& errors) {
  if (value.empty()) {
    errors.push_back(field::Required(path, ""));
  } else if (!absl::c_linear_search(accepted, value)) {
    errors.push_back(field::NotSupported(path, std::string(value), accepted));
  }
}

// apiextensions-apiserver: `validateConversionReviewVersions`.
void CheckReviewVersions(const List<String>& versions, bool want_known, const Path& path,
                         field::ErrorList& errors) {
  if (versions.empty()) {
    errors.push_back(field::Required(path, ""));
    return;
  }
  std::set<String> seen;
  for (size_t i = 0; i < versions.size(); ++i) {
    const std::string version(versions[i]);
    if (!seen.insert(versions[i]).second) {
      errors.push_back(field::Invalid(path.Index(i), version, "duplicate version"));
      continue;
    }
    for (const std::string& wrong : validation::IsDns1035Label(version)) {
      errors.push_back(field::Invalid(path.Index(i), version, wrong));
    }
  }
  if (want_known && !HasReviewVersion(versions)) {
    errors.push_back(field::Invalid(path, field::JsonTexts(std::vector<std::string>(versions)),
                                    "must include at least one of v1, v1beta1"));
  }
}

// apiextensions-apiserver: `validateCustomResourceConversion`.
void CheckConversion(const crd::CustomResourceConversion& conversion, const Rules& rules,
                     const Path& path, field::ErrorList& errors) {
  CheckEnum(conversion.strategy.view(), {"None", "Webhook"}, path.Child("strategy"), errors);
  const crd::WebhookConversion* webhook = conversion.webhook.get();
  const crd::WebhookClientConfig* config =
      webhook == nullptr ? nullptr : webhook->client_config.get();
  const List<String> versions =
      webhook == nullptr ? List<String>() : webhook->conversion_review_versions;
  const Path config_path = path.Child("webhookClientConfig");
  const Path versions_path = path.Child("conversionReviewVersions");
  if (conversion.strategy == "Webhook") {
    if (config == nullptr) {
      errors.push_back(field::Required(config_path, "required when strategy is set to Webhook"));
    } else if (config->url.has_value() == config->service.has_value()) {
      errors.push_back(field::Required(config_path, "exactly one of url or service is required"));
    } else if (config->service.has_value()) {
      const crd::ServiceReference& service = *config->service;
      validation::WebhookService checked = {.name = service.name.view(),
                                            .namespace_name = service.namespace_.view(),
                                            .port = service.port.value_or(443)};
      if (service.path.has_value()) checked.path = std::string(*service.path);
      field::Append(errors,
                    validation::ValidateWebhookService(checked, config_path.Child("service")));
    }
    CheckReviewVersions(versions, rules.known_review_version, versions_path, errors);
    return;
  }
  constexpr absl::string_view kDetail = "should not be set when strategy is not set to Webhook";
  if (config != nullptr) errors.push_back(field::Forbidden(config_path, kDetail));
  if (!versions.empty()) errors.push_back(field::Forbidden(versions_path, kDetail));
}

// apiextensions-apiserver: `validateAPIApproval`.
void CheckApproval(const CustomResourceDefinition& definition, const CustomResourceDefinition* old,
                   field::ErrorList& errors) {
  const auto is_in = [&](absl::string_view domain) {
    return definition.spec.group == domain ||
           absl::EndsWith(definition.spec.group.view(), absl::StrCat(".", domain));
  };
  if (!is_in("k8s.io") && !is_in("kubernetes.io")) return;
  enum class State { kInvalid, kApproved, kBypassed, kMissing };
  constexpr absl::string_view kName = crd::kKubeAPIApprovedAnnotation;
  const auto annotation_of = [&](const CustomResourceDefinition& d) {
    return std::string(d.metadata.annotations.value_or(kName, ""));
  };
  const auto state_of = [&](absl::string_view annotation) {
    if (annotation.empty()) return State::kMissing;
    if (absl::StartsWith(annotation, "unapproved")) return State::kBypassed;
    const absl::StatusOr<url::Url> uri = url::ParseRequestUri(annotation);
    return uri.ok() && !uri->host.empty() && !uri->scheme.empty() ? State::kApproved
                                                                  : State::kInvalid;
  };
  const std::string annotation = annotation_of(definition);
  const State state = state_of(annotation);
  if (old != nullptr && state_of(annotation_of(*old)) == state) return;
  const Path path = Path("metadata").Child("annotations").Key(kName);
  constexpr absl::string_view kSee = ", see https://github.com/kubernetes/enhancements/pull/1111";
  const std::string must =
      absl::StrCat("protected groups must have approval annotation \"", kName, "\"");
  if (state == State::kMissing) {
    errors.push_back(field::Required(path, absl::StrCat(must, kSee)));
  } else if (state == State::kInvalid) {
    errors.push_back(field::Invalid(
        path, annotation,
        absl::StrCat(must, " with either a URL or a reason starting with \"unapproved\"", kSee)));
  }
}

// apiextensions-apiserver: `ValidateCustomResourceDefinitionStoredVersions`.
void CheckStoredVersions(const CustomResourceDefinition& definition, field::ErrorList& errors) {
  const Path path = Path("status").Child("storedVersions");
  const List<String>& stored = definition.status.stored_versions;
  if (stored.empty()) {
    errors.push_back(field::Invalid(path, field::JsonTexts(std::vector<std::string>(stored)),
                                    "must have at least one stored version"));
    return;
  }
  std::map<String, size_t> left;
  for (size_t i = 0; i < stored.size(); ++i) left[stored[i]] = i;
  for (const CustomResourceDefinitionVersion& version : definition.spec.versions) {
    if (left.erase(version.name) == 0 && version.storage) {
      errors.push_back(
          field::Invalid(path, field::JsonTexts(std::vector<std::string>(stored)),
                         absl::StrCat("must have the storage version ", version.name.view())));
    }
  }
  for (const auto& [name, index] : left) {
    errors.push_back(field::Invalid(
        path.Index(index), std::string(name),
        absl::StrCat("missing from spec.versions; ", name.view(),
                     " was previously a storage version, and must remain in spec.versions until a "
                     "storage migration ensures no data remains persisted in ",
                     name.view(), " and removes ", name.view(), " from status.storedVersions")));
  }
}

// ---- the spec

class SpecChecker {
 public:
  SpecChecker(const CustomResourceDefinitionSpec& spec, Rules rules, field::ErrorList& errors)
      : spec_(spec), common_(CommonOf(spec)), rules_(std::move(rules)), errors_(errors) {}

  // apiextensions-apiserver: `validateCustomResourceDefinitionSpec`.
  void Check() {
    CheckGroup();
    CheckEnum(spec_.scope.view(), {"Cluster", "Namespaced"}, path_.Child("scope"), errors_);
    CheckSchemasAreThere();
    CheckVersions();
    const auto require = [&](const String& name, absl::string_view member) {
      if (name.empty()) errors_.push_back(field::Required(path_.Child("names").Child(member), ""));
    };
    require(spec_.names.plural, "plural");
    require(spec_.names.singular, "singular");
    require(spec_.names.kind, "kind");
    require(spec_.names.list_kind, "listKind");
    CheckNames(spec_.names, path_.Child("names"), errors_);
    CheckCommon();
    if (!spec_.conversion) return;
    const Path conversion = path_.Child("conversion");
    if (spec_.conversion->strategy != "None" && spec_.preserve_unknown_fields) {
      errors_.push_back(field::Invalid(conversion.Child("strategy"),
                                       std::string(spec_.conversion->strategy),
                                       "must be None if spec.preserveUnknownFields is true"));
    }
    CheckConversion(*spec_.conversion, rules_, conversion, errors_);
  }

 private:
  void CheckGroup() {
    const std::string group(spec_.group);
    const Path path = path_.Child("group");
    if (group.empty()) {
      errors_.push_back(field::Required(path, ""));
    } else if (const auto wrong = validation::IsDns1123Subdomain(group); !wrong.empty()) {
      errors_.push_back(field::Invalid(path, group, absl::StrJoin(wrong, ",")));
    } else if (!absl::StrContains(group, '.')) {
      errors_.push_back(field::Invalid(path, group, "should be a domain with at least one dot"));
    }
  }

  void CheckSchemasAreThere() {
    const bool preserve = spec_.preserve_unknown_fields;
    for (size_t i = 0; i < spec_.versions.size(); ++i) {
      const CustomResourceDefinitionVersion& version = spec_.versions[i];
      if (SchemaOf(version) != nullptr) continue;
      const Path path = path_.Child("versions").Index(i).Child("schema").Child("openAPIV3Schema");
      if (rules_.schemas) {
        errors_.push_back(field::Required(path, ""));
      } else if (!preserve && version.served) {
        errors_.push_back(field::Required(path, "because otherwise all fields are pruned"));
      }
    }
    const bool defaults = AnyVersionSchema(spec_, [](const JSONSchemaProps& schema) {
      return crd_schema::internal::AnySchema(schema,
                                             [](const auto& s) { return s.default_.has_value(); });
    });
    const bool extensions = AnyVersionSchema(spec_, [](const JSONSchemaProps& schema) {
      return crd_schema::internal::AnySchema(schema, [](const JSONSchemaProps& s) {
        return s.x_kubernetes_embedded_resource ||
               s.x_kubernetes_preserve_unknown_fields.has_value() || s.x_kubernetes_int_or_string ||
               !s.x_kubernetes_list_map_keys.empty() || s.x_kubernetes_list_type.has_value() ||
               !s.x_kubernetes_validations.empty();
      });
    });
    if (defaults && preserve) {
      errors_.push_back(field::Invalid(path_.Child("preserveUnknownFields"), true,
                                       "must be false in order to use defaults in the schema"));
    }
    if (!preserve || defaults || extensions) rules_.version.structural = true;
  }

  void CheckVersions() {
    const Path path = path_.Child("versions");
    std::set<String> names;
    size_t storage = 0;
    for (size_t i = 0; i < spec_.versions.size(); ++i) {
      const CustomResourceDefinitionVersion& version = spec_.versions[i];
      storage += version.storage ? 1 : 0;
      names.insert(version.name);
      const validation::Messages wrong = validation::IsDns1035Label(version.name.view());
      if (!wrong.empty()) {
        errors_.push_back(field::Invalid(path.Index(i).Child("name"), std::string(version.name),
                                         absl::StrJoin(wrong, ",")));
      }
      CheckVersion(version, path.Index(i));
    }
    const auto invalid = [&](absl::string_view detail) {
      errors_.push_back(field::Invalid(path, JsonOf(spec_.versions), detail));
    };
    if (names.size() != spec_.versions.size()) invalid("must contain unique version names");
    if (storage != 1) invalid("must have exactly one version marked as storage version");
    if (spec_.versions.empty()) return;
    // The internal version contains the first version's name again.
    CheckName(spec_.versions[0].name.view(), path_.Child("version"), "", errors_);
  }

  void CheckVersion(const CustomResourceDefinitionVersion& version, const Path& path) {
    field::Append(errors_, crd_schema::internal::CheckDeprecation(
                               version.deprecated, version.deprecation_warning,
                               path.Child("deprecationWarning")));
    const JSONSchemaProps* schema = SchemaOf(version);
    if (!common_.schema && schema != nullptr) {
      // If several versions have the same name, the subresources of the first count.
      const auto* named = absl::c_find_if(
          spec_.versions, [&](const auto& other) { return other.name == version.name; });
      field::Append(errors_, crd_schema::internal::CheckValidation(*schema, HasStatus(*named),
                                                                   rules_.Of(version.name.view()),
                                                                   path.Child("schema")));
    }
    if (!common_.subresources && version.subresources) {
      field::Append(errors_, crd_schema::internal::CheckSubresources(*version.subresources,
                                                                     path.Child("subresources")));
    }
    if (!common_.columns) {
      field::Append(errors_,
                    crd_schema::internal::CheckColumns(version.additional_printer_columns,
                                                       path.Child("additionalPrinterColumns")));
    }
    if (common_.fields || version.selectable_fields.empty()) return;
    // Upstream looks for the schema only in the version, even if all versions have the same.
    if (common_.schema || schema == nullptr) {
      errors_.push_back(
          field::Invalid(path.Child("selectableFields"), std::string(),
                         "may only be set when `version.schema.openAPIV3Schema` is not included"));
      return;
    }
    field::Append(errors_,
                  crd_schema::internal::CheckSelectableFields(
                      version.selectable_fields, *schema,
                      rules_.many_fields.contains(std::string(version.name)),
                      path.Child("selectableFields"), path.Child("schema.openAPIV3Schema")));
  }

  void CheckCommon() {
    if (spec_.versions.empty()) return;
    const CustomResourceDefinitionVersion& first = spec_.versions[0];
    const JSONSchemaProps* schema = SchemaOf(first);
    if (common_.schema && schema != nullptr) {
      field::Append(errors_, crd_schema::internal::CheckValidation(
                                 *schema, absl::c_any_of(spec_.versions, HasStatus),
                                 rules_.Of(first.name.view()), path_.Child("validation")));
    }
    if (common_.subresources && first.subresources) {
      field::Append(errors_, crd_schema::internal::CheckSubresources(*first.subresources,
                                                                     path_.Child("subresources")));
    }
    if (common_.columns) {
      field::Append(errors_,
                    crd_schema::internal::CheckColumns(first.additional_printer_columns,
                                                       path_.Child("additionalPrinterColumns")));
    }
    if (!common_.fields || first.selectable_fields.empty()) return;
    if (!common_.schema || schema == nullptr) {
      errors_.push_back(field::Invalid(path_.Child("selectableFields"), std::string(),
                                       "may only be set when validations.schema is included"));
      return;
    }
    field::Append(errors_,
                  crd_schema::internal::CheckSelectableFields(
                      first.selectable_fields, *schema, !rules_.many_fields.empty(),
                      path_.Child("selectableFields"), path_.Child("schema.openAPIV3Schema")));
  }

  const Path path_{"spec"};
  const CustomResourceDefinitionSpec& spec_;
  const Common common_;
  Rules rules_;
  field::ErrorList& errors_;
};

// Validates everything except metadata and spec.
void CheckStatus(const CustomResourceDefinition& definition, const CustomResourceDefinition* old,
                 field::ErrorList& errors) {
  CheckNames(definition.status.accepted_names, Path("status").Child("acceptedNames"), errors);
  CheckStoredVersions(definition, errors);
  CheckApproval(definition, old, errors);
  const bool was = old != nullptr && old->spec.preserve_unknown_fields;
  if (definition.spec.preserve_unknown_fields && !was) {
    errors.push_back(
        field::Invalid(Path("spec").Child("preserveUnknownFields"), true,
                       "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                       "spec.versions[*].schema instead"));
  }
}

void CheckSame(const String& value, const String& old, const Path& path, field::ErrorList& errors) {
  if (value == old) return;
  errors.push_back(field::Invalid(path, std::string(value), "field is immutable"));
}

}  // namespace

void SetDefaults(CustomResourceDefinition& definition) {
  CustomResourceDefinitionNames& names = definition.spec.names;
  if (names.singular.empty()) names.singular = absl::AsciiStrToLower(names.kind.view());
  if (names.list_kind.empty() && !names.kind.empty()) names.list_kind = names.kind + "List";
  if (!definition.spec.conversion) {
    definition.spec.conversion.emplace().strategy = crd::kNoneConverter;
  }
  if (definition.spec.conversion->webhook && definition.spec.conversion->webhook->client_config) {
    auto& service = definition.spec.conversion->webhook->client_config->service;
    if (service && !service->port.has_value()) service->port = 443;
  }
  if (!definition.status.stored_versions.empty()) return;
  for (const CustomResourceDefinitionVersion& version : definition.spec.versions) {
    if (!version.storage) continue;
    definition.status.stored_versions.push_back(version.name);
    return;
  }
}

field::ErrorList ValidateDefinition(const CustomResourceDefinition& definition) {
  const CustomResourceDefinitionSpec& spec = definition.spec;
  const std::string want = spec.names.plural + "." + spec.group;
  field::ErrorList errors = validation::ValidateObjectMeta(
      definition.metadata, /*requires_namespace=*/false,
      [&](absl::string_view name, bool prefix) {
        validation::Messages wrong = validation::NameIsDnsSubdomain(name, prefix);
        if (name != want) wrong.emplace_back("must be spec.names.plural+\".\"+spec.group");
        return wrong;
      },
      Path("metadata"));
  SpecChecker(spec, {}, errors).Check();
  CheckStatus(definition, nullptr, errors);
  return errors;
}

field::ErrorList ValidateDefinitionUpdate(const CustomResourceDefinition& definition,
                                          const CustomResourceDefinition& old_definition) {
  field::ErrorList errors = validation::ValidateObjectMetaUpdate(
      definition.metadata, old_definition.metadata, Path("metadata"));
  const CustomResourceDefinitionSpec& spec = definition.spec;
  const CustomResourceDefinitionSpec& old = old_definition.spec;
  const Rules rules = RulesFor(definition, old_definition);
  SpecChecker(spec, rules, errors).Check();
  const Path path("spec");
  const Path names = path.Child("names");
  if (rules.same_names) {
    CheckSame(spec.scope, old.scope, path.Child("scope"), errors);
    CheckSame(spec.names.kind, old.names.kind, names.Child("kind"), errors);
  }
  CheckSame(spec.group, old.group, path.Child("group"), errors);
  CheckSame(spec.names.plural, old.names.plural, names.Child("plural"), errors);
  CheckStatus(definition, &old_definition, errors);
  return errors;
}

}  // namespace kube::crd_schema
