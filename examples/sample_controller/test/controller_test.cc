// The controller on the embedded API server, with the controllers that make pods of Deployments, in
// virtual time.
#include "examples/sample_controller/controller.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_sink.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/workloads.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kinds.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace samplecontroller {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
using kube::Context;
using kube::WithTimeout;
using kube::base::IsOk;
using kube::base::StatusIs;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using v1alpha1::Foo;

constexpr char kCrds[] = "examples/sample_controller/foo_crds.yaml";

Foo MakeFoo(absl::string_view deployment, int replicas) {
  return {.metadata = {.name = "example-foo"},
          .spec = {.deployment_name = deployment, .replicas = replicas}};
}

// A cluster, and the controller in it once it is started.
class Cluster {
 public:
  Cluster()
      : client_(*kube::kubernetes::Clientset::Make(kube::envtest::InProcessConfig(server_))),
        recorder_(events_.NewRecorder({v1alpha1::Kinds()}, {.component = Controller::kName})),
        controller_(*kube::kubernetes::Clientset::Make(
                        kube::envtest::InProcessConfig(server_, {.name = "controller"})),
                    *recorder_) {
    EXPECT_THAT(events_.StartRecordingToSink(kube::record::NewEventSink(client_.client())), IsOk());
  }

  void Start() {
    InstallCrds();
    auto workloads = kube::envtest::Workloads::Start(kube::envtest::InProcessConfig(server_),
                                                     {.pod_ready_after = absl::Seconds(1)});
    ASSERT_THAT(workloads, IsOk());
    workloads_ = *std::move(workloads);
    ASSERT_THAT(thread_.Start(Context(), "controller",
                              [this](const Context& ctx) { end_ = controller_.Run(ctx, 2); }),
                IsOk());
  }
  // What Run said.
  absl::Status Stop() {
    thread_.RequestStop();
    thread_.Join();
    return end_;
  }

  void InstallCrds() {
    const auto installed =
        kube::envtest::InstallCrds(Context(), client_.client(), {.paths = {kCrds}});
    ASSERT_THAT(installed, IsOk());
  }

  kube::apiserver::ApiHandler& server() { return server_; }
  Controller& controller() { return controller_; }
  v1alpha1::FooClient foos() const { return {client_.client(), "default"}; }
  appsv1::DeploymentClient deployments() const { return client_.AppsV1().Deployments("default"); }

  Foo foo() const { return *foos().Get(Context(), "example-foo"); }
  appsv1::Deployment deployment(absl::string_view name) const {
    const auto deployment = deployments().Get(Context(), name);
    return deployment.ok() ? *deployment : appsv1::Deployment();
  }
  // "Normal Synced: Foo synced successfully"
  std::vector<std::string> events() const {
    std::vector<std::string> texts;
    const auto list = client_.CoreV1().Events("default").List(Context());
    if (!list.ok()) return texts;
    for (const corev1::Event& event : list->items) {
      if (event.involved_object.kind != "Foo") continue;
      texts.push_back(
          absl::StrCat(event.type.view(), " ", event.reason.view(), ": ", event.message.view()));
    }
    return texts;
  }

 private:
  kube::apiserver::ApiHandler server_;
  const kube::kubernetes::Clientset client_;
  kube::record::EventBroadcaster events_;
  const std::unique_ptr<kube::record::EventRecorder> recorder_;
  std::unique_ptr<kube::envtest::Workloads> workloads_;
  absl::Status end_;
  Controller controller_;
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

class ControllerTest : public testing::Test {
 protected:
  const kube::log::LogCapture log_;
};

TEST_F(ControllerTest, AFooGetsADeploymentAndItsStatus) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 3)), IsOk());
    Await("status", [&] { return cluster.foo().status.available_replicas == 3; });
    const appsv1::Deployment deployment = cluster.deployment("example");
    EXPECT_EQ(deployment.spec.replicas, 3);
    EXPECT_TRUE(kube::meta::IsControlledBy(deployment.metadata, cluster.foo().metadata));
    const auto* owner = kube::meta::GetControllerOf(deployment.metadata);
    ASSERT_NE(owner, nullptr);
    EXPECT_EQ(owner->api_version, "samplecontroller.k8s.io/v1alpha1");
    EXPECT_EQ(owner->kind, "Foo");
    EXPECT_EQ(owner->name, "example-foo");
    EXPECT_EQ(owner->block_owner_deletion, true);
    EXPECT_EQ(deployment.spec.template_.spec.containers[0].image, "nginx:latest");
    EXPECT_EQ(*deployment.spec.template_.metadata.labels.find("controller"), "example-foo");
    Await("event", [&] { return !cluster.events().empty(); });
    EXPECT_THAT(cluster.events(), Contains("Normal Synced: Foo synced successfully"));
    EXPECT_THAT(cluster.Stop(), IsOk());
  });
}

