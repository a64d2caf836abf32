#include "controller/triggers/trigger.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "controller/predicates/predicate.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "tests/dice.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using informers::AddEvent;
using informers::DeleteEvent;
using informers::EventHandler;
using informers::UpdateEvent;
using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Unstructured;

using Pod = std::shared_ptr<const corev1::Pod>;

// A pod whose labels name up to two websites.
Pod Make(const char* version = "1", const char* first = "", const char* second = "") {
  corev1::Pod pod = {
      .metadata = {.name = "web", .namespace_ = "prod", .resource_version = version}};
  if (*first != '\0') pod.metadata.labels["first"] = first;
  if (*second != '\0') pod.metadata.labels["second"] = second;
  return std::make_shared<const corev1::Pod>(std::move(pod));
}

std::vector<meta::ObjectName> WebsitesOf(const corev1::Pod& pod) {
  std::vector<meta::ObjectName> names;
  for (const auto& [label, value] : pod.metadata.labels) {
    names.push_back({.namespace_name = "prod", .name = std::string(value)});
  }
  return names;
}

// What a handler has added.
struct Added {
  std::vector<std::string> keys;
  std::vector<int16_t> priorities;
  std::vector<TriggerEvent> events;
};

template <typename K>
EventHandler<K> HandlerInto(const std::shared_ptr<Added>& added, Trigger<K> trigger,
                            Predicate<K> predicate = {}) {
  return HandlerFor(
      std::move(trigger), std::move(predicate),
      [added](const meta::ObjectName& key, int16_t priority, const TriggerEvent& event) {
        added->keys.push_back(key.ToString());
        added->priorities.push_back(priority);
        added->events.push_back(event);
      });
}

std::vector<std::string> TakeKeys(Added& added) { return std::exchange(added.keys, {}); }

