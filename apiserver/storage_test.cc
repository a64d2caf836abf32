#include "apiserver/storage.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/all_kinds.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/object.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kMaps[] = "/configmaps";

Object MapWith(absl::string_view name, absl::string_view value) {
  Object object{codec::AnyObject(*api::FindKind("v1", "ConfigMap"))};
  object.metadata().name = name;
  object.As<api::core::v1::ConfigMap>()->data["x"] = value;
  return object;
}

std::string ValueOf(const StoredObject& object) {
  return *object.object().As<api::core::v1::ConfigMap>()->data.find("x");
}

std::vector<std::string> ListOf(const Storage& storage, ListQuery query) {
  const absl::StatusOr<ListResult> list = storage.List(kMaps, query);
  if (!list.ok()) return {std::string(list.status().message())};
  std::vector<std::string> items;
  for (const ListItem& item : list->items) {
    items.push_back(absl::StrCat(item.key, "=", ValueOf(*item.object)));
  }
  return items;
}

// "+key", "~key", "-key" with the value and the revision.
std::vector<std::string> ChangesOf(const Storage& storage, int64_t after) {
  const absl::StatusOr<ChangesResult> changes = storage.ChangesAfter(kMaps, after, 1000);
  if (!changes.ok()) return {std::string(changes.status().message())};
  std::vector<std::string> found;
  for (const ChangePtr& change : changes->changes) {
    const char* sign = change->deleted ? "-" : change->before == nullptr ? "+" : "~";
    found.push_back(
        absl::StrCat(sign, change->key, "=", ValueOf(*change->after), "@", change->revision));
  }
  return found;
}

TEST(Storage, KeepsEveryRevision) {
  Storage storage;
  EXPECT_EQ(storage.revision(), 1);
  ASSERT_THAT(storage.Create(kMaps, "n/a", MapWith("a", "1")), IsOk());
  ASSERT_THAT(storage.Create(kMaps, "n/b", MapWith("b", "1")), IsOk());
  ASSERT_THAT(storage.Update(kMaps, "n/a", 2, MapWith("a", "2")), IsOk());
  ASSERT_THAT(storage.Delete(kMaps, "n/b", 3, MapWith("b", "1")), IsOk());
  EXPECT_EQ(storage.revision(), 5);

  EXPECT_THAT(ListOf(storage, {}), ElementsAre("n/a=2"));
  EXPECT_THAT(ListOf(storage, {.revision = 4}), ElementsAre("n/a=2", "n/b=1"));
  EXPECT_THAT(ListOf(storage, {.revision = 3}), ElementsAre("n/a=1", "n/b=1"));
  EXPECT_THAT(ListOf(storage, {.revision = 2}), ElementsAre("n/a=1"));
  EXPECT_THAT(ListOf(storage, {.revision = 1}), IsEmpty());
  EXPECT_THAT(ChangesOf(storage, 1), ElementsAre("+n/a=1@2", "+n/b=1@3", "~n/a=2@4", "-n/b=1@5"));
  EXPECT_THAT(ChangesOf(storage, 4), ElementsAre("-n/b=1@5"));
  EXPECT_THAT(ChangesOf(storage, 99), IsEmpty());
  EXPECT_EQ(storage.Get(kMaps, "n/a")->metadata().resource_version, "4");
  EXPECT_EQ(storage.Get(kMaps, "n/b"), nullptr);
}

TEST(Storage, RefusesWhatIsNotAsExpected) {
  Storage storage;
  ASSERT_THAT(storage.Create(kMaps, "a", MapWith("a", "1")), IsOk());
  EXPECT_THAT(storage.Create(kMaps, "a", MapWith("a", "2")),
              StatusIs(absl::StatusCode::kAlreadyExists, testing::_));
  EXPECT_THAT(storage.Update(kMaps, "a", 1, MapWith("a", "2")),
              StatusIs(absl::StatusCode::kAborted, testing::_));
  EXPECT_THAT(storage.Update(kMaps, "b", 1, MapWith("b", "2")),
              StatusIs(absl::StatusCode::kNotFound, testing::_));
  EXPECT_THAT(storage.Delete(kMaps, "a", 7, MapWith("a", "2")),
              StatusIs(absl::StatusCode::kAborted, testing::_));
  EXPECT_THAT(storage.List(kMaps, {.revision = 99}),
              StatusIs(absl::StatusCode::kFailedPrecondition, testing::_));
  EXPECT_EQ(storage.revision(), 2);
}