TEST_F(ControllerTest, WhatWasThereBeforeIsSeenTo) {
  Simulate([](Cluster& cluster) {
    cluster.InstallCrds();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 1)), IsOk());
    cluster.Start();
    Await("status", [&] { return cluster.foo().status.available_replicas == 1; });
  });
}

TEST_F(ControllerTest, TheDeploymentFollowsTheFoo) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 1)), IsOk());
    Await("first status", [&] { return cluster.foo().status.available_replicas == 1; });
    ASSERT_THAT(cluster.foos().Edit(Context(), "example-foo",
                                    [](Foo& foo) {
                                      foo.spec.replicas = 4;
                                      return absl::OkStatus();
                                    }),
                IsOk());
    Await("second status", [&] { return cluster.foo().status.available_replicas == 4; });
    EXPECT_EQ(cluster.deployment("example").spec.replicas, 4);
  });
}

TEST_F(ControllerTest, WhatOthersDoToTheDeploymentIsHealed) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 2)), IsOk());
    Await("status", [&] { return cluster.foo().status.available_replicas == 2; });

    ASSERT_THAT(cluster.deployments().Edit(Context(), "example",
                                           [](appsv1::Deployment& deployment) {
                                             deployment.spec.replicas = 7;
                                             return absl::OkStatus();
                                           }),
                IsOk());
    Await("replicas", [&] { return cluster.deployment("example").spec.replicas == 2; });

    const kube::String uid = cluster.deployment("example").metadata.uid;
    ASSERT_THAT(cluster.deployments().Delete(Context(), "example"), IsOk());
    Await("another", [&] {
      const appsv1::Deployment deployment = cluster.deployment("example");
      return deployment.metadata.uid != uid && deployment.status.available_replicas == 2;
    });
  });
}

TEST_F(ControllerTest, SomebodyElsesDeploymentIsLeftAlone) {
  Simulate([this](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("other", 1)), IsOk());
    Await("the model", [&] { return cluster.deployment("other").metadata.name == "other"; });
    appsv1::Deployment foreign = cluster.deployment("other");
    foreign.metadata = {.name = "example"};
    foreign.spec.replicas = 5;
    ASSERT_THAT(cluster.deployments().Create(Context(), foreign), IsOk());

    ASSERT_THAT(cluster.foos().Edit(Context(), "example-foo",
                                    [](Foo& foo) {
                                      foo.spec.deployment_name = "example";
                                      return absl::OkStatus();
                                    }),
                IsOk());
    const std::string message = R"(Resource "example" already exists and is not managed by Foo)";
    const auto warning = Contains(absl::StrCat("Warning ErrResourceExists: ", message));
    Await("warning", [&] { return testing::Matches(warning)(cluster.events()); });
    EXPECT_EQ(cluster.deployment("example").spec.replicas, 5);
    EXPECT_TRUE(cluster.deployment("example").metadata.owner_references.empty());
    EXPECT_THAT(log_.Lines(), Contains(HasSubstr("already exists and is not managed by Foo")));

    // Its key is tried again: nobody tells the controller that the name is free.
    ASSERT_THAT(cluster.deployments().Delete(Context(), "example"), IsOk());
    Await("own", [&] { return cluster.deployment("example").spec.replicas == 1; });
  });
}

TEST_F(ControllerTest, ADeletedFooTakesItsDeploymentAlong) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 1)), IsOk());
    Await("status", [&] { return cluster.foo().status.available_replicas == 1; });
    ASSERT_THAT(cluster.foos().Delete(Context(), "example-foo"), IsOk());
    const auto gone = [&] {
      return kube::errors::IsNotFound(cluster.deployments().Get(Context(), "example").status());
    };
    Await("the end of the deployment", gone);
    ASSERT_THAT(kube::base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    EXPECT_TRUE(gone()) << "it was made again";
  });
}

// No event tells its cache of this resource anything any more.
void StallWatchOf(Cluster& cluster, const char* resource) {
  cluster.server().faults().Add({.verbs = {"watch"},
                                 .resource = resource,
                                 .user = "controller",
                                 .fault = kube::apiserver::fault::StallWatch{}});
}

// Upstream's makes one, which is collected, and so on, until the cache knows.
TEST_F(ControllerTest, AFooThatIsGoneGetsNoDeploymentWhateverTheCacheSays) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 1)), IsOk());
    Await("status", [&] { return cluster.foo().status.available_replicas == 1; });
    StallWatchOf(cluster, "foos");
    cluster.server().ClearRequests();
    ASSERT_THAT(cluster.foos().Delete(Context(), "example-foo"), IsOk());
    ASSERT_THAT(kube::base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    int attempts = 0;
    for (const kube::apiserver::LoggedRequest& request : cluster.server().Requests()) {
      if (request.user != "controller") continue;
      EXPECT_NE(request.verb, "create") << request.target;
      if (request.resource == "foos" && request.verb == "update") ++attempts;
    }
    EXPECT_GT(attempts, 0);
    EXPECT_LT(attempts, 20) << "it does not back off";
  });
}

