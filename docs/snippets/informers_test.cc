// The code in docs/informers.md.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/unstructured/unstructured.h"
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
#include "informers/wait_for_cache_sync.h"

namespace {

namespace corev1 = kube::api::core::v1;
using kube::informers::AddEvent;
using kube::informers::DynamicSharedInformerFactory;
using kube::informers::MakeListerWatcher;
using kube::informers::SharedInformer;
using kube::informers::WaitForCacheSync;
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
  });
  EXPECT_THAT(end, kube::base::IsOk());
  EXPECT_THAT(pods, kube::base::IsOk());
  // The server has no widgets.
  EXPECT_THAT(widgets, kube::base::StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
