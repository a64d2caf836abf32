// The rules of predicates, held against random lives of an object: it changes, is deleted and
// created again, and the handler is told of every change, or of several in one event.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/time.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "controller/predicates/predicate.h"
#include "controller/predicates/predicates.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "tests/dice.h"

namespace kube::controller {
namespace {

using Deployment = api::apps::v1::Deployment;
using Object = std::shared_ptr<const Deployment>;
using Update = informers::UpdateEvent<Deployment>;

bool IsSelected(const Object& object) {
  return object != nullptr && object->metadata.labels.value_or("app", "") == "web";
}

// An object on a server, with what a server does to its metadata.
class Life {
 public:
  explicit Life(oracle::Dice& dice) : dice_(dice) {}

  // Null while it does not exist.
  const Object& object() const { return object_; }

  void Change() {
    Deployment next = object_ == nullptr ? Deployment() : *object_;
    next.metadata.resource_version = absl::StrCat(++version_);
    if (object_ == nullptr) {
      next.metadata.name = "web";
      next.metadata.uid = absl::StrCat("u", version_);
      next.metadata.generation = 1;
    } else if (dice_.Below(12) == 0) {
      object_ = nullptr;
      return;
    }
    Edit(next);
    object_ = std::make_shared<const Deployment>(std::move(next));
  }

 private:
  void Edit(Deployment& next) {
    switch (dice_.Below(6)) {
      case 0:
        next.spec.replicas = static_cast<int32_t>(version_);
        ++next.metadata.generation;
        return;
      case 1:
        next.metadata.labels["app"] = dice_.Below(2) == 0 ? "web" : "db";
        return;
      case 2:
        next.metadata.annotations["note"] = absl::StrCat(dice_.Below(3));
        return;
      case 3:
        if (next.metadata.finalizers.empty()) {
          next.metadata.finalizers = {"example.com/a"};
        } else {
          next.metadata.finalizers.clear();
        }
        return;
      case 4:
        if (!next.metadata.deletion_timestamp.has_value()) {
          next.metadata.deletion_timestamp = Time::FromUnixSeconds(7);
        }
        return;
      default:
        next.status.replicas = static_cast<int32_t>(version_);
    }
  }

  oracle::Dice& dice_;
  int64_t version_ = 0;
  Object object_;
};

// What a handler behind a predicate knows: the object that it was given last.
class Follower {
 public:
  explicit Follower(Predicate<Deployment> predicate) : predicate_(std::move(predicate)) {}

  void Tell(const informers::AddEvent<Deployment>& event) {
    if (predicate_.Passes(event)) seen_ = event.object;
  }
  void Tell(const Update& event) {
    if (predicate_.Passes(event)) seen_ = event.object;
  }
  void Tell(const informers::DeleteEvent<Deployment>& event) {
    if (predicate_.Passes(event)) seen_ = nullptr;
  }
  const Object& seen() const { return seen_; }

 private:
  Predicate<Deployment> predicate_;
  Object seen_;
};

std::vector<Predicate<Deployment>> Simple() {
  return {GenerationChanged<Deployment>(),
          LabelsChanged<Deployment>(),
          AnnotationsChanged<Deployment>(),
          ResourceVersionChanged<Deployment>(),
          FieldChanged<Deployment>("metadata.finalizers"),
          Selected<Deployment>(*labels::Parse("app=web"))};
}

// Rules for each update.
void CheckUpdate(const Update& event) {
  const std::vector<Predicate<Deployment>> simple = Simple();
  const auto fields = Or(simple[0], simple[1], simple[2], simple[4]);
  EXPECT_EQ(SpecOrMetadataChanged<Deployment>().Passes(event), fields.Passes(event));
  for (const Predicate<Deployment>& a : simple) {
    EXPECT_EQ(a.Passes(event), And(a, a).Passes(event));
    EXPECT_EQ(a.Passes(event), Or(a, a).Passes(event));
    for (const Predicate<Deployment>& b : simple) {
      EXPECT_EQ(And(a, b).Passes(event), a.Passes(event) && b.Passes(event));
      EXPECT_EQ(Or(a, b).Passes(event), a.Passes(event) || b.Passes(event));
      if (BeginsDeletion(event)) {
        // Whatever hides nothing passes it, turned around or not.
        const bool hide = a.hides_deletion && b.hides_deletion;
        EXPECT_TRUE(hide || Or(a, b).Passes(event));
        EXPECT_TRUE(hide || Not(Or(a, b)).Passes(event));
      } else {
        EXPECT_EQ(Not(a).Passes(event), !a.Passes(event));
        EXPECT_EQ(Not(And(a, b)).Passes(event), Or(Not(a), Not(b)).Passes(event));
        EXPECT_EQ(Not(Or(a, b)).Passes(event), And(Not(a), Not(b)).Passes(event));
      }
    }
  }
}

// A follower knows all that concerns it in the object of which the handler was told.
void CheckFollower(const Follower& follower, const Object& told) {
  ASSERT_EQ(IsSelected(follower.seen()), IsSelected(told));
  if (!IsSelected(told)) return;
  const auto& seen = follower.seen()->metadata;
  EXPECT_EQ(seen.uid, told->metadata.uid);
  EXPECT_EQ(seen.generation, told->metadata.generation);
  EXPECT_EQ(seen.labels, told->metadata.labels);
  EXPECT_EQ(seen.annotations, told->metadata.annotations);
  EXPECT_EQ(seen.finalizers, told->metadata.finalizers);
  EXPECT_EQ(seen.deletion_timestamp.has_value(), told->metadata.deletion_timestamp.has_value());
}

// Gives the change from `told` to `now` to the follower, as an informer does.
void Tell(Follower& follower, const Object& told, const Object& now) {
  if (told == nullptr && now == nullptr) return;
  if (told == nullptr) {
    follower.Tell(informers::AddEvent<Deployment>{.object = now});
  } else if (now == nullptr) {
    follower.Tell(informers::DeleteEvent<Deployment>{.object = told, .old_object = told});
  } else {
    const Update event = {.old_object = told,
                          .object = now,
                          .is_resync = told == now,
                          .is_recreated = told->metadata.uid != now->metadata.uid};
    CheckUpdate(event);
    follower.Tell(event);
  }
}

TEST(PredicatesRandom, LivesOfAnObject_FollowersMissNothing) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    oracle::Dice dice(seed);
    Life life(dice);
    Follower follower(
        And(SpecOrMetadataChanged<Deployment>(), Selected<Deployment>(*labels::Parse("app=web"))));
    Object told;
    int begun = 0;
    for (int step = 0; step < 120; ++step) {
      life.Change();
      if (dice.Below(3) == 0) continue;  // merged with the next change
      const Object now = life.object();
      if (told != nullptr && now != nullptr) {
        begun += BeginsDeletion(Update{.old_object = told, .object = now}) ? 1 : 0;
      }
      Tell(follower, told, now);
      if (dice.Below(5) == 0) Tell(follower, now, now);  // a resync
      told = now;
      ASSERT_NO_FATAL_FAILURE(CheckFollower(follower, told));
      if (testing::Test::HasFailure()) return;
    }
    // The object was deleted now and then, or the rules about it were not tested.
    EXPECT_GT(begun, 0);
  }
}

}  // namespace
}  // namespace kube::controller
