// Lists, pages, watches and their ends, against real servers: a usual one, one of 1.33 (no
// watch-lists) and one without a cache (which forgets old states).
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"
#include "clientset/typed/watch_list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using ::kube::base::IsOk;

using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;
using Event = watch::Event<corev1::ConfigMap>;

class WatchTest : public ::testing::Test {
 protected:
  WatchTest() : client_(ClientOf(ConfigOf())), namespace_name_(MakeNamespace(client_)) {}

  ConfigMaps config_maps() const {
    return ConfigMaps(client_, kConfigMaps).Namespace(namespace_name_);
  }

  // Several at a time, to be done sooner. All have the label test=yes.
  void Create(int count) {
    base::ThreadGroup group{Context()};
    for (int thread = 0; thread < 8; ++thread) {
      group.Go("create", [this, thread, count](const Context&) -> absl::Status {
        for (int i = thread; i < count; i += 8) {
          const corev1::ConfigMap config_map = {
              .metadata = {.name = absl::StrCat("c-", i), .labels = {{"test", "yes"}}}};
          absl::Status status = config_maps().Create(Soon(), config_map).status();
          if (!status.ok()) return status;
        }
        return absl::OkStatus();
      });
    }
    ASSERT_THAT(group.Wait(), IsOk());
  }

  std::string Version() const {
    const absl::StatusOr<corev1::ConfigMapList> list = config_maps().List(Soon(), {.limit = 1});
    EXPECT_THAT(list.status(), IsOk());
    return list.ok() ? std::string(list->metadata.resource_version) : "";
  }

  bool is_variant(const std::string& name) const { return Variable("KUBE_VARIANT") == name; }

  const rest::Client client_;
  const std::string namespace_name_;
};

// An event that must come.
Event Next(watch::Watcher<corev1::ConfigMap>& watcher) {
  const absl::StatusOr<std::optional<Event>> event = watcher.Next(Soon());
  EXPECT_THAT(event.status(), IsOk());
  if (!event.ok() || !event->has_value()) {
    ADD_FAILURE() << "expected an event, got the end";
    return {.object = std::make_shared<const corev1::ConfigMap>()};
  }
  return **event;
}

TEST_F(WatchTest, EventsInTheirOrder) {
  auto watcher = config_maps().Watch(Soon(), {.resource_version = Version()});
  ASSERT_THAT(watcher.status(), IsOk());
  auto a = config_maps().Create(Soon(), {.metadata = {.name = "a"}});
  ASSERT_THAT(a.status(), IsOk());
  a->data["k"] = "1";
  const auto changed = config_maps().Update(Soon(), *a);
  ASSERT_THAT(changed.status(), IsOk());
  ASSERT_THAT(config_maps().Delete(Soon(), "a"), IsOk());

  Event event = Next(**watcher);
  while (event.object->metadata.name != "a") event = Next(**watcher);  // kube-root-ca.crt
  EXPECT_EQ(event.type, watch::EventType::kAdded);
  event = Next(**watcher);
  EXPECT_EQ(event.type, watch::EventType::kModified);
  EXPECT_EQ(*event.object, *changed);
  EXPECT_EQ(Next(**watcher).type, watch::EventType::kDeleted);
}

TEST_F(WatchTest, EndsAfterItsTime) {
  auto watcher =
      config_maps().Watch(Soon(), {.field_selector = "metadata.name=none", .timeout_seconds = 1});
  ASSERT_THAT(watcher.status(), IsOk());
  const absl::StatusOr<std::optional<Event>> end = (*watcher)->Next(Soon());
  ASSERT_THAT(end.status(), IsOk());
  EXPECT_FALSE(end->has_value());
}

