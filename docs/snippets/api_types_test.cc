// The code in docs/api-types.md about objects and their values. What it prints there is checked
// here.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/parse.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace appsv1 = kube::api::apps::v1;
namespace coordinationv1 = kube::api::coordination::v1;
namespace corev1 = kube::api::core::v1;

namespace {

using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::FieldsAre;

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

corev1::Pod Web() {
  corev1::Pod pod{
      .metadata = {.name = "web-0", .namespace_ = "prod", .labels = {{"app", "web"}}},
      .spec = {.containers = {{
                   .name = "main",
                   .image = "nginx:1.27",
                   .ports = {{.container_port = 8080}},
                   .env = {{.name = "MODE", .value = "fast"}},
                   .resources = {.limits = {{"cpu", "500m"}, {"memory", "1Gi"}}},
                   .readiness_probe =
                       corev1::Probe{.http_get = {{.path = "/healthz", .port = 8080}},
                                     .period_seconds = 5},
               }},
               .termination_grace_period_seconds = 30},
  };
  return pod;
}

TEST(BuildingTest, DesignatedInitializers) {
  const corev1::Pod pod = Web();
  EXPECT_EQ(pod.spec.containers[0].readiness_probe->http_get->path, "/healthz");
  EXPECT_EQ(pod.spec.containers[0].readiness_probe->period_seconds, 5);
  EXPECT_EQ(pod.spec.termination_grace_period_seconds, 30);
}

TEST(BuildingTest, Assignment) {
  corev1::Pod pod;
  pod.metadata.name = "web-0";
  pod.metadata.labels["app"] = "web";
  pod.spec.containers.push_back({.name = "main", .image = "nginx:1.27"});
  pod.spec.containers[0].readiness_probe.emplace().period_seconds = 5;
  EXPECT_EQ(pod.spec.containers[0].readiness_probe->period_seconds, 5);
  EXPECT_EQ(*pod.metadata.labels.find("app"), "web");
}

TEST(ReadingTest, Members) {
  corev1::Pod pod = Web();
  pod.status.phase = corev1::kPodRunning;
  std::string out;
  for (const corev1::Container& container : pod.spec.containers) {
    absl::StrAppend(&out, container.name.view(), "=", container.image.view(), "\n");
  }
  for (const auto& [key, value] : pod.metadata.labels) {
    absl::StrAppend(&out, key.view(), ":", value.view(), "\n");
  }
  if (const kube::String* app = pod.metadata.labels.find("app"); app != nullptr && *app == "web") {
    out += "the web\n";
  }
  if (pod.status.phase == corev1::kPodRunning) out += "running\n";
  EXPECT_EQ(out, "main=nginx:1.27\napp:web\nthe web\nrunning\n");
}

TEST(StringTest, Conversions) {
  corev1::Pod pod;
  const std::string text = "web-0";
  pod.metadata.name = text;  // and from literals, absl::string_view, std::string_view
  const std::string name = pod.metadata.name;
  const absl::string_view view = pod.metadata.name.view();  // good until it is assigned to
  const std::string key = pod.metadata.namespace_ + "/" + pod.metadata.name;
  EXPECT_EQ(name, "web-0");
  EXPECT_EQ(view, "web-0");
  EXPECT_EQ(key, "/web-0");
}

TEST(ListTest, NullAndEmpty) {
  kube::List<int32_t> ports;  // null
  EXPECT_TRUE(ports.is_null() && ports.empty());
  ports.clear();  // empty, but there
  EXPECT_TRUE(!ports.is_null() && ports.empty());
  EXPECT_EQ(ports, kube::List<int32_t>());  // == takes them for equal
  ports.reset();                            // null again
  EXPECT_TRUE(ports.is_null());
}

TEST(ContainersTest, Conversions) {
  corev1::Container container;
  container.args = std::vector<std::string>{"-v", "2"};
  const std::vector<std::string> args = container.args;
  corev1::ConfigMap config;
  config.data = std::map<std::string, std::string>{{"mode", "fast"}};
  const std::map<std::string, std::string> data = config.data;
  config.binary_data["logo"] = std::vector<uint8_t>{0x89, 0x50};
  const std::string logo = *config.binary_data.find("logo");
  EXPECT_THAT(args, ElementsAre("-v", "2"));
  EXPECT_EQ(data.at("mode"), "fast");
  EXPECT_EQ(logo, "\x89\x50");
}

TEST(MapTest, ReadingAndAdding) {
  corev1::Pod pod{.metadata = {.labels = {{"app", "web"}}}};
  const kube::String tier = pod.metadata.labels.value_or("tier", "none");
  pod.metadata.labels["tier"] = "front";
  const bool erased = pod.metadata.labels.erase("app");
  EXPECT_EQ(tier, "none");
  EXPECT_TRUE(erased);
  EXPECT_THAT(pod.metadata.labels, ElementsAre(FieldsAre("tier", "front")));
}

TEST(ListTest, Finalizers) {
  corev1::Pod pod{.metadata = {.finalizers = {"example.com/a", "example.com/b"}}};
  erase_if(pod.metadata.finalizers,
           [](const kube::String& finalizer) { return finalizer == "example.com/a"; });
  EXPECT_THAT(pod.metadata.finalizers, ElementsAre("example.com/b"));
}

TEST(OptTest, AbsentIsNotZero) {
  appsv1::Deployment deployment;
  EXPECT_FALSE(deployment.spec.replicas.has_value());  // the server's default
  EXPECT_EQ(deployment.spec.replicas.value_or(1), 1);  // (ptr.Deref)
  deployment.spec.replicas = 0;                        // none
  EXPECT_TRUE(deployment.spec.replicas == 0);          // there, and 0
  EXPECT_FALSE(deployment.spec.replicas == std::nullopt);
  deployment.spec.replicas.reset();
  const std::optional<int32_t> replicas = deployment.spec.replicas;
  EXPECT_EQ(replicas, std::nullopt);
}

TEST(BoxTest, OwnsItsValue) {
  corev1::Container container{.readiness_probe = {{.period_seconds = 5}}};
  container.liveness_probe = container.readiness_probe;  // a copy of the value, unlike in Go
  container.liveness_probe->period_seconds = 60;
  EXPECT_EQ(container.readiness_probe->period_seconds, 5);
  if (container.startup_probe) ADD_FAILURE() << "it has none";
}

TEST(TimesTest, Conversions) {
  const absl::Time now = absl::FromUnixSeconds(1767225600);
  corev1::Pod pod;
  EXPECT_TRUE(pod.metadata.creation_timestamp.IsZero());  // not created yet
  pod.metadata.creation_timestamp = now - absl::Minutes(5);
  const absl::Duration age = now - pod.metadata.creation_timestamp.ToAbslTime();
  coordinationv1::Lease lease{.spec = {.renew_time = now}};  // MicroTime
  EXPECT_EQ(age, absl::Minutes(5));
  EXPECT_EQ(lease.spec.renew_time->ToString(), "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(pod.metadata.creation_timestamp.ToString(), "2025-12-31T23:55:00Z");
}

TEST(QuantityTest, IsItsText) {
  corev1::ResourceRequirements resources{.limits = {{"cpu", "500m"}, {"memory", "1024Mi"}}};
  EXPECT_EQ(resources.limits["cpu"].MilliValue(), 500);
  EXPECT_EQ(resources.limits["memory"], "1Gi");
  EXPECT_LT(resources.limits["cpu"], "1");
  EXPECT_EQ(resources.limits["memory"].source(), "1024Mi");  // as it came
  EXPECT_EQ(resources.limits["memory"].ToString(), "1Gi");   // as Go writes it

  const absl::StatusOr<kube::Quantity> typed = kube::ParseQuantity("1 Gi");  // of a user
  EXPECT_THAT(typed, StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(IntOrStringTest, EitherOfThem) {
  corev1::ServicePort port{.port = 80, .target_port = "http"};
  EXPECT_TRUE(port.target_port.is_string());
  EXPECT_EQ(port.target_port.text(), "http");
  port.target_port = 8080;
  EXPECT_EQ(port.target_port.IntValue(), 8080);
}

TEST(RawTest, KeepsItsText) {
  appsv1::ControllerRevision revision{.data = R"({"spec": {"replicas": 3}})", .revision = 7};
  EXPECT_EQ(revision.data.content_type(), "application/json");
  EXPECT_EQ(revision.data.view(), R"({"spec": {"replicas": 3}})");
  revision.data.reset();
  EXPECT_TRUE(revision.data.is_null());
}

TEST(CachedTest, IsReadOnlyAllTheWayDown) {
  const std::shared_ptr<const corev1::Pod> cached = std::make_shared<const corev1::Pod>(Web());
  // cached->spec.containers[0].image = "x";             // does not compile
  // cached->metadata.labels["app"] = "x";               // nor does this
  corev1::Pod copy = *cached;  // deep, with memory of its own
  copy.spec.containers[0].image = "nginx:1.28";
  EXPECT_EQ(cached->spec.containers[0].image, "nginx:1.27");

  // A part that keeps the whole alive.
  const std::shared_ptr<const corev1::Container> container(cached, &cached->spec.containers[0]);
  EXPECT_EQ(container->name, "main");
  static_assert(!std::is_assignable_v<decltype((cached->spec.containers[0].image)), const char*>);
}

TEST(ComparingTest, IsSemantic) {
  corev1::Pod pod = Web();
  corev1::Pod other = pod;
  EXPECT_EQ(other, pod);
  other.spec.containers[0].resources.limits["memory"] = "1024Mi";  // the same number
  other.spec.volumes.clear();                                      // empty instead of null
  EXPECT_EQ(other, pod);
  EXPECT_NE(other.spec.containers[0], corev1::Container{});

  absl::flat_hash_set<corev1::PodSpec> specs;
  specs.insert(pod.spec);
  EXPECT_TRUE(specs.contains(other.spec));
}

TEST(PrintingTest, ShowsNoBytes) {
  const corev1::Secret secret{.metadata = {.name = "db"}, .data = {{"password", "hunter2"}}};
  EXPECT_EQ(Printed(secret), "{metadata: {name: \"db\"}, data: {password: <7 bytes>}}");

  // Not in the guide, but said there.
  const corev1::Secret text{.string_data = {{"password", "hunter2"}}};
  EXPECT_EQ(Printed(text), "{stringData: {password: <7 bytes>}}");
  const appsv1::ControllerRevision revision{.data = R"({"a":1})"};
  EXPECT_EQ(Printed(revision), "{data: <7 bytes>}");
}

TEST(NamesTest, KeywordsHaveAnUnderscore) {
  appsv1::Deployment deployment{
      .metadata = {.namespace_ = "prod"},
      .spec = {.template_ = {.spec = {.containers = {{.name = "main", .stdin_ = true}}}}}};
  EXPECT_TRUE(deployment.spec.template_.spec.containers[0].stdin_);
}

}  // namespace
