// The code about webhooks in docs/envtest.md, which //docs:snippets_test compares.
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apiserver/handler.h"
#include "apiserver/webhook.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace admissionv1 = api::admission::v1;
namespace corev1 = api::core::v1;
namespace registrationv1 = api::admissionregistration::v1;
using ::kube::base::IsOk;
using ::testing::HasSubstr;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

constexpr typed::Resource kPolicies = {.group = "admissionregistration.k8s.io",
                                       .version = "v1",
                                       .plural = "validatingwebhookconfigurations",
                                       .kind = "ValidatingWebhookConfiguration",
                                       .namespaced = false,
                                       .built_in = true};
using Policies = typed::TypedClient<registrationv1::ValidatingWebhookConfiguration,
                                    registrationv1::ValidatingWebhookConfigurationList>;

// What the webhook of a policy does: it refuses config maps that nobody owns.
absl::StatusOr<std::string> NeedsOwner(const Context&, absl::string_view body) {
  KUBE_ASSIGN_OR_RETURN(auto review, codec::DecodeJson<admissionv1::AdmissionReview>(body));
  KUBE_ASSIGN_OR_RETURN(const auto map,
                        codec::DecodeJson<corev1::ConfigMap>(review.request->object.view()));
  admissionv1::AdmissionResponse& response = review.response.emplace();
  response.uid = review.request->uid;
  response.allowed = map.metadata.labels.contains("owner");
  if (!response.allowed) response.status.emplace().message = "who owns it?";
  review.request.reset();
  return codec::EncodeJson(review);
}

constexpr char kPolicy[] = R"(
metadata: {name: policy}
webhooks:
- name: maps.policy.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: default, name: policy, path: /maps}}
  rules: [{operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
)";

TEST(PolicyTest, RefusesMapsWithoutOwner) {
  apiserver::ApiHandler server;
  server.SetWebhook("default", "policy", "/maps", NeedsOwner);
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const auto policy = codec::DecodeYaml<registrationv1::ValidatingWebhookConfiguration>(kPolicy);
  ASSERT_THAT(Policies(client, kPolicies).Create(Context(), *policy), IsOk());

  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  const auto refused = maps.Create(Context(), {.metadata = {.name = "m"}});
  EXPECT_THAT(refused.status().message(),
              HasSubstr("admission webhook \"maps.policy.example.com\" denied the request"));
  EXPECT_EQ(server.Requests().back().webhooks[0].outcome, apiserver::WebhookOutcome::kRefused);
}

}  // namespace
}  // namespace kube
