#include "docs/snippets/mirror/controller.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/conditions.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/events/event_broadcaster.h"
#include "docs/snippets/mirror/mirror.client.kube.h"
#include "docs/snippets/mirror/mirror.kinds.kube.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace example::mirrors {
namespace {

namespace corev1 = kube::api::core::v1;
namespace fault = kube::apiserver::fault;
using kube::Context;
using kube::base::IsOk;
using kube::kubernetes::Clientset;
using v1::Mirror;

// An API server, and the controller at work.
class Cluster {
 public:
  absl::Status Start() {
    KUBE_RETURN_IF_ERROR(kube::envtest::InstallCrds(
        Context(), client_.client(), {.paths = {"docs/snippets/mirror/mirror_crds.yaml"}}));
    for (const char* name : {"a", "b"}) KUBE_RETURN_IF_ERROR(AddNamespace(name));
    return thread_.Start(Context(), "controller",
                         [this](const Context& ctx) { controller_.Run(ctx).IgnoreError(); });
  }

  absl::Status AddNamespace(const char* name) const {
    return client_.CoreV1().Namespaces().Create(Context(), {.metadata = {.name = name}}).status();
  }

  kube::apiserver::ApiHandler& server() { return server_; }
  v1::MirrorClient mirrors() const { return {client_.client(), "default"}; }
  corev1::ConfigMapClient maps(const char* namespace_name) const {
    return client_.CoreV1().ConfigMaps(namespace_name);
  }
  // "-" where there is no copy.
  std::string CopyIn(const char* namespace_name) const {
    const auto copy = maps(namespace_name).Get(Context(), "m");
    return copy.ok() ? std::string(copy->data.find("text")->view()) : "-";
  }
  Mirror mirror() const { return *mirrors().Get(Context(), "m"); }

