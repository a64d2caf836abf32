// The code in docs/typed-clients.md about the owners of fields, which //docs:snippets_test
// compares.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.applies.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/typed_extract.h"
#include "apimachinery/managedfields/upgrade.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/apply_of.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/typed/typed_client.h"
#include "envtest/fake/clientset.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {

namespace appsv1 = kube::api::apps::v1;
namespace autoscalingv1 = kube::api::autoscaling::v1;
namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace managedfields = kube::managedfields;
namespace patch = kube::patch;
namespace typed = kube::typed;
using kube::base::IsOk;
using kube::kubernetes::Clientset;
using testing::ElementsAre;
using testing::HasSubstr;

using Deployments = typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>;

// Returns who owns the number of replicas, such as "scaler (Apply)".
std::vector<std::string> OwnersOfReplicas(const appsv1::Deployment& web) {
  managedfields::FieldSet replicas;
  replicas.Insert(
      {managedfields::PathElement::Field("spec"), managedfields::PathElement::Field("replicas")});
  std::vector<std::string> owners;
  for (const auto operation :
       {managedfields::Operation::kApply, managedfields::Operation::kUpdate}) {
    for (const auto& entry :
         managedfields::FindFieldsOwners(web.metadata.managed_fields, operation, replicas)) {
      owners.push_back(absl::StrCat(entry.manager.view(), " (", entry.operation.view(), ")"));
    }
  }
  return owners;
}

// Scales as a tool does: it asks its user before it takes the field from another manager.
absl::Status TryToScale(const kube::Context& ctx, const Deployments& deployments,
                        int32_t replicas) {
  const absl::Status status =
      deployments
          .Apply(ctx, {.metadata = {{.name = "web"}}, .spec = {{.replicas = replicas}}},
                 {.field_manager = "tool"})
          .status();
  for (const managedfields::ApplyConflict& conflict : managedfields::ApplyConflicts(status)) {
    std::cerr << conflict.field << " belongs to " << conflict.manager << "\n";
  }
  return status;
}

// Leaves the number of replicas to others, without a moment in which nobody owns it.
absl::Status GiveUpReplicas(const kube::Context& ctx, const Deployments& deployments) {
  KUBE_ASSIGN_OR_RETURN(const auto web, deployments.Get(ctx, "web"));
  KUBE_ASSIGN_OR_RETURN(auto mine, managedfields::ExtractOwned(web, "web-controller"));
  if (!mine.spec || !mine.spec->replicas.has_value()) return absl::OkStatus();
  const kube::ApplyOf<appsv1::Deployment> kept = {.metadata = {{.name = "web"}},
                                                  .spec = {{.replicas = mine.spec->replicas}}};
  KUBE_RETURN_IF_ERROR(
      deployments.Apply(ctx, kept, {.field_manager = "handover-to-autoscaler"}).status());
  mine.spec->replicas.reset();
  return deployments.Apply(ctx, mine, {.force = true, .field_manager = "web-controller"}).status();
}

// Makes what earlier releases of this controller wrote by updates its own, as if they had applied
// it.
absl::Status TakeOver(const kube::Context& ctx, const Deployments& deployments) {
  KUBE_ASSIGN_OR_RETURN(const auto web, deployments.Get(ctx, "web"));
  KUBE_ASSIGN_OR_RETURN(
      const std::string migration,
      managedfields::UpgradeManagedFieldsPatch(web.metadata, {"web-controller"}, "web-controller"));
  if (migration.empty()) return absl::OkStatus();
  return deployments.Patch(ctx, "web", patch::PatchType::kJson, migration).status();
}

absl::Status ReportObserved(const kube::Context& ctx, const Deployments& deployments,
                            const appsv1::Deployment& web) {
  const kube::ApplyOf<appsv1::Deployment> observed = {
      .metadata = {{.name = web.metadata.name}},
      .status = {{.observed_generation = web.metadata.generation}}};
  return deployments.ApplyStatus(ctx, observed, {.force = true, .field_manager = "web-controller"})
      .status();
}

absl::Status ApplyReplicas(const kube::Context& ctx, const Clientset& client, int32_t replicas) {
  const kube::ApplyOf<autoscalingv1::Scale> scale = {.spec = {{.replicas = replicas}}};
  return client.AppsV1()
      .Deployments("prod")
      .ApplyScale(ctx, "web", scale, {.force = true, .field_manager = "scaler"})
      .status();
}