TEST_F(ControllerTest, AFooThatIsBeingDeletedGetsNoOtherDeployment) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    Foo foo = MakeFoo("example", 1);
    foo.metadata.finalizers = {"example.com/not-yet"};
    ASSERT_THAT(cluster.foos().Create(Context(), foo), IsOk());
    Await("status", [&] { return cluster.foo().status.available_replicas == 1; });
    ASSERT_THAT(cluster.foos().Delete(Context(), "example-foo"), IsOk());
    ASSERT_THAT(cluster.deployments().Delete(Context(), "example"), IsOk());
    ASSERT_THAT(kube::base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    EXPECT_TRUE(kube::errors::IsNotFound(cluster.deployments().Get(Context(), "example").status()));
  });
}

// Upstream's takes it for its own, and takes it over.
TEST_F(ControllerTest, WhatStandsInThePlaceOfItsDeploymentIsLeftAloneWhateverTheCacheSays) {
  Simulate([](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 1)), IsOk());
    Await("status", [&] { return cluster.foo().status.available_replicas == 1; });
    StallWatchOf(cluster, "deployments");
    appsv1::Deployment foreign = cluster.deployment("example");
    foreign.metadata = {.name = "example"};
    foreign.spec.replicas = 5;
    ASSERT_THAT(cluster.deployments().Delete(Context(), "example"), IsOk());
    ASSERT_THAT(cluster.deployments().Create(Context(), foreign), IsOk());
    ASSERT_THAT(cluster.foos().Edit(Context(), "example-foo",
                                    [](Foo& foo) {
                                      foo.spec.replicas = 4;
                                      return absl::OkStatus();
                                    }),
                IsOk());
    ASSERT_THAT(kube::base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    EXPECT_EQ(cluster.deployment("example").spec.replicas, 5);
    EXPECT_TRUE(cluster.deployment("example").metadata.owner_references.empty());
  });
}

TEST_F(ControllerTest, AFooWithoutADeploymentNameWaitsForOne) {
  Simulate([this](Cluster& cluster) {
    cluster.Start();
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("", 1)), IsOk());
    const auto said = Contains(R"(E "deployment name missing" foo="default/example-foo")");
    Await("log", [&] { return testing::Matches(said)(log_.Lines()); });
    EXPECT_TRUE(cluster.deployments().List(Context())->items.empty());
    ASSERT_THAT(cluster.foos().Edit(Context(), "example-foo",
                                    [](Foo& foo) {
                                      foo.spec.deployment_name = "example";
                                      return absl::OkStatus();
                                    }),
                IsOk());
    Await("deployment", [&] { return cluster.deployment("example").spec.replicas == 1; });
  });
}

TEST_F(ControllerTest, WhatItMayNotReadEndsIt) {
  Simulate([](Cluster& cluster) {
    cluster.InstallCrds();
    cluster.server().SetDenyRules(
        {{.user = "controller", .group = "samplecontroller.k8s.io", .resource = "foos"}});
    const absl::Status end = cluster.controller().Run(Context(), 2);
    EXPECT_TRUE(kube::errors::IsForbidden(end)) << end;
    EXPECT_THAT(end.message(), HasSubstr("wait for cache sync: foos: "));
    EXPECT_THAT(end.message(), HasSubstr("User \"controller\" cannot"));
  });
}

TEST_F(ControllerTest, WithoutItsDefinitionItEnds) {
  Simulate([](Cluster& cluster) {
    const absl::Status end = cluster.controller().Run(Context(), 2);
    EXPECT_TRUE(kube::errors::IsNotFound(end)) << end;
    EXPECT_THAT(end.message(), HasSubstr("foos"));
    EXPECT_THAT(end.message(), Not(HasSubstr("deployments")));
  });
}

// What it may not write it tries again, and goes on when it may.
TEST_F(ControllerTest, WhatItMayNotWriteIsTriedAgain) {
  Simulate([this](Cluster& cluster) {
    cluster.Start();
    cluster.server().SetDenyRules(
        {{.user = "controller", .verb = "create", .group = "apps", .resource = "deployments"}});
    ASSERT_THAT(cluster.foos().Create(Context(), MakeFoo("example", 1)), IsOk());
    const auto said = Contains(HasSubstr("User \\\"controller\\\" cannot create"));
    Await("log", [&] { return testing::Matches(said)(log_.Lines()); });
    cluster.server().SetDenyRules({});
    Await("status", [&] { return cluster.foo().status.available_replicas == 1; });
  });
}

}  // namespace
}  // namespace samplecontroller
