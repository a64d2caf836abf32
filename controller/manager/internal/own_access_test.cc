#include "controller/manager/internal/own_access.h"

#include <vector>

#include "clientset/typed/resource.h"
#include "controller/cache/required_access.h"
#include "controller/manager/manager_options.h"
#include "controller/metrics/metrics_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"

namespace kube::controller::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

webhook::Registration Dogs(webhook::WebhookKind kind) {
  constexpr typed::Resource kDogs = {
      .group = "example.com", .version = "v1", .plural = "dogs", .kind = "Dog"};
  return webhook::MakeRegistration(kind, kDogs, {});
}

TEST(OwnAccessTest, NothingIsTurnedOn_EventsInAllNamespaces) {
  EXPECT_THAT(OwnAccess({.name = "op"}),
              ElementsAre(RequiredAccess{.resource = "events", .verbs = {"create", "patch"}}));
}

TEST(OwnAccessTest, AFewNamespaces_EventsThereAndBesideTheLease) {
  ManagerOptions options = {.name = "op"};
  options.cache.namespaces = {"a", "b"};
  options.leader_election = LeaseOptions{.lease = {.namespace_name = "system"}};
  EXPECT_THAT(OwnAccess(options),
              ElementsAre(RequiredAccess{.resource = "events",
                                         .verbs = {"create", "patch"},
                                         .namespaces = {"a", "b", "system"}},
                          RequiredAccess{.group = "coordination.k8s.io",
                                         .resource = "leases",
                                         .verbs = {"create", "get", "update"},
                                         .names = {"op"},
                                         .namespaces = {"system"},
                                         .purpose = AccessPurpose::kLeaderElection}));
}

TEST(OwnAccessTest, TheLeaseHasNoNamespace_RightsInAll) {
  ManagerOptions options = {.name = "op"};
  options.cache.namespaces = {"a"};
  options.leader_election = LeaseOptions();
  const std::vector<RequiredAccess> access = OwnAccess(options);
  ASSERT_EQ(access.size(), 2u);
  EXPECT_THAT(access[0].namespaces, IsEmpty());
  EXPECT_THAT(access[1].namespaces, IsEmpty());
}

TEST(OwnAccessTest, AFewNamespaces_EventsAlsoWhereControllersAndWatchesHaveTheirObjects) {
  const RequiredAccess watch = {
      .resource = "secrets", .verbs = {"get", "list", "watch"}, .namespaces = {"teams"}};
  const RequiredAccess write = {.resource = "pods", .verbs = {"patch"}, .namespaces = {"other"}};
  const RequiredAccess events = {
      .resource = "events", .verbs = {"create", "patch"}, .namespaces = {"default"}};
  ManagerOptions options = {.name = "op"};
  options.cache.namespaces = {"a"};
  RequiredAccess all_events = events;
  all_events.namespaces = {"a", "default", "teams"};
  EXPECT_THAT(AllAccess(options, {}, {watch, write, events}),
              ElementsAre(all_events, watch, write));
  // A controller whose watch has all namespaces.
  all_events.namespaces = {};
  EXPECT_THAT(AllAccess(options, {}, {events, all_events}), ElementsAre(all_events));
}

TEST(OwnAccessTest, TheLeaseHasAName_ItIsThatOfTheRule) {
  ManagerOptions options = {.name = "op"};
  options.leader_election =
      LeaseOptions{.lease = {.namespace_name = "system", .name = "3c4d.example.com"}};
  EXPECT_THAT(OwnAccess(options)[1].names, ElementsAre("3c4d.example.com"));
}

TEST(OwnAccessTest, MetricsAreForTokens_ReviewsOfThem) {
  ManagerOptions options = {.name = "op"};
  options.metrics = kube::metrics::MetricsOptions();
  EXPECT_FALSE(ReviewsTokens(options));
  options.metrics->access = kube::metrics::MetricsAccess::kTokenReview;
  EXPECT_TRUE(ReviewsTokens(options));
  EXPECT_THAT(OwnAccess(options), ElementsAre(testing::_,
                                              RequiredAccess{.group = "authentication.k8s.io",
                                                             .resource = "tokenreviews",
                                                             .verbs = {"create"},
                                                             .purpose = AccessPurpose::kMetrics},
                                              RequiredAccess{.group = "authorization.k8s.io",
                                                             .resource = "subjectaccessreviews",
                                                             .verbs = {"create"},
                                                             .purpose = AccessPurpose::kMetrics}));
}

TEST(OwnAccessTest, WebhooksMakeTheirCertificate_TheConfigurationsThatAreTold) {
  ManagerOptions options = {.name = "op"};
  options.webhooks.self_signed = webhook::SelfSignedOptions{
      .mutating_configurations = {"op-mutating"}, .definitions = {"dogs.example.com"}};
  const std::vector<webhook::Registration> webhooks = {Dogs(webhook::WebhookKind::kMutating)};
  EXPECT_THAT(OwnAccess(options, webhooks),
              ElementsAre(testing::_,
                          RequiredAccess{.group = "admissionregistration.k8s.io",
                                         .resource = "mutatingwebhookconfigurations",
                                         .verbs = {"get", "patch"},
                                         .names = {"op-mutating"}},
                          RequiredAccess{.group = "apiextensions.k8s.io",
                                         .resource = "customresourcedefinitions",
                                         .verbs = {"get", "patch"},
                                         .names = {"dogs.example.com"}}));
}

TEST(OwnAccessTest, WebhooksOfOneKind_NoRightToTheOtherConfiguration) {
  ManagerOptions options = {.name = "op"};
  options.webhooks.self_signed = webhook::SelfSignedOptions{
      .mutating_configurations = {"op-mutating-webhook-configuration"},
      .validating_configurations = {"op-validating-webhook-configuration"}};
  const std::vector<webhook::Registration> webhooks = {Dogs(webhook::WebhookKind::kValidating),
                                                       Dogs(webhook::WebhookKind::kConversion)};
  EXPECT_THAT(OwnAccess(options, webhooks),
              ElementsAre(testing::_,
                          RequiredAccess{.group = "admissionregistration.k8s.io",
                                         .resource = "validatingwebhookconfigurations",
                                         .verbs = {"get", "patch"},
                                         .names = {"op-validating-webhook-configuration"}},
                          RequiredAccess{.group = "apiextensions.k8s.io",
                                         .resource = "customresourcedefinitions",
                                         .verbs = {"get", "patch"},
                                         .names = {"dogs.example.com"}}));
}

}  // namespace
}  // namespace kube::controller::internal
