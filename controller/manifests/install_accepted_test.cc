// Each object of an installation with webhooks is one that an API server takes.

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "envtest/in_process_transport.h"
#include "envtest/manifests.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_options.h"
#include "webhook/registration.h"

namespace kube::manifests {
namespace {

using base::IsOk;
using testing::AnyOf;
using testing::Each;
using testing::StartsWith;

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

TEST(InstallAcceptedTest, EachObject_IsApplied) {
  apiserver::ApiHandler server;
  const auto client = rest::MakeClient(envtest::InProcessConfig(server));
  ASSERT_THAT(client, IsOk());
  const auto text = InstallYaml(
      Program(), {.definitions = kDefinition, .service_monitor = true, .network_policies = true});
  ASSERT_THAT(text, IsOk());
  const std::vector<std::string> documents = absl::StrSplit(*text, "\nkind: ");
  EXPECT_EQ(documents.size() - 1, 22u);
  const auto left_out = envtest::InstallManifests(Context(), *client,
                                                  {.manifest = *text, .skip_unknown_kinds = true});
  ASSERT_THAT(left_out, IsOk());
  // What other projects define.
  EXPECT_THAT(*left_out, Each(AnyOf(StartsWith("Certificate "), StartsWith("Issuer "),
                                    StartsWith("ServiceMonitor "))));
  EXPECT_GE(left_out->size(), 3u);
}

}  // namespace
}  // namespace kube::manifests
