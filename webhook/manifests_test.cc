#include "webhook/manifests.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission_options.h"
#include "webhook/admission_types.h"
#include "webhook/registration.h"

namespace kube::webhook {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using unstructured::Value;

constexpr typed::Resource kWebsites = {
    .group = "sites.example.com", .version = "v1", .plural = "websites", .kind = "Website"};
constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

Registration Mutating(AdmissionOptions options = {}) {
  return MakeRegistration(WebhookKind::kMutating, kWebsites, std::move(options));
}
Registration Validating(AdmissionOptions options = {}) {
  return MakeRegistration(WebhookKind::kValidating, kWebsites, std::move(options));
}
Registration Conversion() {
  Registration made;
  made.kind = WebhookKind::kConversion;
  made.path = std::string(kConvertPath);
  made.gvk = {.group = "sites.example.com", .version = "v2", .kind = "Website"};
  made.versions = {"v2", "v1"};
  return made;
}

std::string Yaml(const Value& value) {
  const auto text = unstructured::EncodeYaml(value);
  return text.ok() ? *text : text.status().ToString();
}

TEST(WebhookConfigurationsTest, NothingIsRegistered_NoConfiguration) {
  const auto made = WebhookConfigurations({Conversion()});
  ASSERT_THAT(made, IsOk());
  EXPECT_THAT(*made, IsEmpty());
}

// behaviour.md: CT-4
TEST(WebhookConfigurationsTest, Defaults_AreControllerGens) {
  const auto made = WebhookConfigurations({Validating(), Mutating()});
  ASSERT_THAT(made, IsOk());
  ASSERT_THAT(*made, SizeIs(2));
  EXPECT_EQ(Yaml((*made)[0]), R"(apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: mutating-webhook-configuration
webhooks:
- admissionReviewVersions:
  - v1
  clientConfig:
    service:
      name: webhook-service
      namespace: system
      path: /mutate-sites-example-com-v1-website
  failurePolicy: Fail
  name: mwebsite-v1.kb.io
  rules:
  - apiGroups:
    - sites.example.com
    apiVersions:
    - v1
    operations:
    - CREATE
    - UPDATE
    resources:
    - websites
  sideEffects: None
  timeoutSeconds: 10
)");
  EXPECT_EQ((*made)[1]["kind"].text(), "ValidatingWebhookConfiguration");
  EXPECT_EQ((*made)[1]["metadata"]["name"].text(), "validating-webhook-configuration");
}

// behaviour.md: CT-5
TEST(WebhookConfigurationsTest, EverythingIsSaid_AlsoWhatMarkersCannot) {
  AdmissionOptions admission = {.name = "sites.example.com",
                                .path = "/sites",
                                .failure_policy = FailurePolicy::kIgnore,
                                .operations = {Operation::kDelete},
                                .side_effects = SideEffects::kNoneOnDryRun,
                                .timeout = absl::Seconds(3),
                                .reinvoke = true,
                                .subresources = {"", "status"}};
  admission.namespace_selector.match_labels = {{"sites", "yes"}};
  admission.object_selector.match_labels = {{"tier", "front"}};
  admission.match_conditions = {{.name = "not-the-kubelet", .expression = "request.name != ''"}};
  const auto made = WebhookConfigurations({Mutating(admission)}, {.mutating_name = "m",
                                                                  .service_name = "hooks",
                                                                  .service_namespace = "prod",
                                                                  .service_port = 9443,
                                                                  .labels = {{"app", "sites"}},
                                                                  .annotations = {{"a", "b"}}});
  ASSERT_THAT(made, IsOk());
  ASSERT_THAT(*made, SizeIs(1));
  EXPECT_EQ(Yaml((*made)[0]), R"(apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  annotations:
    a: b
  labels:
    app: sites
  name: m
webhooks:
- admissionReviewVersions:
  - v1
  clientConfig:
    service:
      name: hooks
      namespace: prod
      path: /sites
      port: 9443
  failurePolicy: Ignore
  matchConditions:
  - expression: request.name != ''
    name: not-the-kubelet
  name: sites.example.com
  namespaceSelector:
    matchLabels:
      sites: "yes"
  objectSelector:
    matchLabels:
      tier: front
  reinvocationPolicy: IfNeeded
  rules:
  - apiGroups:
    - sites.example.com
    apiVersions:
    - v1
    operations:
    - DELETE
    resources:
    - websites
    - websites/status
  sideEffects: NoneOnDryRun
  timeoutSeconds: 3
)");
}

TEST(WebhookConfigurationsTest, SeveralWebhooks_AreSortedByName) {
  const auto made = WebhookConfigurations(
      {Validating({.name = "b.example.com", .path = "/b"}),
       MakeRegistration(WebhookKind::kValidating, kPods, {.name = "a.example.com"})});
  ASSERT_THAT(made, IsOk());
  ASSERT_THAT(*made, SizeIs(1));
  const auto* webhooks = (*made)[0]["webhooks"].list();
  ASSERT_NE(webhooks, nullptr);
  ASSERT_EQ(webhooks->size(), 2u);
  EXPECT_EQ((*webhooks)[0]["name"].text(), "a.example.com");
  EXPECT_EQ((*webhooks)[1]["name"].text(), "b.example.com");
}

TEST(WebhookConfigurationsTest, WhatAnApiServerWouldRefuse_IsAnError) {
  const struct {
    const char* name;
    std::vector<Registration> registrations;
    const char* error;
  } kRows[] = {
      {"two of one name", {Validating(), Validating({.path = "/other"})}, "has this name"},
      {"too short", {Validating({.timeout = absl::ZeroDuration()})}, "1 to 30 whole seconds"},
      {"too long", {Validating({.timeout = absl::Seconds(31)})}, "1 to 30 whole seconds"},
      {"not whole", {Validating({.timeout = absl::Milliseconds(1500)})}, "1 to 30 whole seconds"},
      {"no operations", {Validating({.operations = {}})}, "no operations"},
      {"no subresources", {Validating({.subresources = {}})}, "no subresources"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(WebhookConfigurations(row.registrations),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         testing::AllOf(HasSubstr("vwebsite-v1.kb.io"), HasSubstr(row.error))));
  }
}

Map<Value> Definition(const char* versions) {
  const auto parsed = unstructured::ParseYaml(versions);
  EXPECT_THAT(parsed, IsOk());
  return Map<Value>{{"metadata", Map<Value>{{"name", "websites.sites.example.com"}}},
                    {"spec", Map<Value>{{"group", "sites.example.com"},
                                        {"names", Map<Value>{{"kind", "Website"}}},
                                        {"versions", parsed.ok() ? *parsed : Value()}}}};
}

TEST(AddConversionTest, TheKindIsConverted_StanzaAndAnnotations) {
  Map<Value> definition =
      Definition("[{name: v1, served: true}, {name: v2, served: true}, {name: v0, served: false}]");
  ASSERT_THAT(AddConversion({Conversion()},
                            {.service_namespace = "prod", .annotations = {{"a", "b"}}}, definition),
              IsOk());
  const Value made(definition);
  EXPECT_EQ(Yaml(made["spec"]["conversion"]), R"(strategy: Webhook
webhook:
  clientConfig:
    service:
      name: webhook-service
      namespace: prod
      path: /convert
  conversionReviewVersions:
  - v1
)");
  EXPECT_EQ(made["metadata"]["annotations"]["a"].text(), "b");
}

TEST(AddConversionTest, AServiceOfItsOwn_IsNotThatOfAdmissions) {
  const ManifestOptions options = {.service_name = "hooks", .conversion_service_name = "convert"};
  const Value stanza = ConversionStanza({Conversion()}, "sites.example.com", "Website", options);
  EXPECT_EQ(stanza["webhook"]["clientConfig"]["service"]["name"].text(), "convert");
  const auto made = WebhookConfigurations({Mutating()}, options);
  ASSERT_THAT(made, IsOk());
  const Value& entry = (*made)[0]["webhooks"].list()->front();
  EXPECT_EQ(entry["clientConfig"]["service"]["name"].text(), "hooks");
}

TEST(AddConversionTest, TheKindIsNotConverted_NothingChanges) {
  Map<Value> definition = Definition("[{name: v1, served: true}]");
  const Map<Value> before = definition;
  ASSERT_THAT(AddConversion({Mutating()}, {.annotations = {{"a", "b"}}}, definition), IsOk());
  EXPECT_EQ(definition, before);
}

TEST(AddConversionTest, VersionsDoNotFit_IsInvalidArgument) {
  const struct {
    const char* versions;
    const char* error;
  } kRows[] = {
      {"[{name: v1, served: true}]", "has no version \"v2\""},
      {"[{name: v1, served: true}, {name: v2, served: true}, {name: v3, served: true}]",
       "version \"v3\" is served"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.versions);
    Map<Value> definition = Definition(row.versions);
    EXPECT_THAT(AddConversion({Conversion()}, {}, definition),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.error)));
  }
}

}  // namespace
}  // namespace kube::webhook
