// The code in docs/informers.md.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/dynamic_conditions.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/watch/event.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "informers/dynamic_shared_informer_factory.h"
#include "informers/event_handler.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/until.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/indexer.h"
#include "listers/lister.h"

namespace {

namespace corev1 = kube::api::core::v1;
using kube::dynamic::ResourceClient;
using kube::informers::AddEvent;
using kube::informers::DynamicSharedInformerFactory;
using kube::informers::EventCondition;
using kube::informers::MakeListerWatcher;
using kube::informers::SharedInformer;
using kube::informers::Until;
using kube::informers::WaitForCacheSync;
using kube::listers::Indexer;
using kube::listers::Lister;
using kube::unstructured::Unstructured;
using kube::watch::Event;
using kube::watch::EventType;
using PodClient = kube::typed::TypedClient<corev1::Pod, corev1::PodList>;

constexpr kube::typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

absl::Status CountPods(const kube::Context& ctx, const kube::rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(const auto source, MakeListerWatcher(PodClient(client, kPods)));
  SharedInformer<corev1::Pod> pods(source);
  const auto on_add = [](const AddEvent<corev1::Pod>& event) {
    kube::log::Info("pod", {{"name", event.object->metadata.name.view()}});
  };
  KUBE_RETURN_IF_ERROR(pods.AddEventHandler({.on_add = on_add}).status());
  kube::base::Thread thread;  // after what it uses: it ends first
  const auto run = [&](const kube::Context& run_ctx) { pods.Run(run_ctx).IgnoreError(); };
  KUBE_RETURN_IF_ERROR(thread.Start(ctx, "pods", run));
  KUBE_RETURN_IF_ERROR(WaitForCacheSync(ctx, {&pods}, {.fail_fast = true}));
  kube::log::Info("synced", {{"pods", pods.lister().Namespace("prod").List().size()}});
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> OwnerOf(const kube::unstructured::Unstructured& widget) {
  std::vector<std::string> owners;
  for (const auto& owner : widget.owner_references()) owners.emplace_back(owner.name.view());
  return owners;
}

absl::Status FollowWidgets(const kube::Context& ctx, const kube::rest::Client& client) {
  DynamicSharedInformerFactory factory(kube::dynamic::DynamicClient(client),
                                       {.namespace_name = "prod"});
  auto& widgets =
      factory.ForResource({.group = "example.com", .version = "v1", .resource = "widgets"});
  KUBE_RETURN_IF_ERROR(widgets.AddIndexers({{"owner", OwnerOf}}));
  KUBE_RETURN_IF_ERROR(factory.Start(ctx));
  KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx, {.fail_fast = true}));
  KUBE_ASSIGN_OR_RETURN(const auto mine, widgets.lister().ByIndex("owner", "me"));
  for (const kube::unstructured::Unstructured& widget : mine) {
    kube::log::Info("widget", {{"name", widget.name()}});
  }
  return absl::OkStatus();
}

void ForgetWidgets(DynamicSharedInformerFactory& factory) {
  factory.Remove(
      factory.ForResource({.group = "example.com", .version = "v1", .resource = "widgets"}));
}

absl::Status WaitUntilReady(const kube::Context& ctx, const ResourceClient& widgets,
                            const std::string& name) {
  KUBE_ASSIGN_OR_RETURN(const Unstructured widget, widgets.Get(ctx, name));
  if (kube::meta::IsStatusConditionTrue(widget, "Ready")) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(
      const auto source,
      MakeListerWatcher(widgets, {.field_selector = absl::StrCat("metadata.name=", name)}));
  const EventCondition<Unstructured> is_ready =
      [](const Event<Unstructured>& event) -> absl::StatusOr<bool> {
    if (event.type == EventType::kError) return event.error;
    if (event.type == EventType::kDeleted) return absl::NotFoundError("it was deleted");
    return kube::meta::IsStatusConditionTrue(*event.object, "Ready");
  };
  const std::string version(widget.resource_version());
  return Until<Unstructured>(ctx, source, version, {is_ready}).status();
}

TEST(InformersGuide, WaitsForACondition) {
  kube::base::SimRuntime sim;
  absl::Status early;
  absl::Status ready;
  const absl::Status end = sim.Run([&] {
    kube::apiserver::ApiHandler server;
    const auto client = kube::rest::MakeClient(kube::envtest::InProcessConfig(server));
    const ResourceClient nodes =
        kube::dynamic::DynamicClient(*client).Resource({.version = "v1", .resource = "nodes"});
    Unstructured node;
    node.set_api_version("v1");
    node.set_kind("Node");
    node.set_name("node-0");
    ASSERT_THAT(nodes.Create(kube::Context(), node), kube::base::IsOk());
    early = WaitUntilReady(kube::WithTimeout(kube::Context(), absl::Minutes(1)), nodes, "node-0");
    kube::base::Thread kubelet;
    const auto run = [&](const kube::Context& ctx) {
      kube::base::SleepFor(ctx, absl::Hours(1)).IgnoreError();
      const auto become_ready = [](Unstructured& changed) {
        return kube::meta::SetStatusCondition(
                   changed, {.type = "Ready", .status = "True", .reason = "KubeletReady"})
            .status();
      };
      EXPECT_THAT(nodes.Edit(ctx, "node-0", become_ready, {.subresource = "status"}),
                  kube::base::IsOk());
    };
    ASSERT_THAT(kubelet.Start(kube::Context(), "kubelet", run), kube::base::IsOk());
    ready = WaitUntilReady(kube::WithTimeout(kube::Context(), absl::Hours(2)), nodes, "node-0");
  });
  EXPECT_THAT(end, kube::base::IsOk());
  EXPECT_THAT(early, kube::base::StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(ready, kube::base::IsOk());
}

int CountRunning(const Lister<corev1::Pod>& pods) {
  int running = 0;
  for (const corev1::Pod& pod : pods.Namespace("prod").List()) {
    running += pod.status.phase == corev1::kPodRunning;
  }
  return running;
}

TEST(CountRunning, CountsThePodsOfProd) {
  const auto store = std::make_shared<Indexer<corev1::Pod>>();
  ASSERT_THAT(store->Add(std::make_shared<const corev1::Pod>(
                  corev1::Pod{.metadata = {.name = "web-0", .namespace_ = "prod"},
                              .status = {.phase = corev1::kPodRunning}})),
              kube::base::IsOk());
  EXPECT_EQ(CountRunning(Lister<corev1::Pod>(store, {.resource = "pods"})), 1);
}

TEST(InformersGuide, ItsCodeRuns) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  absl::Status pods;
  absl::Status widgets;
  const absl::Status end = sim.Run([&] {
    kube::apiserver::ApiHandler server;
    const auto client = kube::rest::MakeClient(kube::envtest::InProcessConfig(server));
    const kube::Context ctx = kube::WithTimeout(kube::Context(), absl::Minutes(1));
    pods = CountPods(ctx, *client);
    widgets = FollowWidgets(ctx, *client);
    DynamicSharedInformerFactory factory(kube::dynamic::DynamicClient(*client), {});
    ForgetWidgets(factory);
    EXPECT_TRUE(factory.Informers().empty());
  });
  EXPECT_THAT(end, kube::base::IsOk());
  EXPECT_THAT(pods, kube::base::IsOk());
  // The server has no widgets.
  EXPECT_THAT(widgets, kube::base::StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
