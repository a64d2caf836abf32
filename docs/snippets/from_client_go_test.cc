// The code in docs/from-client-go.md.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/authorization/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/watch/event.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/authorization/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/config.h"
#include "docs/snippets/widget.informers.kube.h"
#include "docs/snippets/widget.kube.h"
#include "envtest/fake/action.h"
#include "envtest/fake/clientset.h"
#include "envtest/fake/reaction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/kubernetes/apps/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

namespace {

namespace appsv1 = kube::api::apps::v1;
namespace authorizationv1 = kube::api::authorization::v1;
namespace autoscalingv1 = kube::api::autoscaling::v1;
namespace base = kube::base;
namespace clientcmd = kube::clientcmd;
namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace fake = kube::fake;
namespace pager = kube::pager;
namespace patch = kube::patch;
namespace rest = kube::rest;
namespace watch = kube::watch;
namespace widgetsv1 = example::widgets::v1;
using base::IsOk;
using kube::Context;
using kube::informers::AddEvent;
using kube::kubernetes::Clientset;
using kube::kubernetes::SharedInformerFactory;
using kube::listers::Lister;

absl::StatusOr<Clientset> Connect(const std::string& kubeconfig) {
  KUBE_ASSIGN_OR_RETURN(rest::Config config, clientcmd::LoadConfig({.kubeconfig = kubeconfig}));
  config.qps = 50;
  config.burst = 100;
  return Clientset::Make(config);
}

absl::StatusOr<int> Replicas(const Context& ctx, const Clientset& client) {
  const absl::StatusOr<appsv1::Deployment> web =
      client.AppsV1().Deployments("prod").Get(ctx, "web");
  if (errors::IsNotFound(web.status())) return 0;
  if (!web.ok()) return web.status();
  return web->spec.replicas.value_or(1);
}

absl::StatusOr<int> CountRunning(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(
      const corev1::PodList pods,
      client.CoreV1().Pods("").List(
          ctx, {.label_selector = "app in (web, api)", .field_selector = "status.phase=Running"}));
  return static_cast<int>(pods.items.size());
}

absl::StatusOr<int> CountNodes(const Context& ctx, const Clientset& client) {
  int count = 0;
  KUBE_RETURN_IF_ERROR(pager::PagerOf(client.CoreV1().Nodes().typed_client())
                           .EachItem(ctx, {}, [&count](const corev1::Node&) {
                             ++count;
                             return absl::OkStatus();
                           }));
  return count;
}

absl::Status CreateWeb(const Context& ctx, const Clientset& client) {
  appsv1::Deployment web = {.metadata = {.name = "web", .labels = {{"app", "web"}}}};
  web.spec.replicas = 3;
  web.spec.selector.emplace().match_labels = {{"app", "web"}};
  web.spec.template_.metadata.labels = {{"app", "web"}};
  web.spec.template_.spec.containers.push_back(
      {.name = "web", .image = "web:1", .ports = {{.container_port = 8080}}});
  const absl::Status status = client.AppsV1().Deployments("prod").Create(ctx, web).status();
  return errors::IsAlreadyExists(status) ? absl::OkStatus() : status;
}

corev1::Container SmallContainer() {
  return {.name = "web",
          .image = "web:1",
          .resources = {.requests = {{"cpu", "100m"}, {"memory", "64Mi"}}}};
}

absl::Status SetImage(const Context& ctx, const Clientset& client) {
  return client.AppsV1()
      .Deployments("prod")
      .Edit(ctx, "web",
            [](appsv1::Deployment& web) {
              web.spec.template_.spec.containers[0].image = "web:2";
              return absl::OkStatus();
            })
      .status();
}

absl::Status Annotate(const Context& ctx, const Clientset& client) {
  return client.AppsV1()
      .Deployments("prod")
      .Patch(ctx, "web", patch::PatchType::kMerge, R"({"metadata":{"annotations":{"a":"b"}}})")
      .status();
}

absl::Status ApplySettings(const Context& ctx, const Clientset& client) {
  const kube::ApplyOf<corev1::ConfigMap> settings = {.metadata = {{.name = "settings"}},
                                                     .data = {{"mode", "fast"}}};
  return client.CoreV1()
      .ConfigMaps("prod")
      .Apply(ctx, settings, {.force = true, .field_manager = "me"})
      .status();
}

absl::Status SetAvailable(const Context& ctx, const Clientset& client, appsv1::Deployment web) {
  web.status.available_replicas = 3;
  return client.AppsV1().Deployments("prod").UpdateStatus(ctx, web).status();
}

absl::Status ScaleTo(const Context& ctx, const Clientset& client, int replicas) {
  const appsv1::DeploymentClient deployments = client.AppsV1().Deployments("prod");
  KUBE_ASSIGN_OR_RETURN(autoscalingv1::Scale scale, deployments.GetScale(ctx, "web"));
  scale.spec.replicas = replicas;
  return deployments.UpdateScale(ctx, "web", scale).status();
}

absl::Status DeleteWeb(const Context& ctx, const Clientset& client) {
  return client.AppsV1().Deployments("prod").Delete(ctx, "web",
                                                    {.propagation_policy = "Foreground"});
}

absl::Status DeleteOldPods(const Context& ctx, const Clientset& client) {
  return client.CoreV1().Pods("prod").DeleteCollection(ctx, {.grace_period_seconds = 0},
                                                       {.label_selector = "age=old"});
}

absl::StatusOr<std::string> NextPod(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const auto watcher, client.CoreV1().Pods("prod").Watch(ctx));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(ctx));
    if (!event.has_value()) return absl::NotFoundError("the watch has ended");
    if (event->type == watch::EventType::kError) return event->error;
    if (event->type == watch::EventType::kAdded) return std::string(event->object->metadata.name);
  }
}

