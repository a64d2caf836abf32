#include "envtest/workloads/internal/apps/controller_revisions.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/meta/owner_reference.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using testing::IsEmpty;
using testing::SizeIs;

// As a server stores it. The patch and the hashes below are upstream's.
constexpr absl::string_view kTemplate = R"({
  "metadata": {"labels": {"app": "db", "a": "<&>"}},
  "spec": {
    "containers": [{
      "name": "db", "image": "db:1",
      "ports": [{"name": "sql", "containerPort": 5432, "protocol": "TCP"}],
      "resources": {"limits": {"cpu": "500m"}},
      "env": [{"name": "B", "value": "x"},
              {"name": "A", "valueFrom": {"fieldRef": {"apiVersion": "v1",
                                                       "fieldPath": "metadata.name"}}}],
      "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
      "imagePullPolicy": "IfNotPresent"}],
    "restartPolicy": "Always", "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst",
    "securityContext": {}, "schedulerName": "default-scheduler"}})";
constexpr absl::string_view kPatch =
    R"({"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"\u003c\u0026\u003e",)"
    R"("app":"db"}},"spec":{"containers":[{"env":[{"name":"B","value":"x"},{"name":"A",)"
    R"("valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}],"image":"db:1",)"
    R"("imagePullPolicy":"IfNotPresent","name":"db","ports":[{"containerPort":5432,"name":"sql",)"
    R"("protocol":"TCP"}],"resources":{"limits":{"cpu":"500m"}},)"
    R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],)"
    R"("dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler",)"
    R"("securityContext":{},"terminationGracePeriodSeconds":30}}}})";

template <typename Set>
Set SetOf() {
  Set set;
  set.metadata.name = "db";
  set.metadata.namespace_ = "default";
  set.metadata.uid = "u";
  set.metadata.annotations = {{"team", "blue"}};
  set.spec.template_ = *codec::DecodeJson<corev1::PodTemplateSpec>(kTemplate);
  return set;
}

template <typename Set>
Set WithImage(Set set, absl::string_view image) {
  set.spec.template_.spec.containers[0].image = image;
  return set;
}

// Plans, and does what the plan says.
template <typename Set>
RevisionPlan Write(const Set& set, Revisions& revisions) {
  RevisionPlan plan = PlanRevision(set, revisions);
  auto written = std::make_shared<const appsv1::ControllerRevision>(plan.newest);
  if (plan.create) revisions.push_back(written);
  for (auto& each : revisions) {
    if (each->metadata.name == written->metadata.name) each = written;
  }
  return plan;
}

TEST(TemplatePatch, EachTemplate_IsUpstreamsTextAndReadsBack) {
  const auto set = SetOf<appsv1::StatefulSet>();
  EXPECT_EQ(TemplatePatch(set.spec.template_), kPatch);
  appsv1::ControllerRevision revision;
  revision.data = kPatch;
  EXPECT_EQ(TemplateOf(revision, {}), set.spec.template_);
  revision.data = "?";
  EXPECT_EQ(TemplateOf(revision, set.spec.template_), set.spec.template_);
}

TEST(PlanRevision, StatefulSet_RevisionHasUpstreamsNameAndLabels) {
  auto set = SetOf<appsv1::StatefulSet>();
  RevisionPlan plan = PlanRevision(set, {});
  EXPECT_TRUE(plan.create);
  const appsv1::ControllerRevision& revision = plan.newest;
  EXPECT_EQ(revision.metadata.name, "db-5dd945d495");
  EXPECT_EQ(revision.metadata.namespace_, "default");
  EXPECT_EQ(revision.metadata.labels.value_or("controller.kubernetes.io/hash", ""), "5dd945d495");
  EXPECT_EQ(revision.metadata.labels.value_or("app", ""), "db");
  EXPECT_EQ(revision.metadata.annotations.value_or("team", ""), "blue");
  EXPECT_TRUE(meta::IsControlledBy(revision.metadata, set.metadata));
  EXPECT_EQ(revision.data.view(), kPatch);
  EXPECT_EQ(revision.revision, 1);
  EXPECT_EQ(plan.collision_count, 0);

  set.status.collision_count = 1;
  EXPECT_EQ(PlanRevision(set, {}).newest.metadata.name, "db-5dd945d494");
  set.metadata.name = std::string(250, 'a');
  EXPECT_EQ(PlanRevision(set, {}).newest.metadata.name,
            absl::StrCat(std::string(223, 'a'), "-5dd945d494"));
}

TEST(PlanRevision, DaemonSet_RevisionHasTheHashLabelOfItsPods) {
  const auto set = SetOf<appsv1::DaemonSet>();
  const RevisionPlan plan = PlanRevision(set, {});
  EXPECT_TRUE(plan.create);
  const auto hash = plan.newest.metadata.labels.value_or(kRevisionHashLabel, "");
  EXPECT_EQ(plan.newest.metadata.name, absl::StrCat("db-", hash.view()));
  EXPECT_FALSE(plan.collision_count.has_value());
  EXPECT_EQ(plan.newest.data.view(), kPatch);
}

template <typename T>
class Histories : public testing::Test {};
using Sets = testing::Types<appsv1::StatefulSet, appsv1::DaemonSet>;
TYPED_TEST_SUITE(Histories, Sets);

TYPED_TEST(Histories, EarlierTemplate_ReusesItsRevision) {
  Revisions revisions;
  const auto set = SetOf<TypeParam>();
  const std::string first(Write(set, revisions).newest.metadata.name);
  RevisionPlan plan = Write(set, revisions);
  EXPECT_FALSE(plan.create || plan.update) << "nothing has changed";
  EXPECT_THAT(plan.others, IsEmpty());

  plan = Write(WithImage(set, "db:2"), revisions);
  EXPECT_TRUE(plan.create);
  EXPECT_EQ(plan.newest.revision, 2);
  EXPECT_THAT(plan.others, SizeIs(1));

  plan = Write(set, revisions);
  EXPECT_FALSE(plan.create);
  EXPECT_TRUE(plan.update);
  EXPECT_EQ(plan.newest.metadata.name, first);
  EXPECT_EQ(plan.newest.revision, 3);
  EXPECT_FALSE(Write(set, revisions).update);
}

TYPED_TEST(Histories, NameTakenByAnother_CountsACollision) {
  const auto set = SetOf<TypeParam>();
  auto other = std::make_shared<appsv1::ControllerRevision>(PlanRevision(set, {}).newest);
  other->data = "{}";
  other->metadata.owner_references.clear();
  const RevisionPlan plan = PlanRevision(set, {other});
  EXPECT_TRUE(plan.create);
  EXPECT_NE(plan.newest.metadata.name, other->metadata.name);
  EXPECT_EQ(plan.collision_count, 1);
  EXPECT_THAT(plan.others, IsEmpty());

  other->data = kPatch;
  EXPECT_FALSE(PlanRevision(set, {other}).create) << "it keeps this very template";
}

}  // namespace
}  // namespace kube::envtest::internal
