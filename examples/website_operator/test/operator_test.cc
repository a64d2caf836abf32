// The operator on the embedded API server, with the rights that its manifest gives it and the
// controllers that make pods of Deployments, in virtual time.
#include "examples/website_operator/operator.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/workloads/workloads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sites {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
using kube::Context;
using kube::WithTimeout;
using kube::base::IsOk;
using testing::Contains;
using v1::Website;

constexpr char kCrds[] = "examples/website_operator/website_crds.yaml";
constexpr char kManifest[] = "examples/website_operator/deploy/website-operator.yaml";
constexpr char kAccount[] = "system:serviceaccount:website-operator:website-operator";

void Sleep(absl::Duration duration) {
  ASSERT_THAT(kube::base::SleepFor(Context(), duration), IsOk());
}

// A cluster, and the operator in it once it is started.
class Cluster {
 public:
  Cluster()
      : server_(kube::apiserver::HandlerOptions{.authorization =
                                                    kube::apiserver::Authorization::kRbac}),
        client_(*kube::kubernetes::Clientset::Make(kube::envtest::InProcessConfig(server_))) {}

  void Start() {
    const auto installed =
        kube::envtest::InstallCrds(Context(), client_.client(), {.paths = {kCrds}});
    ASSERT_THAT(installed, IsOk());
    auto workloads = kube::envtest::Workloads::Start(kube::envtest::InProcessConfig(server_),
                                                     {.pod_ready_after = absl::Seconds(1)});
    ASSERT_THAT(workloads, IsOk());
    workloads_ = *std::move(workloads);
    const auto config = kube::envtest::ServiceAccountConfig(
        Context(), kube::envtest::InProcessConfig(server_), {.paths = {kManifest}});
    ASSERT_THAT(config, IsOk());

    kube::controller::ManagerOptions options = {.name = "website-operator"};
    options.leader_election =
        kube::controller::LeaseOptions{.lease = {.namespace_name = kOperatorNamespace}};
    options.health.reset();  // a simulation has no ports
    auto manager = kube::controller::Manager::Make(*config, std::move(options));
    ASSERT_THAT(manager, IsOk());
    manager_ = *std::move(manager);
    operator_.emplace(*manager_);
    ASSERT_THAT(thread_.Start(Context(), "operator",
                              [this](const Context& ctx) { end_ = manager_->Run(ctx); }),
                IsOk());
  }
  // Returns what Run has returned.
  absl::Status Stop() {
    thread_.RequestStop();
    thread_.Join();
    return end_;
  }

  // Keeps the operator's watches of a resource as they are until the rule is removed.
  kube::apiserver::FaultId LagBehind(const char* resource) {
    return server_.faults().Add({.verbs = {"watch"},
                                 .resource = resource,
                                 .user = kAccount,
                                 .fault = kube::apiserver::fault::Lag{.revisions = 1'000'000}});
  }
  void CatchUp(kube::apiserver::FaultId lag) { server_.faults().Remove(lag); }

  v1::WebsiteClient websites() const { return {client_.client(), "default"}; }
  appsv1::DeploymentClient deployments() const { return client_.AppsV1().Deployments("default"); }
  corev1::ConfigMapClient config_maps() const { return client_.CoreV1().ConfigMaps("default"); }
  corev1::ConfigMapClient directories() const {
    return client_.CoreV1().ConfigMaps(kOperatorNamespace);
  }

  Website blog() const {
    const auto found = websites().Get(Context(), "blog");
    return found.ok() ? *found : Website();
  }
  appsv1::Deployment deployment() const {
    const auto found = deployments().Get(Context(), "blog");
    return found.ok() ? *found : appsv1::Deployment();
  }
  bool HasDeployment() const { return !deployment().metadata.uid.empty(); }
  // Returns the address in the directory, or "".
  std::string Address() const {
    const auto found = directories().Get(Context(), kDirectory);
    return found.ok() ? std::string(found->data.value_or("default.blog", "")) : "";
  }
  std::string Reason() const {
    const Website website = blog();
    const auto* ready = kube::meta::FindStatusCondition(website.status.conditions, kReady);
    return ready == nullptr ? "" : std::string(ready->reason);
  }
  bool IsReady() const {
    const Website website = blog();
    return kube::meta::IsStatusConditionTrue(website.status.conditions, kReady) &&
           website.status.observed_generation == website.metadata.generation;
  }
  std::vector<std::string> Events() const {
    std::vector<std::string> texts;
    const auto list = client_.CoreV1().Events("default").List(Context());
    if (!list.ok()) return texts;
    for (const corev1::Event& event : list->items) {
      if (event.involved_object.kind != "Website") continue;
      texts.push_back(
          absl::StrCat(event.type.view(), " ", event.reason.view(), ": ", event.message.view()));
    }
    return texts;
  }

