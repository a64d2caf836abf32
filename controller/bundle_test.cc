// A controller's parts, by nothing but //controller and the client of its group: a finalizer,
// conditions, both kinds of events, retries, merge patches, errors, leader election, health.

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/patch_type.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "clientset/retry/retry.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/patch_from.h"
#include "controller/enqueue.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/event_types.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/flags.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/run_as_leader.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/index_function.h"
#include "listers/lister.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using Object = metav1::PartialObjectMetadata;

TEST(ControllerBundle, HasWhatAFinalizerNeeds) {
  metav1::ObjectMeta metadata = {.name = "web", .uid = "u1"};
  EXPECT_TRUE(meta::AddFinalizer(metadata, "example.com/cleanup"));
  EXPECT_FALSE(meta::IsBeingDeleted(metadata));
  EXPECT_EQ(*meta::NewPreconditionDeleteOptions(metadata.uid).preconditions->uid, "u1");
}

TEST(ControllerBundle, HasWhatAStatusNeeds) {
  List<metav1::Condition> conditions;
  EXPECT_TRUE(meta::SetStatusCondition(conditions,
                                       {.type = "Ready", .status = "True", .reason = "AllThere"}));
  EXPECT_TRUE(meta::IsStatusConditionTrue(conditions, "Ready"));
  const Object before = {.metadata = {.name = "web"}};
  const Object after = {.metadata = {.name = "web", .labels = {{"a", "b"}}}};
  EXPECT_THAT(patch::MakeMergePatch(before, after),
              base::IsOkAndHolds(std::string(R"({"metadata":{"labels":{"a":"b"}}})")));
}

TEST(ControllerBundle, HasRetriesAndErrors) {
  int tries = 0;
  EXPECT_THAT(retry::OnConflict(Context(), retry::kDefaultRetry,
                                [&]() -> absl::Status {
                                  if (++tries == 2) return absl::OkStatus();
                                  return errors::Conflict({.resource = "webs"}, "web", "changed");
                                }),
              IsOk());
  EXPECT_EQ(tries, 2);
  EXPECT_TRUE(workqueue::IsTerminalError(workqueue::TerminalError(absl::InternalError("no"))));
}

TEST(ControllerBundle, HasEventsOfBothKinds) {
  events::EventBroadcaster broadcaster(nullptr);
  const std::unique_ptr<events::EventRecorder> recorder =
      broadcaster.NewRecorder({}, "example.com/controller");
  EXPECT_NE(recorder, nullptr);
  EXPECT_EQ(events::kEventTypeNormal, absl::string_view("Normal"));
  record::EventBroadcaster old_broadcaster;
  EXPECT_NE(old_broadcaster.NewRecorder({}, {.component = "controller"}), nullptr);
}

TEST(ControllerBundle, HasHandlersAndIndexes) {
  workqueue::Queue<meta::ObjectName> queue;
  const informers::EventHandler<Object> handler = controller::EnqueueHandler<Object>(queue);
  EXPECT_NE(handler.on_add, nullptr);
  const absl::StatusOr<listers::IndexFunction<Object>> by_name =
      listers::IndexByField<Object>("metadata.name");
  ASSERT_THAT(by_name, IsOk());
  EXPECT_THAT((*by_name)(Object{.metadata = {.name = "web"}}),
              base::IsOkAndHolds(std::vector<std::string>{"web"}));
}

// What main makes: nothing is sent, as the server's port is one that nobody listens at.
absl::Status Main(const Context& ctx, const rest::Config& config) {
  KUBE_ASSIGN_OR_RETURN(const kubernetes::Clientset client, kubernetes::Clientset::Make(config));
  events::EventBroadcaster broadcaster(events::NewEventSink(client.client()));
  const std::unique_ptr<events::EventRecorder> recorder =
      broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(), "example.com/controller");
  if (recorder == nullptr) return absl::InternalError("no recorder");
  kubernetes::SharedInformerFactory factory(client);
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  return leaderelection::RunAsLeader(ctx, config, {.namespace_name = "prod", .name = "controller"},
                                     [](const Context&) { return absl::OkStatus(); });
}

TEST(ControllerBundle, HasWhatMainNeeds) {
  const Context over = WithTimeout(SignalContext(), absl::ZeroDuration());
  EXPECT_THAT(Main(over, {.host = "http://127.0.0.1:1"}), IsOk());
  EXPECT_EQ(clientcmd::FlagOptions().kubeconfig, "");
  const health::HealthServerOptions health = {.port = 0};
  EXPECT_EQ(health.port, 0);
}

TEST(ControllerBundle, HasPatchesOfBothKinds) {
  const corev1::ConfigMap map = {.metadata = {.name = "web", .resource_version = "1"}};
  const absl::StatusOr<kubernetes::Clientset> client =
      kubernetes::Clientset::Make({.host = "http://127.0.0.1:1"});
  ASSERT_THAT(client, IsOk());
  const corev1::ConfigMapClient maps = client->CoreV1().ConfigMaps("prod");
  EXPECT_THAT(typed::PatchFrom(Context(), maps, map, map), base::IsOkAndHolds(map));
  const Context over = WithTimeout(Context(), absl::ZeroDuration());
  EXPECT_FALSE(maps.Patch(over, "web", patch::PatchType::kMerge, "{}").ok());
  EXPECT_FALSE(typed::CreateOrEdit(over, maps, "web", [](corev1::ConfigMap&) {
                 return absl::OkStatus();
               }).ok());
}

}  // namespace
}  // namespace kube
