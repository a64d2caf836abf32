#include "envtest/workloads/internal/events.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/time.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};

struct Server {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  typed::TypedClient<corev1::Event, corev1::EventList> events =
      typed::TypedClient<corev1::Event, corev1::EventList>(client, kEvents).Namespace("default");
};

corev1::ObjectReference About() {
  corev1::ObjectReference about;
  about.api_version = "batch/v1";
  about.kind = "CronJob";
  about.name = "tick";
  about.namespace_ = "default";
  about.uid = "u";
  return about;
}

TEST(Events, Write_SameEventAgain_IncrementsItsCount) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client, "cronjob-controller");
    const absl::Time start = base::WallNow();
    events.Write(Context(), About(), {.warning = true, .reason = "Bad", .message = "no"});
    events.Write(Context(), About(), {.reason = "Good", .message = "yes"});
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    events.Write(Context(), About(), {.warning = true, .reason = "Bad", .message = "no"});
    const auto list = server.events.List(Context());
    ASSERT_THAT(list, IsOk());
    std::vector<std::string> texts;
    for (const corev1::Event& each : list->items) {
      texts.push_back(absl::StrCat(each.type.view(), " ", each.reason.view(), ": ",
                                   each.message.view(), ", ", each.count));
      EXPECT_EQ(each.involved_object, About());
      EXPECT_EQ(each.source.component, "cronjob-controller");
      EXPECT_EQ(each.reporting_component, "cronjob-controller");
      EXPECT_EQ(each.first_timestamp, Time(start));
      EXPECT_EQ(each.last_timestamp, Time(each.count == 2 ? start + absl::Minutes(1) : start));
    }
    EXPECT_THAT(texts, UnorderedElementsAre("Warning Bad: no, 2", "Normal Good: yes, 1"));
  }),
              IsOk());
}

TEST(Events, Write_EventWasDeleted_BeginsANewOne) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client, "cronjob-controller");
    const EventText text = {.reason = "Good", .message = "yes"};
    events.Write(Context(), About(), text);
    const auto list = server.events.List(Context());
    ASSERT_THAT(list->items, SizeIs(1));
    ASSERT_THAT(server.events.Delete(Context(), list->items[0].metadata.name.view()), IsOk());
    events.Write(Context(), About(), text);  // is lost
    events.Write(Context(), About(), text);
    const auto after = server.events.List(Context());
    ASSERT_THAT(after->items, SizeIs(1));
    EXPECT_EQ(after->items[0].count, 1);
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::envtest::internal