  void CreateContent() const {
    const corev1::ConfigMap content = {.metadata = {.name = "posts"},
                                       .data = {{"index.html", "hello"}}};
    ASSERT_THAT(config_maps().Create(Context(), content), IsOk());
  }
  void CreateBlog(int replicas) const {
    const Website website = {.metadata = {.name = "blog"},
                             .spec = {.content = "posts", .replicas = replicas}};
    ASSERT_THAT(websites().Create(Context(), website), IsOk());
  }
  void Scale(int replicas) const {
    ASSERT_THAT(websites().Edit(Context(), "blog",
                                [replicas](Website& website) {
                                  website.spec.replicas = replicas;
                                  return absl::OkStatus();
                                }),
                IsOk());
  }

 private:
  kube::apiserver::ApiHandler server_;
  const kube::kubernetes::Clientset client_;
  std::unique_ptr<kube::envtest::Workloads> workloads_;
  std::unique_ptr<kube::controller::Manager> manager_;
  std::optional<WebsiteOperator> operator_;
  absl::Status end_;
  kube::base::Thread thread_;
};

// In virtual time: no test waits.
void Simulate(const std::function<void(Cluster&)>& test) {
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    Cluster cluster;
    test(cluster);
  });
  ASSERT_THAT(end, IsOk());
}

void Await(absl::string_view what, const std::function<bool()>& reached) {
  const Context ctx = WithTimeout(Context(), absl::Minutes(5));
  while (!reached()) {
    ASSERT_THAT(kube::base::SleepFor(ctx, absl::Milliseconds(50)), IsOk()) << what;
  }
}

class WebsiteOperatorTest : public testing::Test {
 protected:
  const kube::log::LogCapture quiet_;
};

TEST_F(WebsiteOperatorTest, AWebsite_GetsServersAnAddressAndAStatus) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateContent();
    cluster.CreateBlog(/*replicas=*/2);
    Await("status", [&] { return cluster.IsReady(); });

    const Website website = cluster.blog();
    EXPECT_EQ(website.status.ready_replicas, 2);
    EXPECT_EQ(cluster.Reason(), "AllReplicasReady");
    EXPECT_TRUE(kube::meta::ContainsFinalizer(website.metadata, kFinalizer));
    EXPECT_EQ(cluster.Address(), "blog.default.sites.example.com");
    const appsv1::Deployment deployment = cluster.deployment();
    EXPECT_TRUE(kube::meta::IsControlledBy(deployment.metadata, website.metadata));
    EXPECT_EQ(deployment.spec.replicas, 2);
    const corev1::PodSpec& pod = deployment.spec.template_.spec;
    ASSERT_EQ(pod.containers.size(), 1u);
    EXPECT_EQ(pod.containers[0].image, "nginx:1.27");
    ASSERT_EQ(pod.volumes.size(), 1u);
    Await("event", [&] { return !cluster.Events().empty(); });
    EXPECT_THAT(cluster.Events(), Contains("Normal Ready: 2 of 2 replicas"));
    EXPECT_THAT(cluster.Stop(), IsOk());
  });
}

TEST_F(WebsiteOperatorTest, TheContentIsMissing_TheStatusSaysSoUntilItIsThere) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateBlog(/*replicas=*/1);
    Await("reason", [&] { return cluster.Reason() == "ContentMissing"; });
    EXPECT_FALSE(cluster.HasDeployment());
    cluster.CreateContent();
    Await("status", [&] { return cluster.IsReady(); });
  });
}

