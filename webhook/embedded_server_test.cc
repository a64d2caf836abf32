// An API server that asks webhooks of typed functions: what its clients get.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission.h"
#include "webhook/admission_review.h"
#include "webhook/admission_types.h"

namespace kube::webhook {
namespace {

namespace field = validation::field;
namespace registrationv1 = api::admissionregistration::v1;
using api::core::v1::ConfigMap;
using api::core::v1::ConfigMapList;
using base::IsOk;
using testing::HasSubstr;

constexpr typed::Resource kMutating = {.group = "admissionregistration.k8s.io",
                                       .version = "v1",
                                       .plural = "mutatingwebhookconfigurations",
                                       .kind = "MutatingWebhookConfiguration",
                                       .namespaced = false,
                                       .built_in = true};
constexpr typed::Resource kValidating = {.group = "admissionregistration.k8s.io",
                                         .version = "v1",
                                         .plural = "validatingwebhookconfigurations",
                                         .kind = "ValidatingWebhookConfiguration",
                                         .namespaced = false,
                                         .built_in = true};

constexpr char kDefaults[] = R"(
metadata: {name: defaults}
webhooks:
- name: defaults.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://hooks.example.com/default"}
  rules: [{operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
)";

constexpr char kChecks[] = R"(
metadata: {name: checks}
webhooks:
- name: checks.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://hooks.example.com/validate"}
  rules: [{operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
- name: deletions.example.com
  admissionReviewVersions: [v1beta1, v1]
  sideEffects: None
  clientConfig: {url: "https://hooks.example.com/admit"}
  rules: [{operations: [DELETE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
)";

absl::Status Complete(const AdmissionRequest<ConfigMap>& request, ConfigMap& map) {
  if (!map.data.contains("mode")) map.data["mode"] = request.dry_run ? "trial" : "standard";
  return absl::OkStatus();
}

field::ErrorList Validate(const AdmissionRequest<ConfigMap>& request) {
  if (request.operation != Operation::kUpdate) return {};
  const std::string before = request.old_object->data.value_or("mode", "");
  const std::string after = request.object->data.value_or("mode", "");
  if (before == after) return {};
  return {field::Invalid(field::Path("data").Key("mode"), after, "must not change")};
}

absl::Status Admit(const AdmissionRequest<ConfigMap>& request) {
  if (!request.object->data.contains("keep")) return absl::OkStatus();
  return errors::Forbidden({.resource = "configmaps"}, request.name.name, "it is kept");
}

// An API server with the webhooks, and a client of it.
class EmbeddedServerTest : public testing::Test {
 protected:
  EmbeddedServerTest()
      : client_(*rest::MakeClient(envtest::InProcessConfig(server_))),
        maps_(client_, typed::ResourceTraits<ConfigMap>::kResource) {}

  void SetUp() override {
    Serve("https://hooks.example.com/default", Defaulter<ConfigMap>(Complete));
    Serve("https://hooks.example.com/validate", Validator<ConfigMap>(Validate));
    Serve("https://hooks.example.com/admit", Admitter<ConfigMap>(Admit));
    const auto defaults =
        codec::DecodeYaml<registrationv1::MutatingWebhookConfiguration>(kDefaults);
    ASSERT_THAT(defaults, IsOk());
    const typed::TypedClient<registrationv1::MutatingWebhookConfiguration,
                             registrationv1::MutatingWebhookConfigurationList>
        mutating(client_, kMutating);
    ASSERT_THAT(mutating.Create(Context(), *defaults), IsOk());
    const auto checks = codec::DecodeYaml<registrationv1::ValidatingWebhookConfiguration>(kChecks);
    ASSERT_THAT(checks, IsOk());
    const typed::TypedClient<registrationv1::ValidatingWebhookConfiguration,
                             registrationv1::ValidatingWebhookConfigurationList>
        validating(client_, kValidating);
    ASSERT_THAT(validating.Create(Context(), *checks), IsOk());
  }

  void Serve(absl::string_view url, AdmissionHandler handler) {
    server_.SetWebhook(
        url, [handler = std::move(handler)](const Context& ctx, absl::string_view body) {
          HttpAnswer answer = AnswerAdmissionReview(ctx, handler, "application/json", body);
          return absl::StatusOr<std::string>(std::move(answer.body));
        });
  }

  typed::TypedClient<ConfigMap, ConfigMapList> maps() const { return maps_.Namespace("default"); }

 private:
  apiserver::ApiHandler server_;
  const rest::Client client_;
  const typed::TypedClient<ConfigMap, ConfigMapList> maps_;
};

TEST_F(EmbeddedServerTest, ObjectsAreCompleted) {
  const auto created = maps().Create(Context(), {.metadata = {.name = "m"}, .data = {{"a", "b"}}});
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->data.value_or("mode", ""), "standard");
  EXPECT_EQ(created->data.value_or("a", ""), "b");
  const auto trial = maps().Create(Context(), {.metadata = {.name = "n"}}, {.dry_run = {"All"}});
  ASSERT_THAT(trial, IsOk());
  EXPECT_EQ(trial->data.value_or("mode", ""), "trial");
}

TEST_F(EmbeddedServerTest, WrongObjectsAreInvalid) {
  auto map = maps().Create(Context(), {.metadata = {.name = "m"}});
  ASSERT_THAT(map, IsOk());
  map->data["mode"] = "odd";
  const absl::Status refused = maps().Update(Context(), *map).status();
  EXPECT_TRUE(errors::IsInvalid(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr(R"(admission webhook "checks.example.com" denied the request: )"
                        R"(ConfigMap "m" is invalid: data[mode]: Invalid value: "odd": )"
                        R"(must not change)"));
}

TEST_F(EmbeddedServerTest, DeletionsAreJudgedByWhatIsStored) {
  ASSERT_THAT(maps().Create(Context(), {.metadata = {.name = "m"}}), IsOk());
  EXPECT_THAT(maps().Delete(Context(), "m"), IsOk());
  ASSERT_THAT(maps().Create(Context(), {.metadata = {.name = "m"}, .data = {{"keep", "yes"}}}),
              IsOk());
  const absl::Status refused = maps().Delete(Context(), "m");
  EXPECT_TRUE(errors::IsForbidden(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("it is kept"));
}

}  // namespace
}  // namespace kube::webhook
