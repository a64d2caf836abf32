// A controller's parts, by nothing but //controller: a finalizer, conditions, both kinds of events,
// retries, merge patches, errors.

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/patch/merge_patch.h"
#include "clientset/retry/retry.h"
#include "controller/enqueue.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_types.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "listers/index_function.h"

namespace kube {
namespace {

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

}  // namespace
}  // namespace kube