TEST(Storage, PagesAndPrefixes) {
  Storage storage;
  for (const char* key : {"a/1", "a/2", "a-b/1", "b/1"}) {
    ASSERT_THAT(storage.Create(kMaps, key, MapWith("m", "v")), IsOk());
  }
  EXPECT_THAT(ListOf(storage, {.prefix = "a/"}), ElementsAre("a/1=v", "a/2=v"));
  // Ordered by bytes, as in etcd: '-' comes before '/'.
  EXPECT_THAT(ListOf(storage, {.limit = 2}), ElementsAre("a-b/1=v", "a/1=v"));
  EXPECT_THAT(ListOf(storage, {.from = "a/2"}), ElementsAre("a/2=v", "b/1=v"));
  EXPECT_EQ(storage.List(kMaps, {.limit = 3})->remaining, 1u);
  EXPECT_EQ(storage.Count(kMaps, "a/"), 2u);
}

TEST(Storage, ForgetsByCompactionAndByItsBound) {
  Storage storage({.max_changes = 3});
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(storage.Create(kMaps, absl::StrCat(i), MapWith("m", "v")), IsOk());
  }
  EXPECT_EQ(storage.OldestRevision(kMaps), 3);
  EXPECT_THAT(ChangesOf(storage, 2), ElementsAre("required revision has been compacted"));
  EXPECT_EQ(ChangesOf(storage, 3).size(), 3u);
  EXPECT_EQ(ListOf(storage, {.revision = 3}).size(), 2u);
  storage.Compact(5);
  EXPECT_THAT(ListOf(storage, {.revision = 4}),
              ElementsAre("required revision has been compacted"));
  EXPECT_EQ(ListOf(storage, {.revision = 5}).size(), 4u);
  // The same for a resource that has never been written.
  EXPECT_THAT(storage.ChangesAfter("/secrets", 4, 9),
              StatusIs(absl::StatusCode::kOutOfRange, testing::_));
}

TEST(Storage, CallsWatchersOfThePrefixUntilTheyGo) {
  Storage storage;
  int all = 0;
  int some = 0;
  const auto watch_all = storage.Watch(kMaps, "", [&] { ++all; });
  auto watch_some = storage.Watch(kMaps, "a/", [&] { ++some; });
  ASSERT_THAT(storage.Create(kMaps, "a/1", MapWith("m", "v")), IsOk());
  ASSERT_THAT(storage.Create(kMaps, "b/1", MapWith("m", "v")), IsOk());
  ASSERT_THAT(storage.Create("/secrets", "a/1", MapWith("m", "v")), IsOk());
  watch_some.reset();
  ASSERT_THAT(storage.Create(kMaps, "a/2", MapWith("m", "v")), IsOk());
  EXPECT_EQ(all, 3);
  EXPECT_EQ(some, 1);
}

TEST(Storage, TellsWhenARevisionHasCome) {
  Storage storage;
  int reached = 0;
  const auto now = storage.AtRevision(1, [&] { ++reached; });
  EXPECT_EQ(reached, 1);
  const auto later = storage.AtRevision(3, [&] { ++reached; });
  ASSERT_THAT(storage.Create(kMaps, "a", MapWith("m", "v")), IsOk());
  EXPECT_EQ(reached, 1);
  ASSERT_THAT(storage.Create(kMaps, "b", MapWith("m", "v")), IsOk());
  EXPECT_EQ(reached, 2);
}

TEST(Storage, AnyRevisionIsWhatAModelSays) {
  constexpr uint64_t kSeed = 20261121;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::Dice dice(kSeed);
  Storage storage;
  std::vector<std::map<std::string, std::string>> model(2);
  for (int step = 0; step < 2000; ++step) {
    std::map<std::string, std::string> state = model.back();
    const std::string key = absl::StrCat(dice.Below(20));
    const std::string value = absl::StrCat(step);
    const ObjectPtr old = storage.Get(kMaps, key);
    if (old == nullptr) {
      ASSERT_THAT(storage.Create(kMaps, key, MapWith(key, value)), IsOk());
      state[key] = value;
    } else if (dice.Below(3) == 0) {
      ASSERT_THAT(storage.Delete(kMaps, key, old->revision(), old->object().Copy()), IsOk());
      state.erase(key);
    } else {
      ASSERT_THAT(storage.Update(kMaps, key, old->revision(), MapWith(key, value)), IsOk());
      state[key] = value;
    }
    model.push_back(std::move(state));
  }
  for (int i = 0; i < 300; ++i) {
    const int64_t revision = 1 + static_cast<int64_t>(dice.Below(model.size() - 1));
    std::vector<std::string> want;
    for (const auto& [key, value] : model[revision]) want.push_back(absl::StrCat(key, "=", value));
    EXPECT_EQ(ListOf(storage, {.revision = revision}), want) << "revision " << revision;
  }
}

