#include "controller/enqueue.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace metav1 = api::meta::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

using Deployment = std::shared_ptr<const appsv1::Deployment>;
using Queue = workqueue::Queue<meta::ObjectName>;

const schema::GroupVersionKind kWebsite = {
    .group = "example.com", .version = "v1", .kind = "Website"};

// The controller reference of a website, if it has a name.
Deployment Make(const char* version = "1", const char* website = "") {
  appsv1::Deployment deployment = {
      .metadata = {.name = "web", .namespace_ = "prod", .resource_version = version}};
  if (*website != '\0') {
    deployment.metadata.owner_references = {
        meta::NewControllerRef(metav1::ObjectMeta{.name = website, .uid = "u"}, kWebsite)};
  }
  return std::make_shared<const appsv1::Deployment>(std::move(deployment));
}

std::vector<std::string> TakeAll(Queue& queue) {
  std::vector<std::string> texts;
  while (queue.length() > 0) texts.push_back(std::string(queue.Get(Context())->text()));
  return texts;
}

// As informers have them.
struct AddEvent {
  Deployment object;
  bool is_in_initial_list = false;
};
struct UpdateEvent {
  Deployment old_object;
  Deployment object;
  bool is_resync = false;
};
struct DeleteEvent {
  Deployment object;
  bool final_state_unknown = false;
  Deployment old_object = {};
};

TEST(EnqueueTest, Enqueue_AnyEvent_AddsTheNameOfItsObject) {
  Queue queue;
  Enqueue(queue, AddEvent{Make()});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));
  Enqueue(queue, UpdateEvent{Make(), Make("2")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));
  // A tombstone, as client-go calls it.
  Enqueue(queue, DeleteEvent{Make(), true, Make()});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));
}

// behaviour.md: PQ-1
TEST(EnqueueTest, PriorityOf_InitialListOrResync_IsLow) {
  const Deployment object = Make();
  EXPECT_EQ(PriorityOf(AddEvent{object}), 0);
  EXPECT_EQ(PriorityOf(AddEvent{object, true}), workqueue::kLowPriority);
  EXPECT_EQ(PriorityOf(UpdateEvent{object, Make("2")}), 0);
  EXPECT_EQ(PriorityOf(UpdateEvent{object, object, true}), workqueue::kLowPriority);
  EXPECT_EQ(PriorityOf(DeleteEvent{object}), 0);
  EXPECT_EQ(PriorityOf(DeleteEvent{object, false, object}), 0);
  EXPECT_EQ(PriorityOf(DeleteEvent{object, true, object}), 0);
}

TEST(EnqueueTest, ControllerNameOf_ControllerOfThatKind_ReturnsItsName) {
  const metav1::ObjectMeta owned = Make("1", "shop")->metadata;
  const meta::ObjectName shop = {.namespace_name = "prod", .name = "shop"};
  EXPECT_THAT(ControllerNameOf(owned, kWebsite), Optional(shop));
  EXPECT_THAT(ControllerNameOf(owned, kWebsite, OwnerScope::kCluster),
              Optional(meta::ObjectName{.name = "shop"}));
  schema::GroupVersionKind other = kWebsite;
  other.version = "v2";
  EXPECT_THAT(ControllerNameOf(owned, other), Optional(shop));
  other.group = "example.org";
  EXPECT_EQ(ControllerNameOf(owned, other), std::nullopt);
  other = kWebsite;
  other.kind = "Site";
  EXPECT_EQ(ControllerNameOf(owned, other), std::nullopt);
  EXPECT_EQ(ControllerNameOf(Make()->metadata, kWebsite), std::nullopt);
  // An owner that does not control it.
  metav1::ObjectMeta loose = owned;
  loose.owner_references[0].controller = {};
  EXPECT_EQ(ControllerNameOf(loose, kWebsite), std::nullopt);
}

