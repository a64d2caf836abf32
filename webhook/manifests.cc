#include "webhook/manifests.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "webhook/admission_options.h"
#include "webhook/admission_types.h"
#include "webhook/registration.h"

namespace kube::webhook {
namespace {

using unstructured::Value;

using Array = List<Value>;
using Object = Map<Value>;

absl::Status Invalid(const Registration& registration, absl::string_view cause) {
  return absl::InvalidArgumentError(
      absl::StrCat("configure webhook \"", registration.options.name, "\": ", cause));
}

absl::Status Check(const Registration& registration) {
  const AdmissionOptions& options = registration.options;
  const int64_t seconds = absl::ToInt64Seconds(options.timeout);
  if (seconds < 1 || seconds > 30 || absl::Seconds(seconds) != options.timeout) {
    return Invalid(registration, absl::StrCat("the timeout must be 1 to 30 whole seconds, and is ",
                                              absl::FormatDuration(options.timeout)));
  }
  if (options.operations.empty()) return Invalid(registration, "it has no operations");
  if (options.subresources.empty()) return Invalid(registration, "it has no subresources");
  return absl::OkStatus();
}

Value ClientConfig(const ManifestOptions& options, const std::string& service_name,
                   absl::string_view path) {
  Object service = {
      {"name", service_name}, {"namespace", options.service_namespace}, {"path", path}};
  // The API server's default.
  if (options.service_port != 443) service["port"] = options.service_port;
  return Object{{"service", std::move(service)}};
}

Value Rule(const Registration& registration) {
  Array operations;
  for (const Operation operation : registration.options.operations) {
    operations.push_back(Value(ToString(operation)));
  }
  Array resources;
  for (const std::string& subresource : registration.options.subresources) {
    const absl::string_view slash = subresource.empty() ? "" : "/";
    resources.push_back(Value(absl::StrCat(registration.gvr.resource, slash, subresource)));
  }
  return Object{{"apiGroups", Array{registration.gvr.group}},
                {"apiVersions", Array{registration.gvr.version}},
                {"operations", std::move(operations)},
                {"resources", std::move(resources)}};
}

// Adds what only some webhooks have.
absl::Status AddConditions(const AdmissionOptions& options, Object& webhook) {
  const std::pair<const char*, const api::meta::v1::LabelSelector*> selectors[] = {
      {"namespaceSelector", &options.namespace_selector},
      {"objectSelector", &options.object_selector},
  };
  for (const auto& [member, selector] : selectors) {
    if (*selector == api::meta::v1::LabelSelector()) continue;
    KUBE_ASSIGN_OR_RETURN(webhook[member], unstructured::ToValue(*selector), member);
  }
  Array conditions;
  for (const api::admissionregistration::v1::MatchCondition& condition : options.match_conditions) {
    KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(condition), "match condition");
    conditions.push_back(std::move(value));
  }
  if (!conditions.empty()) webhook["matchConditions"] = std::move(conditions);
  return absl::OkStatus();
}

absl::StatusOr<Value> Webhook(const Registration& registration, const ManifestOptions& options) {
  KUBE_RETURN_IF_ERROR(Check(registration));
  const AdmissionOptions& admission = registration.options;
  Object webhook = {
      {"admissionReviewVersions", Array{"v1"}},
      {"clientConfig", ClientConfig(options, options.service_name, registration.path)},
      {"failurePolicy", ToString(admission.failure_policy)},
      {"name", admission.name},
      {"rules", Array{Rule(registration)}},
      {"sideEffects", ToString(admission.side_effects)},
      {"timeoutSeconds", absl::ToInt64Seconds(admission.timeout)},
  };
  if (registration.kind == WebhookKind::kMutating && admission.reinvoke) {
    webhook["reinvocationPolicy"] = "IfNeeded";
  }
  KUBE_RETURN_IF_ERROR(AddConditions(admission, webhook), "configure webhook \"", admission.name,
                       "\"");
  return Value(std::move(webhook));
}

Value Metadata(const ManifestOptions& options, const std::string& name) {
  Object metadata = {{"name", name}};
  if (!options.labels.empty()) metadata["labels"] = Object(options.labels);
  if (!options.annotations.empty()) metadata["annotations"] = Object(options.annotations);
  return metadata;
}

// Returns the configuration of the webhooks of this kind, or null if there are none.
absl::StatusOr<Value> Configuration(const std::vector<Registration>& registrations,
                                    WebhookKind kind, const ManifestOptions& options) {
  std::map<std::string, Value> webhooks;
  for (const Registration& registration : registrations) {
    if (registration.kind != kind) continue;
    KUBE_ASSIGN_OR_RETURN(Value webhook, Webhook(registration, options));
    if (!webhooks.emplace(registration.options.name, std::move(webhook)).second) {
      return Invalid(registration, "another one has this name; set AdmissionOptions::name");
    }
  }
  if (webhooks.empty()) return Value();
  Array sorted;
  for (auto& [name, webhook] : webhooks) sorted.push_back(std::move(webhook));
  const bool mutating = kind == WebhookKind::kMutating;
  return Value(Object{
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration"},
      {"metadata", Metadata(options, mutating ? options.mutating_name : options.validating_name)},
      {"webhooks", std::move(sorted)}});
}

const Registration* ConversionOf(const std::vector<Registration>& registrations,
                                 absl::string_view group, absl::string_view kind) {
  for (const Registration& registration : registrations) {
    if (registration.kind == WebhookKind::kConversion && registration.gvk.group == group &&
        registration.gvk.kind == kind) {
      return &registration;
    }
  }
  return nullptr;
}

// Returns INVALID_ARGUMENT unless the served versions of the definition are those registered.
absl::Status CheckVersions(const Registration& conversion, const Value& spec) {
  std::vector<std::string> missing = conversion.versions;
  const Array* versions = spec["versions"].list();
  for (const Value& version : versions == nullptr ? Array() : *versions) {
    const absl::string_view name = version["name"].text().value_or("");
    const auto known = std::find(missing.begin(), missing.end(), name);
    if (known != missing.end()) {
      missing.erase(known);
    } else if (version["served"].boolean().value_or(false)) {
      return absl::InvalidArgumentError(absl::StrCat("configure conversion of ",
                                                     conversion.gvk.kind, ": version \"", name,
                                                     "\" is served and cannot be converted"));
    }
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("configure conversion of ", conversion.gvk.kind,
                                                 ": the definition has no version \"",
                                                 missing.front(), "\""));
}

}  // namespace

