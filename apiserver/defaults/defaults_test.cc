#include "apiserver/defaults/defaults.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "api/all_kinds.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

constexpr char kContainer[] =
    R"({"name":"c","image":"i:1","resources":{},"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"})";

// As kube-apiserver answers to the creation of the same objects.
TEST(Defaults, OfKinds) {
  struct Row {
    std::string name, api_version, kind, object, want;
  };
  const std::string container = kContainer;
  const std::string pod_spec =
      R"({"containers":[)" + container +
      R"(],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
      R"("securityContext":{},"schedulerName":"default-scheduler")";
  const std::string bare = R"({"containers":[{"name":"c","image":"i:1"}]})";
  const std::vector<Row> rows = {
      {"pod", "v1", "Pod", R"({"spec":)" + bare + "}",
       R"({"metadata":{},"spec":)" + pod_spec + R"(,"enableServiceLinks":true},"status":{}})"},
      {"replica set", "apps/v1", "ReplicaSet",
       R"({"spec":{"selector":{},"template":{"spec":)" + bare + "}}}",
       R"({"metadata":{},"spec":{"replicas":1,"selector":{},"template":{"metadata":{},"spec":)" +
           pod_spec + R"(}}},"status":{"replicas":0}})"},
      {"service", "v1", "Service", R"({"spec":{"ports":[{"port":80}]}})",
       R"({"metadata":{},"spec":{"ports":[{"protocol":"TCP","port":80,"targetPort":80}],)"
       R"("type":"ClusterIP","sessionAffinity":"None","internalTrafficPolicy":"Cluster"},)"
       R"("status":{"loadBalancer":{}}})"},
      {"secret", "v1", "Secret", "{}", R"({"metadata":{},"type":"Opaque"})"},
      {"storage class", "storage.k8s.io/v1", "StorageClass", R"({"provisioner":"p"})",
       R"({"metadata":{},"provisioner":"p","reclaimPolicy":"Delete",)"
       R"("volumeBindingMode":"Immediate"})"},
      {"one without defaults", "v1", "ConfigMap", "{}", R"({"metadata":{}})"},
  };
  for (const Row& row : rows) {
    absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
        *api::FindKind(row.api_version, row.kind), absl::string_view(row.object));
    ASSERT_THAT(object, base::IsOk()) << row.name;
    SetDefaults(*object);
    EXPECT_THAT(object->EncodeJson(), base::IsOkAndHolds(row.want)) << row.name;
    // Again, it changes nothing.
    SetDefaults(*object);
    EXPECT_THAT(object->EncodeJson(), base::IsOkAndHolds(row.want)) << row.name;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