absl::Status WaitForPod(const Context& ctx, const Clientset& client) {
  return base::PollUntilTimeout(ctx, absl::Seconds(1), absl::Minutes(2), base::FirstPoll::kAtOnce,
                                [&client](const Context& now) -> absl::StatusOr<bool> {
                                  KUBE_ASSIGN_OR_RETURN(
                                      const corev1::Pod pod,
                                      client.CoreV1().Pods("prod").Get(now, "web-0"));
                                  return pod.status.phase == "Running";
                                });
}

absl::Status GetSoon(const Context& parent, const Clientset& client) {
  const Context ctx = kube::WithTimeout(parent, absl::Seconds(5));
  return client.CoreV1().Pods("prod").Get(ctx, "web-0").status();
}

absl::StatusOr<std::string> LastLines(const Context& ctx, const Clientset& client) {
  return client.CoreV1().Pods("prod").GetLogs(ctx, "web-0",
                                              {.container = "app", .tail_lines = 100});
}

absl::Status EvictPod(const Context& ctx, const Clientset& client) {
  const absl::Status status =
      client.CoreV1().Pods("prod").EvictV1(ctx, {.metadata = {.name = "web-0"}});
  if (errors::IsTooManyRequests(status)) return absl::OkStatus();  // not now, says a budget
  return status;
}

absl::Status RestartPod(const Context& parent, const Clientset& client) {
  const Context ctx = kube::WithLogFields(parent, {{"pod", kube::log::KRef("prod", "web-0")}});
  kube::log::Info(ctx, "restarting");
  return client.CoreV1().Pods("prod").Delete(ctx, "web-0");
}

absl::StatusOr<bool> MayDeletePods(const Context& ctx, const Clientset& client) {
  authorizationv1::SelfSubjectAccessReview review;
  auto& attributes = review.spec.resource_attributes.emplace();
  attributes = {.namespace_ = "prod", .verb = "delete", .resource = "pods"};
  KUBE_ASSIGN_OR_RETURN(review,
                        client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review));
  return review.status.allowed;
}

absl::StatusOr<std::string> TokenOf(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const auto token, client.CoreV1().ServiceAccounts("prod").CreateToken(
                                              ctx, "app", {.spec = {.audiences = {"vault"}}}));
  return std::string(token.status.token);
}

absl::StatusOr<int> CachedReplicas(const Context& ctx, const Clientset& client) {
  SharedInformerFactory factory(client,
                                {.default_resync = absl::Minutes(10), .namespace_name = "prod"});
  const appsv1::DeploymentInformer deployments = factory.Apps().V1().Deployments();
  KUBE_RETURN_IF_ERROR(deployments.Informer()
                           .AddEventHandler({.on_add =
                                                 [](const AddEvent<appsv1::Deployment>& event) {
                                                   std::cout << "there is "
                                                             << event.object->metadata.name << "\n";
                                                 }})
                           .status());
  const Lister<appsv1::Deployment> lister = deployments.Lister();
  KUBE_RETURN_IF_ERROR(factory.Start(ctx));
  KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx));
  KUBE_ASSIGN_OR_RETURN(const auto web, lister.Namespace("prod").Get("web"));
  return web->spec.replicas.value_or(1);
}

Lister<widgetsv1::Widget> WidgetsOf(SharedInformerFactory& factory) {
  return widgetsv1::ExampleV1Informers(factory).Widgets().Lister();
}