TEST_F(WatchTest, ContextAndStopEndAWaitAtOnce) {
  auto watcher = config_maps().Watch(Soon(), {.field_selector = "metadata.name=none"});
  ASSERT_THAT(watcher.status(), IsOk());
  EXPECT_EQ((*watcher)->Next(WithTimeout(Context(), absl::Milliseconds(50))).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  base::Thread stopper;
  ASSERT_THAT(stopper.Start(Context(), "stop", [&](const Context&) { (*watcher)->Stop(); }),
              IsOk());
  const absl::StatusOr<std::optional<Event>> end = (*watcher)->Next(Soon());
  ASSERT_THAT(end.status(), IsOk());
  EXPECT_FALSE(end->has_value());
}

TEST_F(WatchTest, WatchList) {
  Create(20);
  const metav1::ListOptions options = {.label_selector = "test=yes"};
  const std::optional<metav1::ListOptions> watch_options = typed::WatchListOptions(options);
  ASSERT_TRUE(watch_options.has_value());
  auto watcher = config_maps().Watch(Soon(), *watch_options);
  if (is_variant("also_on_1_33")) {
    EXPECT_TRUE(errors::IsInvalid(watcher.status())) << watcher.status();
    EXPECT_TRUE(typed::IsWatchListUnsupported(watcher.status()));
  } else {
    ASSERT_THAT(watcher.status(), IsOk());
    const auto events = typed::DrainInitialEvents(Soon(), **watcher);
    ASSERT_THAT(events.status(), IsOk());
    EXPECT_EQ(events->items.size(), 20u);
    EXPECT_FALSE(events->resource_version.empty());
  }
  const auto page = typed::ListByWatch(Soon(), config_maps(), options);
  ASSERT_THAT(page.status(), IsOk());
  EXPECT_EQ(page->items.size(), 20u);
  EXPECT_FALSE(page->list.metadata.resource_version.empty());
}

TEST_F(WatchTest, Pages) {
  constexpr int kCount = 5000;
  Create(kCount);
  const auto list = pager::PagerOf(config_maps()).List(Soon(), {.label_selector = "test=yes"});
  ASSERT_THAT(list.status(), IsOk());
  EXPECT_TRUE(list->paginated);
  EXPECT_EQ(list->list.items.size(), static_cast<size_t>(kCount));

  int items = 0, pages = 0;
  const auto shared =
      pager::SharedPagerOf(config_maps(), {.page_size = 300, .page_buffer_size = 3});
  ASSERT_THAT(shared.EachPage(Soon(), {.label_selector = "test=yes"},
                              [&](auto page) {
                                items += static_cast<int>(page.items.size());
                                ++pages;
                                return absl::OkStatus();
                              }),
              IsOk());
  EXPECT_EQ(items, kCount);
  EXPECT_EQ(pages, 17);
}

TEST_F(WatchTest, OldResourceVersions) {
  Create(3);
  const std::string old = Version();
  const auto page = config_maps().List(Soon(), {.label_selector = "test=yes", .limit = 1});
  ASSERT_THAT(page.status(), IsOk());
  for (const char* name : {"x", "y", "z"}) {
    ASSERT_THAT(config_maps().Create(Soon(), {.metadata = {.name = name}}).status(), IsOk());
  }
  CompactEtcd();
  if (!is_variant("also_without_watch_cache")) return;  // the cache still has them

  const absl::Status exact =
      config_maps()
          .List(Soon(), {.resource_version = old, .resource_version_match = "Exact"})
          .status();
  EXPECT_TRUE(errors::IsResourceExpired(exact)) << exact;

  const absl::Status next_page =
      config_maps()
          .List(Soon(), {.label_selector = "test=yes",
                         .limit = 1,
                         .continue_ = std::string(page->metadata.continue_)})
          .status();
  EXPECT_TRUE(errors::IsResourceExpired(next_page)) << next_page;
  const std::optional<metav1::Status> said = errors::StatusOf(next_page);
  ASSERT_TRUE(said.has_value());
  EXPECT_FALSE(said->metadata.continue_.empty()) << "where to go on, if gaps do not matter";

  auto watcher = config_maps().Watch(Soon(), {.resource_version = old});
  ASSERT_THAT(watcher.status(), IsOk());
  const Event event = Next(**watcher);
  EXPECT_EQ(event.type, watch::EventType::kError);
  EXPECT_TRUE(errors::IsResourceExpired(event.error)) << event.error;
}

TEST_F(WatchTest, FutureResourceVersion) {
  const absl::Status future =
      config_maps()
          .List(WithTimeout(Context(), absl::Seconds(4)),
                {.resource_version = "999999999", .resource_version_match = "NotOlderThan"})
          .status();
  // The server says 504 and asks to wait, again and again, as long as we do.
  EXPECT_FALSE(future.ok());
}

}  // namespace
}  // namespace kube::integration
