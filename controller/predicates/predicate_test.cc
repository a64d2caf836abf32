#include "controller/predicates/predicate.h"

#include <functional>
#include <memory>
#include <utility>

#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace metav1 = api::meta::v1;
using informers::AddEvent;
using informers::DeleteEvent;
using informers::UpdateEvent;

using Object = std::shared_ptr<const appsv1::Deployment>;

Object Make(bool deleted = false) {
  appsv1::Deployment deployment = {.metadata = {.name = "web"}};
  if (deleted) deployment.metadata.deletion_timestamp = Time::FromUnixSeconds(7);
  return std::make_shared<const appsv1::Deployment>(std::move(deployment));
}

const Predicate<appsv1::Deployment> kNothing = {
    .on_add = [](const AddEvent<appsv1::Deployment>&) { return false; },
    .on_update = [](const UpdateEvent<appsv1::Deployment>&) { return false; },
    .on_delete = [](const DeleteEvent<appsv1::Deployment>&) { return false; }};

// behaviour.md: PRED-1
TEST(PredicateTest, Passes_NoFunctions_PassesEverything) {
  const Predicate<appsv1::Deployment> all;
  EXPECT_TRUE(all.Passes(AddEvent<appsv1::Deployment>{.object = Make()}));
  EXPECT_TRUE(all.Passes(UpdateEvent<appsv1::Deployment>{.old_object = Make(), .object = Make()}));
  EXPECT_TRUE(all.Passes(DeleteEvent<appsv1::Deployment>{.object = Make()}));
}

// behaviour.md: SRC-11, PRED-1
TEST(PredicateTest, Passes_EachTypeOfEvent_AsksItsFunction) {
  Predicate<appsv1::Deployment> adds = kNothing;
  adds.on_add = nullptr;
  EXPECT_TRUE(adds.Passes(AddEvent<appsv1::Deployment>{.object = Make()}));
  EXPECT_FALSE(
      adds.Passes(UpdateEvent<appsv1::Deployment>{.old_object = Make(), .object = Make()}));
  EXPECT_FALSE(adds.Passes(DeleteEvent<appsv1::Deployment>{.object = Make()}));
  EXPECT_FALSE(kNothing.Passes(AddEvent<appsv1::Deployment>{.object = Make()}));
  Predicate<appsv1::Deployment> deletes = kNothing;
  deletes.on_delete = [](const DeleteEvent<appsv1::Deployment>& event) {
    return event.final_state_unknown;
  };
  EXPECT_TRUE(deletes.Passes(
      DeleteEvent<appsv1::Deployment>{.object = Make(), .final_state_unknown = true}));
  EXPECT_FALSE(deletes.Passes(DeleteEvent<appsv1::Deployment>{.object = Make()}));
}

// behaviour.md: PRED-4
TEST(PredicateTest, Passes_BeginningOfADeletion_UnlessHidden) {
  Predicate<appsv1::Deployment> hiding = kNothing;
  hiding.hides_deletion = true;
  const struct {
    const char* name;
    bool was_deleted;
    bool is_deleted;
    bool is_recreated;
    bool begins;
  } kRows[] = {
      {"alive", false, false, false, false},
      {"begins", false, true, false, true},
      {"goes on", true, true, false, false},
      {"another object that is alive", true, false, true, false},
      {"another object that is being deleted", true, true, true, true},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const UpdateEvent<appsv1::Deployment> event = {.old_object = Make(row.was_deleted),
                                                   .object = Make(row.is_deleted),
                                                   .is_recreated = row.is_recreated};
    EXPECT_EQ(BeginsDeletion(event), row.begins);
    EXPECT_EQ(kNothing.Passes(event), row.begins);
    EXPECT_FALSE(hiding.Passes(event));
  }
}

TEST(PredicateTest, Passes_ObjectsOfAnyKind_HaveTheSameRule) {
  unstructured::Unstructured any;
  any.set_name("web");
  unstructured::Unstructured deleted_any = any;
  deleted_any.set_deletion_timestamp(Time::FromUnixSeconds(7));
  const Predicate<unstructured::Unstructured> no_any = {
      .on_update = [](const UpdateEvent<unstructured::Unstructured>&) { return false; }};
  const auto alive = std::make_shared<const unstructured::Unstructured>(any);
  const auto deleted = std::make_shared<const unstructured::Unstructured>(deleted_any);
  using AnyUpdate = UpdateEvent<unstructured::Unstructured>;
  EXPECT_TRUE(no_any.Passes(AnyUpdate{.old_object = alive, .object = deleted}));
  EXPECT_FALSE(no_any.Passes(AnyUpdate{.old_object = alive, .object = alive}));

  metav1::PartialObjectMetadata partial = {.metadata = {.name = "web"}};
  const auto partial_alive = std::make_shared<const metav1::PartialObjectMetadata>(partial);
  partial.metadata.deletion_timestamp = Time::FromUnixSeconds(7);
  const auto partial_deleted = std::make_shared<const metav1::PartialObjectMetadata>(partial);
  const Predicate<metav1::PartialObjectMetadata> no_partial = {
      .on_update = [](const UpdateEvent<metav1::PartialObjectMetadata>&) { return false; }};
  using PartialUpdate = UpdateEvent<metav1::PartialObjectMetadata>;
  EXPECT_TRUE(
      no_partial.Passes(PartialUpdate{.old_object = partial_alive, .object = partial_deleted}));
  EXPECT_FALSE(
      no_partial.Passes(PartialUpdate{.old_object = partial_deleted, .object = partial_deleted}));
}

TEST(PredicateTest, TheExampleOfTheHeader_PassesChangesOfReplicas) {
  const Predicate<appsv1::Deployment> scaled = {
      .on_update = [](const UpdateEvent<appsv1::Deployment>& event) {
        return event.object->spec.replicas != event.old_object->spec.replicas;
      }};
  appsv1::Deployment three = *Make();
  three.spec.replicas = 3;
  const auto object = std::make_shared<const appsv1::Deployment>(std::move(three));
  EXPECT_TRUE(
      scaled.Passes(UpdateEvent<appsv1::Deployment>{.old_object = Make(), .object = object}));
  EXPECT_FALSE(
      scaled.Passes(UpdateEvent<appsv1::Deployment>{.old_object = object, .object = object}));
}

}  // namespace
}  // namespace kube::controller
