// Each object of an installation with webhooks is one that an API server takes.

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_options.h"
#include "webhook/registration.h"

namespace kube::manifests {
namespace {

using base::IsOk;
using unstructured::Unstructured;

constexpr typed::Resource kDogs = {
    .group = "example.com", .version = "v1", .plural = "dogs", .kind = "Dog"};
constexpr char kDefinition[] = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: dogs.example.com
spec:
  group: example.com
  names: {kind: Dog, listKind: DogList, plural: dogs, singular: dog}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
)";

// A kind that a server without further definitions has.
struct Kind {
  const char* kind;
  const char* group;
  const char* plural;
};
constexpr Kind kKinds[] = {
    {"Namespace", "", "namespaces"},
    {"CustomResourceDefinition", "apiextensions.k8s.io", "customresourcedefinitions"},
    {"ServiceAccount", "", "serviceaccounts"},
    {"Role", "rbac.authorization.k8s.io", "roles"},
    {"ClusterRole", "rbac.authorization.k8s.io", "clusterroles"},
    {"RoleBinding", "rbac.authorization.k8s.io", "rolebindings"},
    {"ClusterRoleBinding", "rbac.authorization.k8s.io", "clusterrolebindings"},
    {"Service", "", "services"},
    {"Deployment", "apps", "deployments"},
    {"NetworkPolicy", "networking.k8s.io", "networkpolicies"},
    {"MutatingWebhookConfiguration", "admissionregistration.k8s.io",
     "mutatingwebhookconfigurations"},
    {"ValidatingWebhookConfiguration", "admissionregistration.k8s.io",
     "validatingwebhookconfigurations"},
};

ProgramFacts Program() {
  webhook::AdmissionOptions admission;
  admission.namespace_selector.match_labels = {{"dogs", "yes"}};
  admission.match_conditions = {{.name = "named", .expression = "request.name != ''"}};
  webhook::Registration conversion;
  conversion.kind = webhook::WebhookKind::kConversion;
  conversion.path = "/convert";
  conversion.gvk = {.group = "example.com", .version = "v1", .kind = "Dog"};
  conversion.gvr = {.group = "example.com", .version = "v1", .resource = "dogs"};
  conversion.versions = {"v1", "v2"};
  return {.name = "op",
          .access = {{.resource = "pods", .verbs = {"get"}},
                     {.resource = "secrets", .verbs = {"get"}, .namespaces = {"default"}},
                     {.verbs = {"get"}, .urls = {"/metrics"}}},
          .webhooks = {webhook::MakeRegistration(webhook::WebhookKind::kMutating, kDogs, admission),
                       webhook::MakeRegistration(webhook::WebhookKind::kValidating, kDogs, {}),
                       conversion}};
}

std::vector<Unstructured> Documents(absl::string_view text) {
  std::vector<Unstructured> documents;
  codec::YamlDocuments stream(text);
  while (true) {
    const auto document = stream.Next();
    EXPECT_THAT(document, IsOk());
    if (!document.ok() || !document->has_value()) return documents;
    const auto value = unstructured::ParseYaml((*document)->text);
    EXPECT_THAT(value, IsOk());
    if (value.ok() && value->is_object()) documents.push_back({.object = *value->object()});
  }
}

void Install(const dynamic::DynamicClient& client, const Unstructured& object) {
  SCOPED_TRACE(absl::StrCat(object.kind(), " ", object.name()));
  for (const Kind& kind : kKinds) {
    if (object.kind() != kind.kind) continue;
    const auto resource =
        client.Resource({.group = kind.group, .version = "v1", .resource = kind.plural});
    EXPECT_THAT(
        resource.Namespace(object.namespace_name())
            .Apply(Context(), object.name(), object, {.force = true, .field_manager = "test"}),
        IsOk());
    return;
  }
  // What other projects define.
  const std::set<std::string> foreign = {"Certificate", "Issuer", "ServiceMonitor"};
  EXPECT_TRUE(foreign.contains(std::string(object.kind())));
}

TEST(InstallAcceptedTest, EachObject_IsApplied) {
  apiserver::ApiHandler server;
  const auto client = rest::MakeClient(envtest::InProcessConfig(server));
  ASSERT_THAT(client, IsOk());
  const auto text = InstallYaml(
      Program(), {.definitions = kDefinition, .service_monitor = true, .network_policies = true});
  ASSERT_THAT(text, IsOk());
  const std::vector<Unstructured> documents = Documents(*text);
  EXPECT_EQ(documents.size(), 21u);
  const dynamic::DynamicClient dynamic_client(*client);
  for (const Unstructured& object : documents) Install(dynamic_client, object);
}

}  // namespace
}  // namespace kube::manifests
