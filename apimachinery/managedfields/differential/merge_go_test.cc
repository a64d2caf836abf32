// Go's package managedfields is the judge of field managers: of the object, the managed fields and
// the answer after each of many random writes.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/differential/random_value.h"
#include "apimachinery/managedfields/differential/random_writes.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

// All versions of these are written: the group and the kind.
struct KindName {
  absl::string_view group;
  absl::string_view kind;
};
constexpr KindName kKinds[] = {
    {"", "ConfigMap"},
    {"", "Endpoints"},
    {"", "Event"},
    {"", "LimitRange"},
    {"", "Namespace"},
    {"", "Node"},
    {"", "PersistentVolume"},
    {"", "PersistentVolumeClaim"},
    {"", "Pod"},
    {"", "ReplicationController"},
    {"", "ResourceQuota"},
    {"", "Secret"},
    {"", "Service"},
    {"", "ServiceAccount"},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"},
    {"apiextensions.k8s.io", "CustomResourceDefinition"},
    {"apiregistration.k8s.io", "APIService"},
    {"apps", "ControllerRevision"},
    {"apps", "DaemonSet"},
    {"apps", "Deployment"},
    {"apps", "ReplicaSet"},
    {"apps", "StatefulSet"},
    {"autoscaling", "HorizontalPodAutoscaler"},
    {"batch", "CronJob"},
    {"batch", "Job"},
    {"certificates.k8s.io", "CertificateSigningRequest"},
    {"coordination.k8s.io", "Lease"},
    {"discovery.k8s.io", "EndpointSlice"},
    {"events.k8s.io", "Event"},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema"},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"},
    {"networking.k8s.io", "Ingress"},
    {"networking.k8s.io", "IngressClass"},
    {"networking.k8s.io", "NetworkPolicy"},
    {"node.k8s.io", "RuntimeClass"},
    {"policy", "PodDisruptionBudget"},
    {"rbac.authorization.k8s.io", "ClusterRole"},
    {"rbac.authorization.k8s.io", "RoleBinding"},
    {"resource.k8s.io", "ResourceClaim"},
    {"resource.k8s.io", "ResourceSlice"},
    {"scheduling.k8s.io", "PriorityClass"},
    {"storage.k8s.io", "CSINode"},
    {"storage.k8s.io", "StorageClass"},
    {"storage.k8s.io", "VolumeAttachment"},
};

// The versions of these two that the oracle has schemas of.
bool HasSchemaInGo(const KindInfo& kind) {
  const bool is_other_server = absl::StartsWith(kind.group, "apiextensions.") ||
                               absl::StartsWith(kind.group, "apiregistration.");
  return !is_other_server || kind.version == "v1";
}

Subject BuiltIn(const KindName& name) {
  Subject subject = {.schema = "built-in", .kind = std::string(name.kind)};
  for (const KindInfo* kind : api::AllKinds()) {
    if (kind->group != name.group || kind->kind != name.kind || !HasSchemaInGo(*kind)) continue;
    subject.versions.emplace(
        absl::StrCat(kind->group, kind->group.empty() ? "" : "/", kind->version),
        &SchemaOf(*kind->message));
  }
  return subject;
}

class MergeGoTest : public testing::Test {
 protected:
  MergeGoTest() { std::cout << "seed: " << seed_ << "\n"; }

  void Add(const Subject& subject) {
    ASSERT_FALSE(subject.versions.empty()) << subject.kind;
    for (int64_t i = 0; i < count_; ++i) {
      const ValueShape shape = {.mistakes = i % 3 == 2 ? 2 : 0, .duplicates = 2};
      SequenceMaker maker(&subject, dice_.Next(), shape, &clock_);
      sequences_.push_back(
          maker.Make({.writes = i % 3 == 1 ? 24 : 14, .many_managers = i % 3 == 1}));
    }
  }

  void Check() {
    std::vector<Question> questions;
    for (const Sequence& sequence : sequences_) questions.push_back(sequence.question);
    const absl::StatusOr<std::vector<Value>> answers = AskGo(questions, /*clock=*/true);
    if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
    ASSERT_TRUE(answers.ok()) << answers.status();
    ResultCounts counts;
    for (size_t i = 0; i < sequences_.size(); ++i) {
      SCOPED_TRACE(absl::StrCat("sequence ", i, " of ", sequences_.size()));
      CheckSequence(sequences_[i], (*answers)[i], counts);
    }
    for (const auto& [what, number] : counts) std::cout << "  " << what << ": " << number << "\n";
    EXPECT_GT(counts["update: ok"], 0);
    EXPECT_GT(counts["apply: ok"], 0);
    EXPECT_GT(counts["apply: status 409"], 0);
  }

 private:
  const int64_t count_ = Setting("MANAGED_CASES", 3);
  const int64_t seed_ = Setting("MANAGED_SEED", 20261126);
  oracle::Dice dice_{static_cast<uint64_t>(seed_)};
  int64_t clock_ = kClockStart;
  std::vector<Sequence> sequences_;
};

TEST_F(MergeGoTest, BuiltInKinds) {
  for (const KindName& name : kKinds) Add(BuiltIn(name));
  Check();
}

TEST_F(MergeGoTest, ObjectsWithoutSchema) {
  const Subject one = {
      .schema = "deduced", .kind = "Thing", .versions = {{"example.com/v1", &DeducedSchema()}}};
  const Subject two = {
      .schema = "deduced",
      .kind = "Thing",
      .versions = {{"example.com/v1", &DeducedSchema()}, {"example.com/v2", &DeducedSchema()}},
      .renamed = {{"example.com/v1", "size"}, {"example.com/v2", "count"}}};
  for (int i = 0; i < 10; ++i) {
    Add(one);
    Add(two);
  }
  Check();
}

}  // namespace
}  // namespace kube::managedfields