TEST(SetImage, SaysThatSomebodyElseWrote) {
  fake::Clientset fake;
  ASSERT_THAT(fake.Add(corev1::Namespace{.metadata = {.name = "prod"}}), IsOk());
  ASSERT_THAT(CreateWeb(Context(), fake.client()), IsOk());
  fake.PrependReactor("patch", "deployments", [](fake::Action&) {
    return fake::Reaction::Fail(errors::Forbidden({"apps", "deployments"}, "web", "no"));
  });
  EXPECT_TRUE(errors::IsForbidden(SetImage(Context(), fake.client())));
  EXPECT_TRUE(fake.Actions().back().Matches("patch", "deployments"));
}

class FromClientGo : public testing::Test {
 protected:
  FromClientGo() {
    corev1::Pod pod = {
        .metadata = {.name = "web-0", .namespace_ = "prod", .labels = {{"app", "web"}}}};
    pod.spec.containers.push_back(SmallContainer());
    pod.spec.containers[0].name = "app";
    pod.status.phase = "Running";
    EXPECT_THAT(
        fake_.Add(pod, corev1::Node{.metadata = {.name = "n1"}},
                  corev1::ServiceAccount{.metadata = {.name = "app", .namespace_ = "prod"}}),
        IsOk());
  }

  const Context ctx_;
  fake::Clientset fake_;
  const Clientset& client_ = fake_.client();
};

TEST_F(FromClientGo, Deployments) {
  EXPECT_THAT(Replicas(ctx_, client_), base::IsOkAndHolds(0));
  ASSERT_THAT(CreateWeb(ctx_, client_), IsOk());
  EXPECT_THAT(CreateWeb(ctx_, client_), IsOk());
  EXPECT_THAT(Replicas(ctx_, client_), base::IsOkAndHolds(3));
  EXPECT_THAT(CachedReplicas(ctx_, client_), base::IsOkAndHolds(3));
  EXPECT_THAT(SetImage(ctx_, client_), IsOk());
  EXPECT_THAT(Annotate(ctx_, client_), IsOk());
  EXPECT_THAT(ScaleTo(ctx_, client_, 5), IsOk());
  const appsv1::DeploymentClient deployments = client_.AppsV1().Deployments("prod");
  appsv1::Deployment web = *deployments.Get(ctx_, "web");
  EXPECT_EQ(web.spec.template_.spec.containers[0].image, "web:2");
  EXPECT_EQ(web.metadata.annotations.value_or("a", ""), "b");
  EXPECT_EQ(web.spec.replicas, 5);
  EXPECT_THAT(SetAvailable(ctx_, client_, web), IsOk());
  EXPECT_EQ(deployments.Get(ctx_, "web")->status.available_replicas, 3);
  EXPECT_THAT(DeleteWeb(ctx_, client_), IsOk());
  EXPECT_THAT(Replicas(ctx_, client_), base::IsOkAndHolds(0));
}

TEST_F(FromClientGo, Pods) {
  EXPECT_THAT(CountRunning(ctx_, client_), base::IsOkAndHolds(1));
  EXPECT_THAT(CountNodes(ctx_, client_), base::IsOkAndHolds(1));
  EXPECT_THAT(NextPod(ctx_, client_), base::IsOkAndHolds("web-0"));
  EXPECT_THAT(WaitForPod(ctx_, client_), IsOk());
  EXPECT_THAT(GetSoon(ctx_, client_), IsOk());
  fake_.server().SetPodLog("prod", "web-0", "app", "one\n");
  EXPECT_THAT(LastLines(ctx_, client_), base::IsOkAndHolds("one\n"));
  EXPECT_THAT(EvictPod(ctx_, client_), IsOk());
  EXPECT_TRUE(errors::IsNotFound(GetSoon(ctx_, client_)));
  const kube::log::LogCapture capture;
  EXPECT_TRUE(errors::IsNotFound(RestartPod(ctx_, client_)));
  EXPECT_THAT(capture.Lines(), testing::ElementsAre(R"(I "restarting" pod="prod/web-0")"));
  EXPECT_THAT(DeleteOldPods(ctx_, client_), IsOk());
}

TEST_F(FromClientGo, Others) {
  SharedInformerFactory factory(client_);
  EXPECT_TRUE(WidgetsOf(factory).List().empty());
  EXPECT_THAT(MayDeletePods(ctx_, client_), base::IsOkAndHolds(true));
  EXPECT_THAT(TokenOf(ctx_, client_), IsOk());
  EXPECT_EQ(Connect("/no/such/file").status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(ApplySettings(ctx_, client_), IsOk());
}

}  // namespace
