#include "controller/manager/internal/ca_targets.h"

#include <vector>

#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"

namespace kube::controller::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using webhook::WebhookKind;

constexpr typed::Resource kDogs = {
    .group = "example.com", .version = "v1", .plural = "dogs", .kind = "Dog"};

std::vector<webhook::Registration> Registered(const std::vector<WebhookKind>& kinds) {
  std::vector<webhook::Registration> registered;
  for (const WebhookKind kind : kinds) {
    registered.push_back(webhook::MakeRegistration(kind, kDogs, {}));
  }
  return registered;
}

// What RunOperator fills in.
webhook::SelfSignedOptions Filled() {
  return {.mutating_configurations = {"op-mutating-webhook-configuration"},
          .validating_configurations = {"op-validating-webhook-configuration"}};
}

TEST(CaBundleTargetsOfTest, WebhooksOfOneKind_AreInOneConfiguration) {
  auto targets = CaBundleTargetsOf("op", Filled(), Registered({WebhookKind::kMutating}));
  EXPECT_THAT(targets.mutating_configurations, ElementsAre("op-mutating-webhook-configuration"));
  EXPECT_THAT(targets.validating_configurations, IsEmpty());
  EXPECT_THAT(targets.definitions, IsEmpty());

  targets = CaBundleTargetsOf("op", Filled(), Registered({WebhookKind::kValidating}));
  EXPECT_THAT(targets.mutating_configurations, IsEmpty());
  EXPECT_THAT(targets.validating_configurations,
              ElementsAre("op-validating-webhook-configuration"));
}

TEST(CaBundleTargetsOfTest, AConversion_AddsTheDefinitionOfItsKindOnce) {
  const auto registered = Registered({WebhookKind::kConversion, WebhookKind::kConversion});
  webhook::SelfSignedOptions options = Filled();
  EXPECT_THAT(CaBundleTargetsOf("op", options, registered).definitions,
              ElementsAre("dogs.example.com"));
  options.definitions = {"cats.example.com", "dogs.example.com"};
  EXPECT_THAT(CaBundleTargetsOf("op", options, registered).definitions,
              ElementsAre("cats.example.com", "dogs.example.com"));
}

TEST(CaBundleTargetsOfTest, NamesOfTheProgramsOwn_Stay) {
  const webhook::SelfSignedOptions options = {.mutating_configurations = {"shared"},
                                              .validating_configurations = {"shared"}};
  const auto targets = CaBundleTargetsOf("op", options, {});
  EXPECT_THAT(targets.mutating_configurations, ElementsAre("shared"));
  EXPECT_THAT(targets.validating_configurations, ElementsAre("shared"));
}

// The program tells API servers itself.
TEST(CaBundleTargetsOfTest, NothingIsNamed_NothingIsWritten) {
  EXPECT_FALSE(HasCaTargets({}));
  EXPECT_TRUE(HasCaTargets(Filled()));
  const auto registered = Registered({WebhookKind::kMutating, WebhookKind::kConversion});
  const auto targets = CaBundleTargetsOf("op", {}, registered);
  EXPECT_THAT(targets.mutating_configurations, IsEmpty());
  EXPECT_THAT(targets.validating_configurations, IsEmpty());
  EXPECT_THAT(targets.definitions, IsEmpty());
}

}  // namespace
}  // namespace kube::controller::internal