TEST_F(WebsiteOperatorTest, TheContentChanges_ThePodsAreReplaced) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateContent();
    cluster.CreateBlog(/*replicas=*/1);
    Await("status", [&] { return cluster.IsReady(); });
    const kube::Map<kube::String> before = cluster.deployment().spec.template_.metadata.annotations;
    ASSERT_THAT(cluster.config_maps().Edit(Context(), "posts",
                                           [](corev1::ConfigMap& content) {
                                             content.data["index.html"] = "hello again";
                                             return absl::OkStatus();
                                           }),
                IsOk());
    Await("rollout", [&] {
      return !(cluster.deployment().spec.template_.metadata.annotations == before) &&
             cluster.IsReady();
    });
  });
}

TEST_F(WebsiteOperatorTest, OthersScaleTheDeployment_ItIsScaledBack) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateContent();
    cluster.CreateBlog(/*replicas=*/2);
    Await("status", [&] { return cluster.IsReady(); });
    ASSERT_THAT(cluster.deployments().Edit(Context(), "blog",
                                           [](appsv1::Deployment& deployment) {
                                             deployment.spec.replicas = 7;
                                             return absl::OkStatus();
                                           }),
                IsOk());
    Await("replicas", [&] { return cluster.deployment().spec.replicas == 2; });
  });
}

TEST_F(WebsiteOperatorTest, TheWebsiteIsDeleted_NothingIsLeft) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateContent();
    cluster.CreateBlog(/*replicas=*/1);
    Await("status", [&] { return cluster.IsReady(); });
    ASSERT_THAT(cluster.websites().Delete(Context(), "blog"), IsOk());
    Await("the end of the website", [&] { return cluster.blog().metadata.uid.empty(); });
    EXPECT_EQ(cluster.Address(), "");
    Sleep(absl::Minutes(1));
    EXPECT_FALSE(cluster.HasDeployment());
    EXPECT_EQ(cluster.Address(), "");
  });
}

TEST_F(WebsiteOperatorTest, TheCacheOfDeploymentsIsBehind_ThereIsOneAndItFollows) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateContent();
    Sleep(absl::Seconds(10));  // its caches are full, and it leads
    const kube::apiserver::FaultId lag = cluster.LagBehind("deployments");
    cluster.CreateBlog(/*replicas=*/1);
    Await("deployment", [&] { return cluster.deployment().spec.replicas == 1; });
    const kube::String uid = cluster.deployment().metadata.uid;
    cluster.Scale(3);
    Await("replicas", [&] { return cluster.deployment().spec.replicas == 3; });
    cluster.CatchUp(lag);
    Await("status", [&] { return cluster.IsReady() && cluster.blog().status.ready_replicas == 3; });
    EXPECT_EQ(cluster.deployment().metadata.uid, uid);
  });
}

TEST_F(WebsiteOperatorTest, TheCacheOfWebsitesIsBehindAFinalizedOne_NothingComesBack) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    cluster.CreateContent();
    cluster.CreateBlog(/*replicas=*/1);
    Await("status", [&] { return cluster.IsReady(); });
    const kube::apiserver::FaultId lag = cluster.LagBehind("websites");
    // What another leader does.
    ASSERT_THAT(cluster.directories().Edit(Context(), kDirectory,
                                           [](corev1::ConfigMap& directory) {
                                             directory.data.erase("default.blog");
                                             return absl::OkStatus();
                                           }),
                IsOk());
    Sleep(absl::Seconds(1));
    ASSERT_THAT(cluster.websites().Edit(Context(), "blog",
                                        [](Website& website) {
                                          kube::meta::RemoveFinalizer(website.metadata, kFinalizer);
                                          return absl::OkStatus();
                                        }),
                IsOk());
    // The end of the Deployment calls the operator, whose cache still has the Website.
    ASSERT_THAT(cluster.websites().Delete(Context(), "blog"), IsOk());
    Sleep(absl::Minutes(1));
    EXPECT_EQ(cluster.Address(), "");
    EXPECT_FALSE(cluster.HasDeployment());
    cluster.CatchUp(lag);
    Sleep(absl::Minutes(1));
    EXPECT_EQ(cluster.Address(), "");
    EXPECT_FALSE(cluster.HasDeployment());
  });
}

}  // namespace
}  // namespace sites