TEST(Storage, FourWritersLoseNothing) {
  Storage storage;
  std::vector<std::unique_ptr<base::Thread>> writers;
  for (int w = 0; w < 4; ++w) {
    writers.push_back(std::make_unique<base::Thread>());
    ASSERT_THAT(
        writers.back()->Start(
            Context(), "writer",
            [&storage, w](const Context&) {
              for (int i = 0; i < 200; ++i) {
                storage.Create(kMaps, absl::StrCat(w, "/", i), MapWith("m", "v")).IgnoreError();
              }
            }),
        IsOk());
  }
  for (auto& writer : writers) writer->Join();
  const absl::StatusOr<ChangesResult> changes = storage.ChangesAfter(kMaps, 1, 10'000);
  ASSERT_THAT(changes, IsOk());
  ASSERT_EQ(changes->changes.size(), 800u);
  for (size_t i = 0; i < 800; ++i) {
    EXPECT_EQ(changes->changes[i]->revision, static_cast<int64_t>(i) + 2);
  }
}

// Three maps with the revisions 2 to 4, and how often they were made.
LaterObjects Later(int& made) {
  return {.resource = kMaps, .at_most = 3, .make = [&made] {
            ++made;
            std::vector<std::pair<std::string, Object>> objects;
            for (const char* name : {"b", "a", "c"})
              objects.emplace_back(name, MapWith(name, "later"));
            return objects;
          }};
}

TEST(Storage, MakesObjectsWhenTheirResourceIsLookedAt) {
  int made = 0;
  Storage storage;
  storage.CreateLater(Later(made));
  EXPECT_EQ(storage.revision(), 4);
  ASSERT_THAT(storage.Create("/secrets", "s", MapWith("s", "")), IsOk());
  storage.Compact(1);
  EXPECT_EQ(made, 0);
  EXPECT_THAT(ListOf(storage, {}), ElementsAre("a=later", "b=later", "c=later"));
  EXPECT_THAT(ListOf(storage, {.revision = 3}), ElementsAre("a=later", "b=later"));
  EXPECT_THAT(ChangesOf(storage, 1), ElementsAre("+b=later@2", "+a=later@3", "+c=later@4"));
  EXPECT_EQ(storage.Get(kMaps, "c")->revision(), 4);
  EXPECT_EQ(storage.Get(kMaps, "c")->metadata().resource_version, "4");
  EXPECT_EQ(made, 1);
}

TEST(Storage, MakesObjectsBeforeTheFirstWrite) {
  int made = 0;
  Storage storage;
  storage.CreateLater(Later(made));
  EXPECT_THAT(storage.Create(kMaps, "a", MapWith("a", "")),
              StatusIs(absl::StatusCode::kAlreadyExists));
  ASSERT_THAT(storage.Update(kMaps, "a", 3, MapWith("a", "now")), IsOk());
  EXPECT_THAT(ChangesOf(storage, 3), ElementsAre("+c=later@4", "~a=now@5"));
  EXPECT_EQ(made, 1);
}

TEST(Storage, ForgetsObjectsThatAreMadeLater) {
  int made = 0;
  Storage storage;
  storage.CreateLater(Later(made));
  storage.Compact(3);
  EXPECT_THAT(ChangesOf(storage, 2), ElementsAre("required revision has been compacted"));
  EXPECT_THAT(ChangesOf(storage, 3), ElementsAre("+c=later@4"));
  EXPECT_EQ(storage.OldestRevision(kMaps), 3);
}

TEST(Storage, GivesNoRevisionOfObjectsThatWereNotMadeToOthers) {
  Storage storage;
  storage.CreateLater({.resource = kMaps, .at_most = 3, .make = [] {
                         std::vector<std::pair<std::string, Object>> one;
                         one.emplace_back("a", MapWith("a", "x"));
                         return one;
                       }});
  ASSERT_THAT(storage.Create(kMaps, "b", MapWith("b", "y")), IsOk());
  EXPECT_THAT(ChangesOf(storage, 1), ElementsAre("+a=x@2", "+b=y@5"));
}

}  // namespace
}  // namespace kube::apiserver
