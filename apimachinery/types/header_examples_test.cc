// The examples of this folder's headers that use generated types.

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace appsv1 = api::apps::v1;
namespace coordinationv1 = api::coordination::v1;
namespace corev1 = api::core::v1;

using ::testing::HasSubstr;

TEST(ApplyOfTest, IsAnAggregate_AsInTheHeader) {
  const ApplyOf<appsv1::Deployment> web = {.metadata = {{.name = "web"}},
                                           .spec = {{.replicas = 0}}};
  EXPECT_EQ(web.metadata->name, "web");
  EXPECT_EQ(web.spec->replicas, 0);
  EXPECT_FALSE(web.spec->paused.has_value());
}

TEST(BoxTest, IsAssignedAndReset_AsInTheHeader) {
  corev1::Container container;
  container.readiness_probe = corev1::Probe{.period_seconds = 5};
  if (container.readiness_probe) container.readiness_probe->timeout_seconds = 1;
  container.readiness_probe.reset();
  container = {.readiness_probe = {{.period_seconds = 5}}};  // the type, or more braces
  ASSERT_TRUE(container.readiness_probe.has_value());
  EXPECT_EQ(container.readiness_probe->period_seconds, 5);
  EXPECT_EQ(container.readiness_probe->timeout_seconds, 0);
}

TEST(BytesTest, ConvertFromAndToTexts_AsInTheHeader) {
  const std::string pem = "-----BEGIN PRIVATE KEY-----";
  corev1::Secret secret;
  corev1::ConfigMap config_map;
  config_map.binary_data["logo.png"] = std::vector<uint8_t>{0x89, 0x50};
  secret.data["tls.key"] = pem;                    // also from either string view and literals
  const std::string key = secret.data["tls.key"];  // also to either string view
  const std::vector<uint8_t> logo = config_map.binary_data["logo.png"];
  EXPECT_EQ(key, pem);
  EXPECT_EQ(logo, (std::vector<uint8_t>{0x89, 0x50}));
}

TEST(IntOrStringTest, IsMadeOfBoth_AsInTheHeader) {
  corev1::Service service;
  appsv1::Deployment deployment;
  service.spec.ports = {{.port = 80, .target_port = 8080}};
  deployment.spec.strategy.rolling_update = appsv1::RollingUpdateDeployment{.max_surge = "25%"};
  const std::string port = service.spec.ports[0].target_port.ToString();  // "8080"
  EXPECT_EQ(port, "8080");
  EXPECT_EQ(deployment.spec.strategy.rolling_update->max_surge->text(), "25%");
}

TEST(KindInfoTest, NamesEachKind_AsInTheHeader) {
  std::ostringstream out;
  for (const KindInfo& kind : kube::api::apps::v1::Kinds()) {
    out << kind.kind << " " << kind.plural << "\n";  // "Deployment deployments" ...
  }
  EXPECT_THAT(out.str(), HasSubstr("Deployment deployments\n"));
}

TEST(ListTest, IsUsedLikeAVector_AsInTheHeader) {
  std::ostringstream out;
  corev1::Pod pod;
  pod.spec.containers = {{.name = "main", .image = "nginx"}};
  pod.spec.containers.push_back({.name = "sidecar"});
  for (const corev1::Container& c : pod.spec.containers) out << c.name << "\n";
  EXPECT_EQ(out.str(), "main\nsidecar\n");
}

TEST(MapTest, IsUsedLikeAMap_AsInTheHeader) {
  std::ostringstream out;
  corev1::Pod pod;
  pod.metadata.labels = {{"app", "web"}, {"tier", "front"}};
  pod.metadata.annotations["touched-by"] = "demo";
  if (const String* app = pod.metadata.labels.find("app")) out << "this is " << *app << "\n";
  for (const auto& [key, value] : pod.metadata.labels) out << key << "=" << value << "\n";
  EXPECT_EQ(out.str(), "this is web\napp=web\ntier=front\n");
  EXPECT_EQ(pod.metadata.annotations.value_or("touched-by", ""), "demo");
}

TEST(MicroTimeTest, ConvertsFromAndToAbsl_AsInTheHeader) {
  const absl::Time now = absl::FromUnixMicros(1767225600000001);
  coordinationv1::Lease lease;
  lease.spec.renew_time = now;  // from absl::Time
  const absl::Time renewed = lease.spec.renew_time->ToAbslTime();
  EXPECT_EQ(renewed, now);
}

TEST(OptTest, AbsentIsNotZero_AsInTheHeader) {
  appsv1::Deployment deployment;
  corev1::PersistentVolumeClaim claim;
  claim.spec.storage_class_name = "";
  deployment.spec.replicas = 3;
  const int32_t want = deployment.spec.replicas.value_or(1);
  deployment.spec.replicas.reset();
  const bool has_class = claim.spec.storage_class_name.has_value();  // also if it is ""
  EXPECT_EQ(want, 3);
  EXPECT_FALSE(deployment.spec.replicas.has_value());
  EXPECT_TRUE(has_class);
}

TEST(QuantityTest, IsMadeOfItsText_AsInTheHeader) {
  corev1::Container container;
  corev1::Node node;
  node.status.capacity["memory"] = "8192Mi";
  container.resources.limits = {{"cpu", "500m"}, {"memory", "1Gi"}};
  const bool is_small = node.status.capacity["memory"] < "16Gi";
  const int64_t millis = container.resources.limits["cpu"].MilliValue();  // 500
  EXPECT_TRUE(is_small);
  EXPECT_EQ(millis, 500);
}

TEST(RawTest, KeepsItsText_AsInTheHeader) {
  appsv1::ControllerRevision revision;
  revision.data = R"({"replicas": 3})";
  const absl::string_view json = revision.data.view();
  const bool is_null = revision.data.is_null();
  EXPECT_EQ(json, "{\"replicas\": 3}");
  EXPECT_FALSE(is_null);
}

TEST(StringTest, ConvertsFromAndToTexts_AsInTheHeader) {
  const corev1::Pod pod = {.metadata = {.name = "web-0", .namespace_ = "prod"}};
  String name = "web";      // from literals, std::string and either string view
  std::string text = name;  // also to either string view
  const std::string key = pod.metadata.namespace_ + "/" + pod.metadata.name;
  if (pod.metadata.name == "web-0") absl::StrAppend(&text, ": ", pod.metadata.name.view());
  EXPECT_EQ(key, "prod/web-0");
  EXPECT_EQ(text, "web: web-0");
}

TEST(TimeTest, ConvertsFromAndToAbsl_AsInTheHeader) {
  const absl::Time now = absl::FromUnixMillis(1767225600500);
  corev1::Pod pod;
  pod.metadata.creation_timestamp = now - absl::Minutes(5);
  pod.metadata.deletion_timestamp = Time::FromUnixSeconds(1767225600);
  pod.status.start_time = now;  // from absl::Time; the fraction is cut off
  const absl::Duration age = now - pod.metadata.creation_timestamp.ToAbslTime();
  const bool is_created = !pod.metadata.creation_timestamp.IsZero();
  EXPECT_EQ(pod.status.start_time, pod.metadata.deletion_timestamp);
  EXPECT_EQ(age, absl::Minutes(5) + absl::Milliseconds(500));
  EXPECT_TRUE(is_created);
}

}  // namespace
}  // namespace kube
