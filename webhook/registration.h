#ifndef WEBHOOK_REGISTRATION_H_
#define WEBHOOK_REGISTRATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource.h"
#include "webhook/admission_options.h"

namespace kube::webhook {

// The path of all conversions.
inline constexpr absl::string_view kConvertPath = "/convert";

// What a webhook is asked.
enum class WebhookKind {
  kMutating,    // what an object that is written should be
  kValidating,  // whether an object may be written
  kConversion,  // what an object is in another version
};

// A webhook that a Server serves, with what its configuration in the API server needs to say.
struct Registration {
  WebhookKind kind = WebhookKind::kValidating;
  // The path in the server: "/validate-apps-v1-deployment", "/convert".
  std::string path = {};

  // The kind and resource of the objects. For a conversion those of the hub.
  schema::GroupVersionKind gvk = {};
  schema::GroupVersionResource gvr = {};
  // Whether the objects are in namespaces.
  bool namespaced = true;

  // For admission. `name`, and nothing else, is completed if it is empty: see DefaultWebhookName.
  AdmissionOptions options = {};
  // For a conversion: all versions between which it converts, the hub first.
  std::vector<std::string> versions = {};
};

// Returns the registration of an admission webhook for a resource, with the default path and name
// if the options have none. Pure.
Registration MakeRegistration(WebhookKind kind, const typed::Resource& resource,
                              AdmissionOptions options);

// Returns kubebuilder's name of an admission webhook: "mwebsite-v1.kb.io" or "vwebsite-v1.kb.io".
// Kinds of one name in two groups have the same, and so have two webhooks of one kind.
std::string DefaultWebhookName(WebhookKind kind, const schema::GroupVersionKind& gvk);

// Return controller-runtime's paths of webhooks: "/mutate-apps-v1-deployment", and for the core
// group "/mutate--v1-pod".
std::string MutatePath(const schema::GroupVersionKind& kind);
std::string ValidatePath(const schema::GroupVersionKind& kind);

// Returns INVALID_ARGUMENT with controller-runtime's text if a path is not "/" and not one or more
// of "/NAME", where names have letters, digits, "-" and "_".
absl::Status CheckPath(absl::string_view path);

}  // namespace kube::webhook

#endif  // WEBHOOK_REGISTRATION_H_