// behaviour.md: SRC-12, HND-1
TEST(TriggerTest, EnqueueSelf_AnyEvent_AddsTheNameOnce) {
  const auto added = std::make_shared<Added>();
  const EventHandler<corev1::Pod> handler = HandlerInto(added, EnqueueSelf<corev1::Pod>());
  handler.on_add({.object = Make()});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/web"));
  handler.on_update({.old_object = Make(), .object = Make("2")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/web"));
  handler.on_delete({.object = Make("2"), .old_object = Make()});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/web"));
  // Deleted while the watch was broken: SRC-12.
  handler.on_delete({.object = Make(), .final_state_unknown = true});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/web"));
}

// behaviour.md: HND-1
TEST(TriggerTest, EnqueueSelf_MetadataOrUnstructured_AddsTheName) {
  const auto added = std::make_shared<Added>();
  const metav1::PartialObjectMetadata partial = {.metadata = {.name = "node-1"}};
  HandlerInto(added, EnqueueSelf<metav1::PartialObjectMetadata>())
      .on_add({.object = std::make_shared<const metav1::PartialObjectMetadata>(partial)});
  Unstructured any;
  any.set_kind("Widget");
  any.set_name("web");
  any.set_namespace("prod");
  any.set_resource_version("7");
  HandlerInto(added, EnqueueSelf<Unstructured>())
      .on_add({.object = std::make_shared<const Unstructured>(any)});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("node-1", "prod/web"));
  EXPECT_EQ(added->events[1].kind, "Widget");
  EXPECT_EQ(added->events[1].new_version, "7");
}

// behaviour.md: HND-8
TEST(TriggerTest, EnqueueMapped_AnyEvent_AddsTheKeysOfOldAndNewObjectOnce) {
  const auto added = std::make_shared<Added>();
  const EventHandler<corev1::Pod> handler =
      HandlerInto(added, EnqueueMapped<corev1::Pod>(WebsitesOf));
  handler.on_add({.object = Make("1", "shop", "blog")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/shop", "prod/blog"));
  handler.on_add({.object = Make("1", "shop", "shop")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/shop"));
  handler.on_add({.object = Make()});
  EXPECT_THAT(TakeKeys(*added), IsEmpty());
  handler.on_update({.old_object = Make("1", "shop", "blog"), .object = Make("2", "shop", "wiki")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/shop", "prod/wiki", "prod/blog"));
  handler.on_update({.old_object = Make("1", "shop"), .object = Make("2")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/shop"));
  handler.on_delete({.object = Make("2", "wiki"), .old_object = Make("1", "shop")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/wiki", "prod/shop"));
}

TEST(TriggerTest, EnqueueMapped_Resync_AsksForTheKeysOnce) {
  int calls = 0;
  const auto added = std::make_shared<Added>();
  const auto handler = HandlerInto(added, EnqueueMapped<corev1::Pod>([&](const corev1::Pod& pod) {
                                     ++calls;
                                     return WebsitesOf(pod);
                                   }));
  const Pod pod = Make("1", "shop");
  handler.on_update({.old_object = pod, .object = pod, .is_resync = true});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/shop"));
  EXPECT_EQ(calls, 1);
}

// behaviour.md: HND-8
TEST(TriggerTest, EnqueueMapped_KeysOfAnotherType_AreAddedOnce) {
  const auto shards_of = [](const corev1::Pod& pod) {
    return std::vector<int>{static_cast<int>(pod.metadata.labels.size()), 7, 7};
  };
  std::vector<int> keys;
  const auto handler =
      HandlerFor(EnqueueMapped<corev1::Pod, int>(shards_of), Predicate<corev1::Pod>{},
                 [&](const int& key, int16_t, const TriggerEvent&) { keys.push_back(key); });
  handler.on_update({.old_object = Make("1", "shop"), .object = Make("2")});
  EXPECT_THAT(keys, ElementsAre(0, 7, 1));
}

// HND-9, PQ-1
// behaviour.md: HND-9, HND-11
TEST(TriggerTest, HandlerFor_InitialListOrResync_HasLowPriority) {
  const auto added = std::make_shared<Added>();
  const EventHandler<corev1::Pod> handler = HandlerInto(added, EnqueueSelf<corev1::Pod>());
  const Pod pod = Make();
  handler.on_add({.object = pod});
  handler.on_add({.object = pod, .is_in_initial_list = true});
  handler.on_update({.old_object = pod, .object = Make("2")});
  handler.on_update({.old_object = pod, .object = pod, .is_resync = true});
  handler.on_delete({.object = pod, .old_object = pod});
  EXPECT_THAT(added->priorities,
              ElementsAre(0, workqueue::kLowPriority, 0, workqueue::kLowPriority, 0));
}

// behaviour.md: SRC-11
TEST(TriggerTest, HandlerFor_AnyEvent_DescribesIt) {
  const auto added = std::make_shared<Added>();
  const EventHandler<corev1::Pod> handler = HandlerInto(added, EnqueueSelf<corev1::Pod>());
  handler.on_add({.object = Make("5"), .is_in_initial_list = true});
  handler.on_update({.old_object = Make("5"), .object = Make("7")});
  handler.on_delete({.object = Make("8"), .old_object = Make("7")});
  ASSERT_EQ(added->events.size(), 3u);
  const TriggerEvent& add = added->events[0];
  EXPECT_EQ(add.type, TriggerEvent::Type::kAdded);
  EXPECT_TRUE(add.initial);
  EXPECT_EQ(add.object.ToString(), "prod/web");
  EXPECT_EQ(add.old_version, "");
  EXPECT_EQ(add.new_version, "5");
  const TriggerEvent& update = added->events[1];
  EXPECT_EQ(update.type, TriggerEvent::Type::kUpdated);
  EXPECT_FALSE(update.initial || update.resync);
  EXPECT_EQ(update.old_version, "5");
  EXPECT_EQ(update.new_version, "7");
  const TriggerEvent& remove = added->events[2];
  EXPECT_EQ(remove.type, TriggerEvent::Type::kDeleted);
  EXPECT_EQ(remove.old_version, "7");
  EXPECT_EQ(remove.new_version, "8");
}

// behaviour.md: SRC-13
TEST(TriggerTest, HandlerFor_EventThatDoesNotPass_AddsNothing) {
  const auto added = std::make_shared<Added>();
  int calls = 0;
  const auto handler = HandlerInto<corev1::Pod>(
      added, EnqueueMapped<corev1::Pod>([&](const corev1::Pod& pod) {
        ++calls;
        return WebsitesOf(pod);
      }),
      {.on_add = [](const AddEvent<corev1::Pod>& event) { return !event.is_in_initial_list; },
       .on_update = [](const UpdateEvent<corev1::Pod>&) { return false; },
       .on_delete = [](const DeleteEvent<corev1::Pod>&) { return false; }});
  handler.on_add({.object = Make("1", "shop"), .is_in_initial_list = true});
  handler.on_update({.old_object = Make("1", "shop"), .object = Make("2", "shop")});
  handler.on_delete({.object = Make("2", "shop"), .old_object = Make("2", "shop")});
  EXPECT_THAT(TakeKeys(*added), IsEmpty());
  EXPECT_EQ(calls, 0);
  handler.on_add({.object = Make("1", "shop")});
  EXPECT_THAT(TakeKeys(*added), ElementsAre("prod/shop"));
}

// behaviour.md: HND-10
TEST(TriggerTest, HandlerFor_TriggerWithoutFunction_HandlesNothing) {
  const auto added = std::make_shared<Added>();
  const EventHandler<corev1::Pod> handler = HandlerInto(added, Trigger<corev1::Pod>());
  EXPECT_TRUE(handler.on_add == nullptr);
  EXPECT_TRUE(handler.on_update == nullptr);
  EXPECT_TRUE(handler.on_delete == nullptr);
}

TEST(TriggerTest, TheExampleOfTheHeader_EnqueuesWhatALabelNames) {
  const Trigger<corev1::Pod> by_label = EnqueueMapped<corev1::Pod>([](const corev1::Pod& pod) {
    return std::vector<meta::ObjectName>{
        {.namespace_name = std::string(pod.metadata.namespace_),
         .name = std::string(pod.metadata.labels.value_or("website", ""))}};
  });
  corev1::Pod pod = *Make();
  pod.metadata.labels["website"] = "shop";
  ASSERT_EQ(by_label.keys_of(pod).size(), 1u);
  EXPECT_EQ(by_label.keys_of(pod)[0].ToString(), "prod/shop");
}

std::set<std::string> Referred(const Pod& pod) {
  std::set<std::string> keys;
  if (pod == nullptr) return keys;
  for (const meta::ObjectName& name : WebsitesOf(*pod)) keys.insert(name.ToString());
  return keys;
}

// A random life of an object, of which the handler is told with gaps: whatever begins or ceases to
// be referred to is enqueued, each key once an event.
TEST(TriggerRandom, LivesOfAnObject_EachChangeOfAReferenceIsEnqueuedOnce) {
  constexpr const char* kWebsites[] = {"", "shop", "blog", "wiki"};
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    oracle::Dice dice(seed);
    const auto added = std::make_shared<Added>();
    const auto handler = HandlerInto(added, EnqueueMapped<corev1::Pod>(WebsitesOf));
    Pod told;
    for (int step = 1; step <= 200; ++step) {
      // Of deletions, the last known state may be one that the handler was not told of.
      const Pod next =
          Make(absl::StrCat(step).c_str(), kWebsites[dice.Below(4)], kWebsites[dice.Below(4)]);
      std::set<std::string> expected = Referred(told);
      expected.merge(Referred(next));
      if (told == nullptr) {
        handler.on_add({.object = next});
        told = next;
      } else if (dice.Below(5) == 0) {
        handler.on_delete({.object = next, .old_object = told});
        told = nullptr;
      } else {
        handler.on_update({.old_object = told, .object = next});
        told = next;
      }
      const std::vector<std::string> keys = TakeKeys(*added);
      ASSERT_EQ(keys.size(), expected.size());
      ASSERT_EQ(std::set<std::string>(keys.begin(), keys.end()), expected);
    }
  }
}

}  // namespace
}  // namespace kube::controller
