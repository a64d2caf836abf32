#include "apiserver/strategy/strategy.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/services/service_addresses.h"
#include "apiserver/strategy/deletion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

const absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

Object Decoded(absl::string_view kind, absl::string_view json) {
  return Object(*codec::AnyObject::DecodeJson(*api::FindKind("v1", kind), json));
}

TEST(Deletion, Plans) {
  struct Row {
    std::string name, plural, kind, object, options;
    bool store, remove;
    std::vector<std::string> finalizers;
  };
  const std::vector<Row> rows = {
      {"nothing holds it", "configmaps", "ConfigMap", "{}", "{}", false, true, {}},
      {"a finalizer does",
       "configmaps",
       "ConfigMap",
       R"({"metadata":{"finalizers":["a/b"]}})",
       "{}",
       true,
       false,
       {"a/b"}},
      {"orphan",
       "configmaps",
       "ConfigMap",
       "{}",
       R"({"propagationPolicy":"Orphan"})",
       true,
       false,
       {"orphan"}},
      {"foreground",
       "configmaps",
       "ConfigMap",
       "{}",
       R"({"propagationPolicy":"Foreground"})",
       true,
       false,
       {"foregroundDeletion"}},
      {"background takes the others back",
       "configmaps",
       "ConfigMap",
       R"({"metadata":{"finalizers":["orphan"]}})",
       R"({"propagationPolicy":"Background"})",
       false,
       true,
       {}},
      {"a controller orphans",
       "replicationcontrollers",
       "ReplicationController",
       "{}",
       "{}",
       true,
       false,
       {"orphan"}},
      {"a pod without a node", "pods", "Pod", "{}", "{}", true, true, {}},
      {"a pod on a node",
       "pods",
       "Pod",
       R"({"spec":{"nodeName":"n","terminationGracePeriodSeconds":30}})",
       "{}",
       true,
       false,
       {}},
      {"a pod that is through",
       "pods",
       "Pod",
       R"({"spec":{"nodeName":"n"},"status":{"phase":"Failed"}})",
       "{}",
       true,
       true,
       {}},
      {"a pod at once",
       "pods",
       "Pod",
       R"({"spec":{"nodeName":"n"}})",
       R"({"gracePeriodSeconds":0})",
       true,
       true,
       {}},
      {"a namespace",
       "namespaces",
       "Namespace",
       R"({"spec":{"finalizers":["kubernetes"]}})",
       "{}",
       true,
       false,
       {}},
  };
  const Resources resources = Resources::BuiltIn();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Object object = Decoded(row.kind, row.object);
    const codec::AnyObject options = *codec::AnyObject::DecodeJson(
        *api::FindKind("v1", "DeleteOptions"), absl::string_view(row.options));
    const absl::StatusOr<DeletionPlan> plan = PlanDeletion(
        *resources.Find("", "v1", row.plural), object, *options.As<metav1::DeleteOptions>(), kNow);
    ASSERT_THAT(plan, base::IsOk());
    EXPECT_EQ(plan->store, row.store);
    EXPECT_EQ(plan->remove, row.remove);
    std::vector<std::string> finalizers;
    for (const String& each : object.metadata().finalizers) finalizers.push_back(each);
    EXPECT_EQ(finalizers, row.finalizers);
    EXPECT_EQ(object.metadata().deletion_timestamp.has_value(), row.store);
  }
}

TEST(Deletion, LooksAtPreconditions) {
  const Resources resources = Resources::BuiltIn();
  Object object = Decoded("ConfigMap", R"({"metadata":{"name":"a","uid":"u"}})");
  metav1::DeleteOptions options;
  options.preconditions.emplace().uid = "v";
  EXPECT_THAT(PlanDeletion(*resources.Find("", "v1", "configmaps"), object, options, kNow),
              base::StatusIs(absl::StatusCode::kAborted));
}

TEST(Strategy, GenerationsGrowWithTheSpecAlone) {
  const Resources resources = Resources::BuiltIn();
  const Resource& pods = *resources.Find("", "v1", "pods");
  Object old = Decoded("Pod", R"({"metadata":{"name":"p"},"spec":{"priority":1}})");
  PrepareForCreate(pods, old);
  EXPECT_EQ(old.metadata().generation, 1);
  Object labelled = old.Copy();
  labelled.metadata().labels["a"] = "b";
  labelled.metadata().generation = 9;
  PrepareForUpdate(pods, "", old, labelled);
  EXPECT_EQ(labelled.metadata().generation, 1);
  Object changed = old.Copy();
  changed.As<api::core::v1::Pod>()->spec.priority = 2;
  Object bound = changed.Copy();
  PrepareForUpdate(pods, "", old, changed);
  EXPECT_EQ(changed.metadata().generation, 2);
  PrepareForUpdate(pods, "binding", old, bound);
  EXPECT_EQ(bound.metadata().generation, 1);
}

TEST(ServiceAddresses, AreDifferent) {
  ServiceAddresses addresses;
  api::core::v1::Service a;
  a.spec.type = "NodePort";
  a.spec.ports = {{.port = 80}};
  api::core::v1::Service b = a;
  ASSERT_THAT(addresses.Assign(a), base::IsOk());
  ASSERT_THAT(addresses.Assign(b), base::IsOk());
  EXPECT_EQ(a.spec.cluster_ip, "10.0.0.2");
  EXPECT_EQ(b.spec.cluster_ip, "10.0.0.3");
  EXPECT_EQ(a.spec.ports[0].node_port, 30000);
  EXPECT_EQ(b.spec.ports[0].node_port, 30001);
  api::core::v1::Service external;
  external.spec.type = "ExternalName";
  ASSERT_THAT(addresses.Assign(external), base::IsOk());
  EXPECT_TRUE(external.spec.cluster_ip.empty());
}

}  // namespace
}  // namespace kube::apiserver::internal