absl::StatusOr<std::vector<Value>> WebhookConfigurations(
    const std::vector<Registration>& registrations, const ManifestOptions& options) {
  std::vector<Value> configurations;
  for (const WebhookKind kind : {WebhookKind::kMutating, WebhookKind::kValidating}) {
    KUBE_ASSIGN_OR_RETURN(Value configuration, Configuration(registrations, kind, options));
    if (!configuration.is_null()) configurations.push_back(std::move(configuration));
  }
  return configurations;
}

Value ConversionStanza(const std::vector<Registration>& registrations, absl::string_view group,
                       absl::string_view kind, const ManifestOptions& options) {
  const Registration* conversion = ConversionOf(registrations, group, kind);
  if (conversion == nullptr) return Value();
  const std::string& service = options.conversion_service_name.empty()
                                   ? options.service_name
                                   : options.conversion_service_name;
  return Object{
      {"strategy", "Webhook"},
      {"webhook", Object{{"clientConfig", ClientConfig(options, service, conversion->path)},
                         {"conversionReviewVersions", Array{"v1"}}}}};
}

absl::Status AddConversion(const std::vector<Registration>& registrations,
                           const ManifestOptions& options, Object& definition) {
  const Value* spec = definition.find("spec");
  if (spec == nullptr) return absl::OkStatus();
  const std::string group((*spec)["group"].text().value_or(""));
  const std::string kind((*spec)["names"]["kind"].text().value_or(""));
  const Registration* conversion = ConversionOf(registrations, group, kind);
  if (conversion == nullptr) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(CheckVersions(*conversion, *spec));
  KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(
      definition, ConversionStanza(registrations, group, kind, options), {"spec", "conversion"}));
  for (const auto& [key, value] : options.annotations) {
    KUBE_RETURN_IF_ERROR(
        unstructured::SetNestedField(definition, value, {"metadata", "annotations", key}));
  }
  return absl::OkStatus();
}

}  // namespace kube::webhook