 private:
  kube::apiserver::ApiHandler server_;
  const Clientset client_ = *Clientset::Make(kube::envtest::InProcessConfig(server_));
  kube::events::EventBroadcaster events_{nullptr};
  const std::unique_ptr<kube::events::EventRecorder> recorder_ =
      events_.NewRecorder({v1::Kinds()}, "example.com/mirrors");
  Controller controller_{client_, *recorder_};
  kube::base::Thread thread_;
};

void Settle() { kube::base::SleepFor(Context(), absl::Minutes(10)).IgnoreError(); }

absl::Status Expect(bool holds, const char* what) {
  return holds ? absl::OkStatus() : absl::InternalError(what);
}

// From the first copy to the last deletion, whatever `trouble` does meanwhile.
absl::Status Live(Cluster& cluster) {
  const Context ctx;
  KUBE_RETURN_IF_ERROR(cluster.mirrors().Create(
      ctx, {.metadata = {.name = "m"}, .spec = {.source = "src", .namespaces = {"a", "b"}}}));
  Settle();
  KUBE_RETURN_IF_ERROR(
      Expect(kube::meta::IsStatusConditionFalse(cluster.mirror().status.conditions, "Ready"),
             "no source"));

  KUBE_RETURN_IF_ERROR(
      cluster.maps("default").Create(ctx, {.metadata = {.name = "src"}, .data = {{"text", "1"}}}));
  Settle();
  KUBE_RETURN_IF_ERROR(Expect(cluster.CopyIn("a") == "1" && cluster.CopyIn("b") == "1", "copied"));
  KUBE_RETURN_IF_ERROR(Expect(cluster.mirror().status.copies == 2, "counted"));
  KUBE_RETURN_IF_ERROR(Expect(
      kube::meta::IsStatusConditionTrue(cluster.mirror().status.conditions, "Ready"), "ready"));

  KUBE_RETURN_IF_ERROR(cluster.maps("default").Edit(ctx, "src", [](corev1::ConfigMap& map) {
    map.data["text"] = "2";
    return absl::OkStatus();
  }));
  KUBE_RETURN_IF_ERROR(cluster.maps("b").Delete(ctx, "m"));
  Settle();
  KUBE_RETURN_IF_ERROR(Expect(cluster.CopyIn("a") == "2" && cluster.CopyIn("b") == "2", "kept"));

  KUBE_RETURN_IF_ERROR(cluster.mirrors().Edit(ctx, "m", [](Mirror& mirror) {
    mirror.spec.namespaces = {"a"};
    return absl::OkStatus();
  }));
  Settle();
  KUBE_RETURN_IF_ERROR(Expect(cluster.CopyIn("a") == "2" && cluster.CopyIn("b") == "-", "pruned"));

  KUBE_RETURN_IF_ERROR(cluster.mirrors().Delete(ctx, "m"));
  Settle();
  KUBE_RETURN_IF_ERROR(Expect(cluster.CopyIn("a") == "-", "cleaned up"));
  return Expect(kube::errors::IsNotFound(cluster.mirrors().Get(ctx, "m").status()), "gone");
}

absl::Status Search(void (*trouble)(kube::apiserver::Faults faults)) {
  const kube::log::LogCapture quiet;
  return kube::base::SearchSeeds(
      [trouble](kube::base::SimRuntime& sim) {
        absl::Status result;
        const absl::Status end = sim.Run([&] {
          Cluster cluster;
          result = cluster.Start();
          trouble(cluster.server().faults());
          if (result.ok()) result = Live(cluster);
        });
        return end.ok() ? result : end;
      },
      {.seeds = 20});
}

TEST(MirrorController, KeepsCopiesAndCleansUp) {
  EXPECT_THAT(Search([](kube::apiserver::Faults) {}), IsOk());
}

TEST(MirrorController, LivesWithConflictsLostAnswersAndBrokenWatches) {
  EXPECT_THAT(
      Search([](kube::apiserver::Faults faults) {
        faults.Add({.verbs = {"patch"},
                    .group = "example.com",
                    .times = 2,
                    .fault = fault::Error{.status = kube::errors::Conflict(
                                              {"example.com", "mirrors"}, "m", "injected")}});
        faults.Add({.verbs = {"create"},
                    .resource = "configmaps",
                    .namespace_name = "a",
                    .times = 1,
                    .fault = fault::Drop{.after_commit = true}});
        faults.Add({.verbs = {"watch"},
                    .resource = "configmaps",
                    .times = 1,
                    .fault = fault::BreakWatch{}});
      }),
      IsOk());
}

TEST(MirrorController, LeavesAForeignConfigMapAloneAndGoesOn) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    Cluster cluster;
    ASSERT_THAT(cluster.Start(), IsOk());
    ASSERT_THAT(cluster.maps("a").Create(
                    Context(), {.metadata = {.name = "m"}, .data = {{"text", "foreign"}}}),
                IsOk());
    ASSERT_THAT(cluster.maps("default").Create(
                    Context(), {.metadata = {.name = "src"}, .data = {{"text", "1"}}}),
                IsOk());
    ASSERT_THAT(cluster.mirrors().Create(
                    Context(), {.metadata = {.name = "m"},
                                .spec = {.source = "src", .namespaces = {"a", "late", "b"}}}),
                IsOk());
    Settle();
    EXPECT_EQ(cluster.CopyIn("a"), "foreign");
    EXPECT_EQ(cluster.CopyIn("b"), "1");
    EXPECT_EQ(cluster.mirror().status.copies, 1);
    EXPECT_EQ(cluster.mirror().status.conditions[0].reason, "CopyFailed");

    // It is tried again until it works.
    ASSERT_THAT(cluster.maps("a").Delete(Context(), "m"), IsOk());
    ASSERT_THAT(cluster.AddNamespace("late"), IsOk());
    kube::base::SleepFor(Context(), absl::Hours(1)).IgnoreError();
    EXPECT_EQ(cluster.CopyIn("a"), "1");
    EXPECT_EQ(cluster.CopyIn("late"), "1");
    EXPECT_EQ(cluster.mirror().status.conditions[0].reason, "Copied");

    // And without the source, copies stay and are counted.
    ASSERT_THAT(cluster.maps("default").Delete(Context(), "src"), IsOk());
    Settle();
    EXPECT_EQ(cluster.CopyIn("b"), "1");
    EXPECT_EQ(cluster.mirror().status.copies, 3);
    ASSERT_THAT(cluster.maps("a").Edit(Context(), "m",
                                       [](corev1::ConfigMap& map) {
                                         map.metadata.labels = {};
                                         map.data = {{"text", "foreign"}};
                                         return absl::OkStatus();
                                       }),
                IsOk());
    ASSERT_THAT(cluster.mirrors().Delete(Context(), "m"), IsOk());
    Settle();
    EXPECT_EQ(cluster.CopyIn("a"), "foreign");
  });
  EXPECT_THAT(end, IsOk());
}

}  // namespace
}  // namespace example::mirrors