TEST(EnqueueTest, EnqueueController_AnyEvent_AddsOldAndNewOwner) {
  Queue queue;
  EnqueueController(queue, kWebsite, AddEvent{Make("1", "shop")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  EnqueueController(queue, kWebsite, AddEvent{Make()});
  EXPECT_THAT(TakeAll(queue), IsEmpty());
  EnqueueController(queue, kWebsite, UpdateEvent{Make("1", "shop"), Make("2", "blog")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/blog", "prod/shop"));
  EnqueueController(queue, kWebsite, UpdateEvent{Make("1", "shop"), Make("2")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  // Merged: the handler was told of the shop's, never of the blog's.
  EnqueueController(queue, kWebsite, DeleteEvent{Make("2", "blog"), false, Make("1", "shop")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/blog", "prod/shop"));
  EnqueueController(queue, kWebsite, DeleteEvent{Make("2"), false, Make("1", "shop")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  EnqueueController(queue, kWebsite, AddEvent{Make("1", "shop")}, OwnerScope::kCluster);
  EXPECT_THAT(TakeAll(queue), ElementsAre("shop"));
}

// The websites whose names are in a deployment's labels.
std::vector<meta::ObjectName> WebsitesOf(const appsv1::Deployment& deployment) {
  std::vector<meta::ObjectName> names;
  for (const auto& [label, value] : deployment.metadata.labels) {
    names.push_back({.namespace_name = "prod", .name = std::string(value)});
  }
  return names;
}

Deployment Labelled(const char* version, const char* first, const char* second) {
  appsv1::Deployment deployment = *Make(version);
  deployment.metadata.labels = {{"first", first}, {"second", second}};
  return std::make_shared<const appsv1::Deployment>(std::move(deployment));
}

TEST(EnqueueTest, EnqueueMapped_AnyEvent_AddsWhatOldAndNewObjectReferTo) {
  Queue queue;
  EnqueueMapped(queue, WebsitesOf, AddEvent{Labelled("1", "shop", "blog")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop", "prod/blog"));
  EnqueueMapped(queue, WebsitesOf, AddEvent{Make()});
  EXPECT_THAT(TakeAll(queue), IsEmpty());
  EnqueueMapped(queue, WebsitesOf,
                UpdateEvent{Labelled("1", "shop", "blog"), Labelled("2", "shop", "wiki")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop", "prod/wiki", "prod/blog"));
  EnqueueMapped(queue, WebsitesOf, DeleteEvent{Make("2"), false, Labelled("1", "shop", "shop")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  EnqueueMapped(queue, WebsitesOf, DeleteEvent{Labelled("2", "wiki", "wiki"), true, Make()});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/wiki"));
}

TEST(EnqueueTest, AMappedHandlerAddsWhatAnObjectRefersTo_AsInTheHeader) {
  Queue queue;
  const auto handler = EnqueueMappedHandler<appsv1::Deployment>(queue, WebsitesOf);
  handler.on_add({.object = Labelled("1", "shop", "blog")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop", "prod/blog"));
}

TEST(EnqueueTest, EnqueueMappedHandler_KeysOfAnotherType_AreAddedWithTheirPriority) {
  workqueue::Queue<int> queue({.order = workqueue::QueueOrder::kPriority});
  const auto handler =
      EnqueueMappedHandler<appsv1::Deployment>(queue, [](const appsv1::Deployment& deployment) {
        return std::vector<int>{deployment.spec.replicas.value_or(1)};
      });
  appsv1::Deployment three;
  three.spec.replicas = 3;
  const auto object = std::make_shared<const appsv1::Deployment>(std::move(three));
  handler.on_add({.object = object, .is_in_initial_list = true});
  EXPECT_EQ(queue.Get(Context())->priority(), workqueue::kLowPriority);
  handler.on_update({.old_object = Make(), .object = object});
  EXPECT_EQ(queue.Get(Context())->key(), 3);
  EXPECT_EQ(queue.Get(Context())->key(), 1);
  handler.on_delete({.object = object, .old_object = object});
  EXPECT_EQ(queue.Get(Context())->priority(), 0);
  EXPECT_EQ(queue.length(), 0u);
}

TEST(EnqueueTest, Handlers_AddUpdateAndDelete_EnqueueObjectOrOwner) {
  Queue queue;
  const Deployment object = Make("1", "shop");
  const auto own = EnqueueHandler<appsv1::Deployment>(queue);
  own.on_add({.object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));
  own.on_update({.old_object = object, .object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));
  own.on_delete({.object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));

  const auto owner = EnqueueControllerHandler<appsv1::Deployment>(queue, kWebsite);
  owner.on_add({.object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  owner.on_update({.old_object = object, .object = Make("2")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  owner.on_delete({.object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  const auto cluster =
      EnqueueControllerHandler<appsv1::Deployment>(queue, kWebsite, OwnerScope::kCluster);
  cluster.on_add({.object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("shop"));
}

// Any kind of object, and nothing else: a wrong type is refused by its constraint, in one line, not
// deep inside of std::function.
template <typename T>
concept CanBeEnqueued = requires(Queue& queue) {
  EnqueueHandler<T>(queue);
  EnqueueControllerHandler<T>(queue, kWebsite);
};
static_assert(CanBeEnqueued<appsv1::Deployment>);
static_assert(CanBeEnqueued<metav1::PartialObjectMetadata>);
static_assert(CanBeEnqueued<unstructured::Unstructured>);
static_assert(!CanBeEnqueued<metav1::Status>);
static_assert(!CanBeEnqueued<unstructured::Value>);
static_assert(!CanBeEnqueued<std::string>);

template <typename T>
std::shared_ptr<const T> Decoded(absl::string_view json) {
  return std::make_shared<const T>(*codec::DecodeJson<T>(json));
}

template <typename T>
void TestHandlersOf() {
  constexpr absl::string_view kObject = R"({"kind":"Site","metadata":{"name":"web",)"
                                        R"("namespace":"prod","resourceVersion":"1"}})";
  constexpr absl::string_view kOwned =
      R"({"kind":"Site","metadata":{"name":"web","namespace":"prod","resourceVersion":"2",)"
      R"("ownerReferences":[{"apiVersion":"example.com/v1","kind":"Website","name":"shop",)"
      R"("uid":"u","controller":true}]}})";
  const auto object = Decoded<T>(kObject), owned = Decoded<T>(kOwned);
  Queue queue;
  const auto own = EnqueueHandler<T>(queue);
  own.on_add({.object = object});
  own.on_update({.old_object = object, .object = owned});
  own.on_delete({.object = owned});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/web"));
  const auto owner = EnqueueControllerHandler<T>(queue, kWebsite);
  owner.on_add({.object = object});
  EXPECT_THAT(TakeAll(queue), IsEmpty());
  owner.on_update({.old_object = owned, .object = object});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/shop"));
  using Update = informers::UpdateEvent<T>;
  EXPECT_EQ(PriorityOf(Update{.old_object = object, .object = owned}), 0);
  EXPECT_EQ(PriorityOf(Update{.old_object = owned, .object = owned, .is_resync = true}),
            workqueue::kLowPriority);
}

TEST(EnqueueTest, Handlers_TypedMetadataOrUnstructured_EnqueueObjectOrOwner) {
  TestHandlersOf<appsv1::Deployment>();
  TestHandlersOf<metav1::PartialObjectMetadata>();
  TestHandlersOf<unstructured::Unstructured>();
}

TEST(EnqueueTest, EnqueueController_MalformedMetadata_AddsNothing) {
  Queue queue;
  const auto handler = EnqueueControllerHandler<unstructured::Unstructured>(queue, kWebsite);
  for (const char* json : {R"({"kind":"Site","metadata":"text"})",
                           R"({"kind":"Site","metadata":{"ownerReferences":{"a":1}}})",
                           R"({"kind":"Site","metadata":{"ownerReferences":["a"]}})"}) {
    handler.on_add({.object = Decoded<unstructured::Unstructured>(json)});
  }
  EXPECT_THAT(TakeAll(queue), IsEmpty());
}

// behaviour.md: PQ-1
TEST(EnqueueTest, EnqueueController_InitialList_ComesAfterNewObjects) {
  Queue queue({.order = workqueue::QueueOrder::kPriority});
  EnqueueController(queue, kWebsite, AddEvent{Make("1", "old"), true});
  EnqueueController(queue, kWebsite, AddEvent{Make("1", "new")});
  EXPECT_THAT(TakeAll(queue), ElementsAre("prod/new", "prod/old"));
}

}  // namespace
}  // namespace kube::controller
