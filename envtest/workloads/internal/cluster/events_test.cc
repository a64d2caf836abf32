#include "envtest/workloads/internal/cluster/events.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/micro_time.h"
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
namespace metav1 = api::meta::v1;
using base::IsOk;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};
constexpr absl::string_view kCronJobs = "cronjob-controller";

struct Server {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  typed::TypedClient<corev1::Event, corev1::EventList> events =
      typed::TypedClient<corev1::Event, corev1::EventList>(client, kEvents).Namespace("default");
};

corev1::ObjectReference About() {
  metav1::ObjectMeta metadata;
  metadata.name = "tick";
  metadata.namespace_ = "default";
  metadata.uid = "u";
  return ReferenceTo("batch/v1", "CronJob", metadata);
}

TEST(Events, Write_SameEventAgain_IncrementsItsCount) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client);
    const absl::Time start = base::WallNow();
    const EventText bad = {.warning = true, .reason = "Bad", .message = "no"};
    events.Write(Context(), kCronJobs, About(), bad);
    events.Write(Context(), kCronJobs, About(), {.reason = "Good", .message = "yes"});
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    events.Write(Context(), kCronJobs, About(), bad);
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
    Events events(server.client);
    const EventText text = {.reason = "Good", .message = "yes"};
    events.Write(Context(), kCronJobs, About(), text);
    const auto list = server.events.List(Context());
    ASSERT_THAT(list->items, SizeIs(1));
    ASSERT_THAT(server.events.Delete(Context(), list->items[0].metadata.name.view()), IsOk());
    events.Write(Context(), kCronJobs, About(), text);  // is lost
    events.Write(Context(), kCronJobs, About(), text);
    const auto after = server.events.List(Context());
    ASSERT_THAT(after->items, SizeIs(1));
    EXPECT_EQ(after->items[0].count, 1);
  }),
              IsOk());
}

TEST(Events, Write_WithAnAction_CountsAllMessagesInOneSeries) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client);
    const absl::Time start = base::WallNow();
    EventText text = {.warning = true, .reason = "FailedScheduling", .action = "Scheduling"};
    text.message = std::string(2000, 'x');
    events.Write(Context(), "default-scheduler", About(), text);
    const auto first = server.events.List(Context());
    ASSERT_THAT(first->items, SizeIs(1));
    EXPECT_FALSE(first->items[0].series.has_value());
    text.message = "other";
    for (int i = 0; i < 2; ++i) {
      ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
      events.Write(Context(), "default-scheduler", About(), text);
    }
    const auto list = server.events.List(Context());
    ASSERT_THAT(list->items, SizeIs(1));
    const corev1::Event& event = list->items[0];
    EXPECT_EQ(event.message, absl::StrCat(std::string(1020, 'x'), " ..."));
    EXPECT_EQ(event.event_time, MicroTime(start));
    EXPECT_EQ(event.action, "Scheduling");
    EXPECT_EQ(event.reporting_component, "default-scheduler");
    EXPECT_EQ(event.reporting_instance, "default-scheduler");
    EXPECT_EQ(event.source, corev1::EventSource());
    EXPECT_EQ(event.count, 0);
    EXPECT_TRUE(event.first_timestamp.IsZero());
    ASSERT_TRUE(event.series.has_value());
    EXPECT_EQ(event.series->count, 3);
    EXPECT_EQ(event.series->last_observed_time, MicroTime(start + absl::Minutes(2)));
  }),
              IsOk());
}

// As for nodes.
TEST(Events, Write_AboutAnObjectWithoutNamespace_GoesToTheDefaultOne) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client);
    corev1::ObjectReference about = About();
    about.namespace_ = "";
    events.Write(Context(), kCronJobs, about, {.reason = "Good", .message = "yes"});
    EXPECT_THAT(server.events.List(Context())->items, SizeIs(1));
  }),
              IsOk());
}

TEST(Events, Write_ManySimilarEvents_CombinesThemFromTheTenthOn) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client);
    const auto write = [&](int number) {
      events.Write(Context(), kCronJobs, About(),
                   {.reason = "Created", .message = absl::StrCat("pod ", number)});
    };
    for (int i = 1; i <= 12; ++i) write(i);
    auto list = server.events.List(Context());
    ASSERT_THAT(list->items, SizeIs(10));
    EXPECT_EQ(list->items[8].message, "pod 9");
    EXPECT_EQ(list->items[9].message, "(combined from similar events): pod 12");
    EXPECT_EQ(list->items[9].count, 3);
    // After a pause they are told one by one again.
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(11)), IsOk());
    write(13);
    list = server.events.List(Context());
    ASSERT_THAT(list->items, SizeIs(11));
    EXPECT_EQ(list->items[10].message, "pod 13");
  }),
              IsOk());
}

TEST(Events, Write_MoreThanTwentyFiveAtOnce_DropsTheOthers) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    Server server;
    Events events(server.client);
    const ObjectEvents told(events, kCronJobs, About());
    for (int i = 0; i < 40; ++i) told.Warning(Context(), "Bad", "no");
    EXPECT_EQ(server.events.List(Context())->items[0].count, 25);
    told.Normal(Context(), "Good", "yes");
    EXPECT_THAT(server.events.List(Context())->items, SizeIs(2)) << "another type";
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(5) + absl::Seconds(1)), IsOk());
    for (int i = 0; i < 2; ++i) told.Warning(Context(), "Bad", "no");
    EXPECT_EQ(server.events.List(Context())->items[0].count, 26);
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::envtest::internal
