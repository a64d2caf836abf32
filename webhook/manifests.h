#ifndef WEBHOOK_MANIFESTS_H_
#define WEBHOOK_MANIFESTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "webhook/registration.h"

// What an API server must be told of a program's webhooks. The objects are values, to be printed as
// YAML or sent by a dynamic client. Pure functions.
namespace kube::webhook {

// The names of what the configurations refer to.
struct ManifestOptions {
  // Names of the two configurations. Default: controller-gen's.
  std::string mutating_name = "mutating-webhook-configuration";
  std::string validating_name = "validating-webhook-configuration";
  // The Service of the program, and its port.
  std::string service_name = "webhook-service";
  std::string service_namespace = "system";
  int service_port = 443;
  // The Service for conversions, in the same namespace. Default: that of the admission webhooks. It
  // should have `publishNotReadyAddresses`: a program may need its own conversions to become ready.
  std::string conversion_service_name = {};
  // Labels and annotations of the configurations, such as cert-manager's
  // "cert-manager.io/inject-ca-from". AddConversion adds the annotations to the definition.
  std::map<std::string, std::string> labels = {};
  std::map<std::string, std::string> annotations = {};
};

// Returns the MutatingWebhookConfiguration and the ValidatingWebhookConfiguration of admission
// webhooks, or the one of them that is not empty, with webhooks sorted by name. They contain all
// that AdmissionOptions say, also selectors and match conditions, and no `caBundle`: cert-manager
// or AddCaBundle write it. (controller-gen: `webhook`, which cannot say selectors, conditions)
//
//   webhook::ManifestOptions options = {.service_name = "hooks", .service_namespace = "prod"};
//   return webhook::WebhookConfigurations(registrations, options);
//
// Returns INVALID_ARGUMENT, with the webhook's name, if two webhooks of a configuration have one
// name, the timeout is not 1 to 30 whole seconds, or there are no operations or subresources.
absl::StatusOr<std::vector<unstructured::Value>> WebhookConfigurations(
    const std::vector<Registration>& registrations, const ManifestOptions& options = {});

// Returns the stanza `spec.conversion` of a CustomResourceDefinition of this group and kind, or
// null if no conversion of it is registered.
unstructured::Value ConversionStanza(const std::vector<Registration>& registrations,
                                     absl::string_view group, absl::string_view kind,
                                     const ManifestOptions& options = {});

// Adds the stanza and the annotations to a CustomResourceDefinition of apiextensions.k8s.io/v1 if a
// conversion of its kind is registered, and changes nothing otherwise. (kubebuilder: the patches
// `webhook_in_PLURAL.yaml`) Returns INVALID_ARGUMENT if the definition lacks a version that is
// registered, or serves one that is not, since objects of it could not be converted.
absl::Status AddConversion(const std::vector<Registration>& registrations,
                           const ManifestOptions& options, Map<unstructured::Value>& definition);

}  // namespace kube::webhook

#endif  // WEBHOOK_MANIFESTS_H_