class ApplyOwners : public testing::Test {
 protected:
  ApplyOwners() { EXPECT_THAT(fake_.Add(corev1::Namespace{.metadata = {.name = "prod"}}), IsOk()); }

  // What "web-controller" applies.
  absl::Status ApplyWeb() {
    const kube::ApplyOf<corev1::PodTemplateSpec> pod = {
        .metadata = {{.labels = {{"app", "web"}}}},
        .spec = {{.containers = {{.name = "web", .image = "web:1"}}}},
    };
    const kube::ApplyOf<appsv1::Deployment> web = {
        .metadata = {{.name = "web"}},
        .spec = {
            {.replicas = 3, .selector = {{.match_labels = {{"app", "web"}}}}, .template_ = pod}}};
    return deployments_.Apply(ctx_, web, {.force = true, .field_manager = "web-controller"})
        .status();
  }

  appsv1::Deployment Web() {
    const auto web = deployments_.Get(ctx_, "web");
    EXPECT_THAT(web, IsOk());
    return web.ok() ? *web : appsv1::Deployment();
  }

  const kube::Context ctx_;
  kube::fake::Clientset fake_;
  const Deployments deployments_ = fake_.client().AppsV1().Deployments("prod").typed_client();
};

TEST_F(ApplyOwners, AnotherValueIsAConflictAndTheSameValueIsShared) {
  ASSERT_THAT(ApplyWeb(), IsOk());
  const absl::Status refused = TryToScale(ctx_, deployments_, 5);
  EXPECT_TRUE(errors::IsConflict(refused));
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("Apply failed with 1 conflict: conflict with \"web-controller\": "
                        ".spec.replicas"));
  EXPECT_THAT(OwnersOfReplicas(Web()), ElementsAre("web-controller (Apply)"));
  EXPECT_THAT(TryToScale(ctx_, deployments_, 3), IsOk());
  EXPECT_THAT(OwnersOfReplicas(Web()),
              testing::UnorderedElementsAre("tool (Apply)", "web-controller (Apply)"));
}

TEST_F(ApplyOwners, GiveUpReplicas_KeepsTheirNumber) {
  ASSERT_THAT(ApplyWeb(), IsOk());
  EXPECT_THAT(GiveUpReplicas(ctx_, deployments_), IsOk());
  EXPECT_THAT(OwnersOfReplicas(Web()), ElementsAre("handover-to-autoscaler (Apply)"));
  EXPECT_EQ(Web().spec.replicas, 3);
  EXPECT_THAT(GiveUpReplicas(ctx_, deployments_), IsOk());
}

TEST_F(ApplyOwners, TakeOver_LetsTheNextApplyRemoveWhatWasUpdated) {
  appsv1::Deployment web = {.metadata = {.name = "web", .annotations = {{"old", "yes"}}}};
  web.spec.replicas = 3;
  web.spec.selector.emplace().match_labels = {{"app", "web"}};
  web.spec.template_.metadata.labels = {{"app", "web"}};
  web.spec.template_.spec.containers.push_back({.name = "web", .image = "web:1"});
  ASSERT_THAT(deployments_.Create(ctx_, web, {.field_manager = "web-controller"}), IsOk());
  EXPECT_THAT(OwnersOfReplicas(Web()), ElementsAre("web-controller (Update)"));
  ASSERT_THAT(TakeOver(ctx_, deployments_), IsOk());
  EXPECT_THAT(OwnersOfReplicas(Web()), ElementsAre("web-controller (Apply)"));
  ASSERT_THAT(ApplyWeb(), IsOk());
  EXPECT_EQ(Web().metadata.annotations.value_or("old", ""), "");
  EXPECT_THAT(TakeOver(ctx_, deployments_), IsOk());
}

TEST_F(ApplyOwners, StatusAndScaleHaveEntriesOfTheirOwn) {
  ASSERT_THAT(ApplyWeb(), IsOk());
  ASSERT_THAT(ReportObserved(ctx_, deployments_, Web()), IsOk());
  EXPECT_EQ(Web().status.observed_generation, 1);
  ASSERT_THAT(ApplyReplicas(ctx_, fake_.client(), 5), IsOk());
  EXPECT_EQ(Web().spec.replicas, 5);
  EXPECT_THAT(OwnersOfReplicas(Web()), ElementsAre("scaler (Apply)"));
}

}  // namespace
