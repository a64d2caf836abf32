#include "apiserver/defaults/defaults.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "apiserver/defaults/overlaid.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/thread_cpu_time.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr char kContainer[] =
    R"({"name":"c","image":"i:1","resources":{},"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"})";

// The results are those of kube-apiserver for the same objects.
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
      {"secret with texts", "v1", "Secret",
       R"({"data":{"b":"Yg==","c":"Yw=="},"stringData":{"a":"1","b":"2","d":""}})",
       R"({"metadata":{},"data":{"a":"MQ==","b":"Mg==","c":"Yw==","d":""},"type":"Opaque"})"},
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

TEST(Defaults, OverlaidMapsAreMerged) {
  struct Row {
    std::string name;
    Map<String> base, over, want;
  };
  const Row rows[] = {
      {"nothing over null", {}, {}, {}},
      {"nothing over some", {{"a", "1"}}, {}, {{"a", "1"}}},
      {"some over nothing", {}, {{"a", "1"}}, {{"a", "1"}}},
      {"before", {{"b", "1"}}, {{"a", "2"}}, {{"a", "2"}, {"b", "1"}}},
      {"behind", {{"a", "1"}}, {{"b", "2"}}, {{"a", "1"}, {"b", "2"}}},
      {"the same", {{"a", "1"}, {"b", "1"}}, {{"a", "2"}, {"b", "2"}}, {{"a", "2"}, {"b", "2"}}},
      {"in between",
       {{"a", "1"}, {"c", "1"}, {"d", "1"}},
       {{"b", "2"}, {"c", "2"}},
       {{"a", "1"}, {"b", "2"}, {"c", "2"}, {"d", "1"}}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Overlaid(row.base, row.over), row.want) << row.name;
    EXPECT_EQ(Overlaid(row.base, row.over).is_null(), row.want.is_null()) << row.name;
  }
}

// As many keys as fit into a request of 3 MB, all of which sort before the existing ones. When each
// insertion moved those, this took eleven seconds.
TEST(Defaults, ManyKeysTakeLinearTime) {
  constexpr size_t kKeys = 100'000;
  const auto fill = [](auto& map, absl::string_view prefix, const auto& value) {
    for (size_t i = 0; i < kKeys; ++i) map[absl::StrCat(prefix, 1'000'000 + i)] = value;
  };
  codec::AnyObject secrets(*api::FindKind("v1", "Secret"));
  codec::AnyObject pods(*api::FindKind("v1", "Pod"));
  corev1::Secret& secret = *secrets.As<corev1::Secret>();
  fill(secret.data, "b", Bytes("x"));
  fill(secret.string_data, "a", String("x"));
  pods.As<corev1::Pod>()->spec.containers = {{.name = "c", .image = "i:1"}};
  corev1::ResourceRequirements& resources = pods.As<corev1::Pod>()->spec.containers[0].resources;
  fill(resources.requests, "b", Quantity());
  fill(resources.limits, "a", Quantity());

  const absl::Duration begin = oracle::ThreadCpuTime();
  SetDefaults(secrets);
  SetDefaults(pods);
  EXPECT_LT(oracle::ThreadCpuTime() - begin, absl::Seconds(5));
  EXPECT_EQ(secret.data.size(), 2 * kKeys);
  EXPECT_EQ(resources.requests.size(), 2 * kKeys);
}

}  // namespace
}  // namespace kube::apiserver::internal
