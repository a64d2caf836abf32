#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/apiregistration/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/box.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Extensions of the server: admissionregistration.k8s.io and apiregistration.k8s.io.
namespace kube::printers::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
namespace apiregistrationv1 = api::apiregistration::v1;
namespace metav1 = api::meta::v1;

constexpr Column kWebhookColumns[] = {
    kName,
    {"Webhooks", "integer", "The number of webhooks of the configuration."},
    kAge,
};

constexpr Column kParamKind = {"ParamKind", "string", "The kind of the objects with parameters."};

constexpr Column kValidatingPolicyColumns[] = {
    kName,
    {"Validations", "integer", "The number of validation expressions of the policy."},
    kParamKind,
    kAge,
};

constexpr Column kMutatingPolicyColumns[] = {
    kName,
    {"Mutations", "integer", "The number of mutations of the policy."},
    kParamKind,
    kAge,
};

constexpr Column kPolicyBindingColumns[] = {
    kName,
    {"PolicyName", "string", "The policy that the binding refers to."},
    {"ParamRef", "string", "The objects with the parameters of the policy."},
    kAge,
};

constexpr Column kApiServiceColumns[] = {
    kName,
    {"Service", "string", "The service that serves the API, or \"Local\" if this server does."},
    {"Available", "string", "Whether the service is available."},
    kAge,
};

template <typename Configuration>
void PrintWebhooks(const Configuration& configuration, Row& row) {
  row.Text(configuration.metadata.name);
  row.Number(static_cast<int64_t>(configuration.webhooks.size()));
  row.Age(configuration.metadata.creation_timestamp);
}

std::string ParamKindOf(const Box<admissionv1::ParamKind>& kind) {
  return kind ? absl::StrCat(kind->api_version.view(), "/", kind->kind.view())
              : std::string(kUnset);
}

void PrintValidatingPolicy(const admissionv1::ValidatingAdmissionPolicy& policy, Row& row) {
  row.Text(policy.metadata.name);
  row.Number(static_cast<int64_t>(policy.spec.validations.size()));
  row.Text(ParamKindOf(policy.spec.param_kind));
  row.Age(policy.metadata.creation_timestamp);
}

void PrintMutatingPolicy(const admissionv1::MutatingAdmissionPolicy& policy, Row& row) {
  row.Text(policy.metadata.name);
  row.Number(static_cast<int64_t>(policy.spec.mutations.size()));
  row.Text(ParamKindOf(policy.spec.param_kind));
  row.Age(policy.metadata.creation_timestamp);
}

// As upstream, which shows Go's text of the struct (apimachinery: `metav1.LabelSelector.String`).
std::string GoText(const metav1::LabelSelector& selector) {
  std::string text = "&LabelSelector{MatchLabels:map[string]string{";
  for (const auto& [key, value] : selector.match_labels) {
    absl::StrAppend(&text, key.view(), ": ", value.view(), ",");
  }
  absl::StrAppend(&text, "},MatchExpressions:[]LabelSelectorRequirement{");
  for (const metav1::LabelSelectorRequirement& each : selector.match_expressions) {
    absl::StrAppend(&text, "LabelSelectorRequirement{Key:", each.key.view(),
                    ",Operator:", each.operator_.view(), ",Values:[",
                    absl::StrJoin(each.values, " ",
                                  [](std::string* out, const String& value) {
                                    absl::StrAppend(out, value.view());
                                  }),
                    "],},");
  }
  return absl::StrCat(text, "},}");
}

std::string ParamRefOf(const Box<admissionv1::ParamRef>& ref) {
  if (!ref) return std::string(kUnset);
  // Without a namespace, it is looked up in that of the object in question, or in none.
  if (!ref->name.empty()) return absl::StrCat(OrElse(ref->namespace_, "*"), "/", ref->name.view());
  return ref->selector ? GoText(*ref->selector) : std::string(kUnset);
}

template <typename Binding>
void PrintPolicyBinding(const Binding& binding, Row& row) {
  row.Text(binding.metadata.name);
  row.Text(binding.spec.policy_name);
  row.Text(ParamRefOf(binding.spec.param_ref));
  row.Age(binding.metadata.creation_timestamp);
}

std::string AvailabilityOf(const apiregistrationv1::APIService& service) {
  for (const apiregistrationv1::APIServiceCondition& condition : service.status.conditions) {
    if (condition.type != "Available") continue;
    if (condition.status == "True" || condition.reason.empty()) return condition.status;
    return absl::StrCat(condition.status.view(), " (", condition.reason.view(), ")");
  }
  return "Unknown";
}

void PrintApiService(const apiregistrationv1::APIService& service, Row& row) {
  row.Text(service.metadata.name);
  row.Text(service.spec.service ? absl::StrCat(service.spec.service->namespace_.view(), "/",
                                               service.spec.service->name.view())
                                : "Local");
  row.Text(AvailabilityOf(service));
  row.Age(service.metadata.creation_timestamp);
}

}  // namespace

std::vector<Printer> AdmissionPrinters() {
  return {
      PrinterOf<PrintWebhooks<admissionv1::MutatingWebhookConfiguration>>(kWebhookColumns),
      PrinterOf<PrintWebhooks<admissionv1::ValidatingWebhookConfiguration>>(kWebhookColumns),
      PrinterOf<PrintValidatingPolicy>(kValidatingPolicyColumns),
      PrinterOf<PrintPolicyBinding<admissionv1::ValidatingAdmissionPolicyBinding>>(
          kPolicyBindingColumns),
      PrinterOf<PrintMutatingPolicy>(kMutatingPolicyColumns),
      PrinterOf<PrintPolicyBinding<admissionv1::MutatingAdmissionPolicyBinding>>(
          kPolicyBindingColumns),
      PrinterOf<PrintApiService>(kApiServiceColumns),
  };
}

}  // namespace kube::printers::internal
