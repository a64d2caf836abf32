#include "listers/internal/store_core.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/internal/object_cursor.h"
#include "listers/internal/ref.h"
#include "listers/internal/value_index.h"

namespace kube::listers::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

// An object that is indexed by the first digit of its version.
struct Thing {
  std::string name;
  std::string version;
};

const Thing& ThingOf(const void* object) { return *static_cast<const Thing*>(object); }

constexpr ObjectTraits kTraits = {
    {.key =
         [](const void* object) {
           return ObjectKey{.namespace_name = "", .name = ThingOf(object).name};
         },
     .resource_version =
         [](const void* object) { return absl::string_view(ThingOf(object).version); }},
    nullptr};

const AnyIndexer kByDigit = {
    .name = "digit",
    .values_of = [](const void* object) -> absl::StatusOr<std::vector<std::string>> {
      return std::vector<std::string>{ThingOf(object).version.substr(0, 1)};
    }};

AnyObject MakeThing(int number, int version) {
  return std::make_shared<const Thing>(Thing{absl::StrCat("t", number), absl::StrCat(version)});
}

TEST(Keys, AreSplitAndJoined) {
  struct Case {
    const char* key;
    bool valid;
    ObjectKey parts;
  };
  for (const Case& c : std::vector<Case>{{"", true, {"", ""}},
                                         {"a", true, {"", "a"}},
                                         {"a/b", true, {"a", "b"}},
                                         {"a/", true, {"a", ""}},
                                         {"/b", false, {}},
                                         {"a/b/c", false, {}}}) {
    ASSERT_EQ(SplitKey(c.key).has_value(), c.valid) << c.key;
    if (!c.valid) continue;
    EXPECT_EQ(*SplitKey(c.key), c.parts) << c.key;
    EXPECT_EQ(JoinKey(c.parts), c.key);
    EXPECT_THAT(CheckKey(c.parts), IsOk());
  }
  EXPECT_THAT(CheckKey({"a", "b/c"}), StatusIs(absl::StatusCode::kInvalidArgument));
}

absl::Status ApplyAll(StoreCore& core, std::vector<AnyChange>& changes) {
  return core.Apply(changes.size(), [&](size_t i) -> AnyChange& { return changes[i]; });
}

// A write changes the state in place if no snapshot exists, and a copy otherwise.
TEST(StoreCore, CopiesOnlyWhatOthersHave) {
  StoreCore core(kTraits, Hasher(1));
  const AnyChange change = {.object = MakeThing(1, 1)};
  ASSERT_THAT(core.Apply(change), IsOk());
  const State* const first = core.state().get();
  ASSERT_THAT(core.Apply(change), IsOk());
  EXPECT_EQ(core.state().get(), first);
  const Ref<State> kept = core.state();
  ASSERT_THAT(core.Apply(change), IsOk());
  EXPECT_NE(core.state().get(), kept.get());
}

// A write of several changes is made in place if they are of different objects.
TEST(StoreCore, UpdatesAFewInPlace) {
  StoreCore core(kTraits, Hasher(1));
  ASSERT_THAT(core.AddIndexers({kByDigit}), IsOk());
  const auto apply = [&](std::vector<int> things, int version) {
    std::vector<AnyChange> changes(things.size());
    for (size_t i = 0; i < things.size(); ++i) changes[i].object = MakeThing(things[i], version);
    EXPECT_THAT(ApplyAll(core, changes), IsOk());
    std::vector<std::string> versions;
    for (const AnyChange& change : changes) {
      const AnyObject& old = change.old_object;
      versions.push_back(old == nullptr ? "" : ThingOf(old.get()).version);
    }
    return versions;
  };
  EXPECT_THAT(apply({1, 2, 3}, 1), ElementsAre("", "", ""));
  const State* const first = core.state().get();
  EXPECT_THAT(apply({3, 1}, 2), ElementsAre("1", "1"));
  EXPECT_EQ(core.state().get(), first);
  EXPECT_EQ(core.state()->indexes[0].values.Find(Hasher(1), "2")->members.size(), 2u);
  EXPECT_THAT(apply({3, 3}, 3), ElementsAre("2", "3"));
  EXPECT_THAT(apply({2, 4}, 4), ElementsAre("1", ""));
  EXPECT_EQ(core.state()->size, 4u);
  const Ref<State> kept = core.state();
  EXPECT_THAT(apply({1, 2}, 5), ElementsAre("2", "4"));
  EXPECT_NE(core.state().get(), kept.get());
  EXPECT_EQ(ThingOf(core.Get({.namespace_name = "", .name = "t1"}).get()).version, "5");
  EXPECT_EQ(kept->indexes[0].values.Find(Hasher(1), "5"), nullptr);
}

constexpr int kThings = 60;

// Checks a snapshot: it has all objects, the two of a pair (2i, 2i + 1) have the same version, and
// the index has each object under the first digit of its version.
absl::Status Check(const Ref<State>& state) {
  if (state->size != kThings) return absl::InternalError("objects are missing");
  const AnyList all((Ref<const State>(state)));
  std::vector<std::string> versions(kThings / 2);
  for (AnyList::Cursor c(all); !c.done(); c.Next()) {
    const Thing& thing = ThingOf(c.value().get());
    std::string& version = versions[std::stoul(thing.name.substr(1)) / 2];
    if (!version.empty() && version != thing.version) return absl::InternalError("half a write");
    version = thing.version;
  }
  size_t in_index = 0;
  for (PostingTree::Cursor p(state->indexes[0].values.postings()); !p.done(); p.Next()) {
    for (ObjectTree::Cursor o(p.value()->members); !o.done(); o.Next(), ++in_index) {
      if (ThingOf(o.value().get()).version.substr(0, 1) != p.value()->value) {
        return absl::InternalError("an index that is behind");
      }
    }
  }
  return in_index == kThings ? absl::OkStatus() : absl::InternalError("an index lacks objects");
}

TEST(StoreCore, ReadersSeeWholeWrites) {
  StoreCore core(kTraits, Hasher(1, 0xff));  // some collisions
  ASSERT_THAT(core.AddIndexers({kByDigit}), IsOk());
  std::vector<AnyObject> things;
  for (int i = 0; i < kThings; ++i) things.push_back(MakeThing(i, 0));
  ASSERT_THAT(core.Replace(things, "0"), IsOk());
  base::ThreadGroup group((Context()));
  for (int w = 0; w < 2; ++w) {
    group.Go("writer", [&core, w](const Context&) -> absl::Status {
      for (int version = 1; version <= 1500; ++version) {
        const int pair = (w + version * 7) % (kThings / 2);
        std::vector<AnyChange> changes(2);
        changes[0].object = MakeThing(2 * pair, version);
        changes[1].object = MakeThing(2 * pair + 1, version);
        if (absl::Status status = ApplyAll(core, changes); !status.ok()) return status;
        // A change of a single object, which is made in place if no reader has a snapshot.
        if (w == 0) continue;
        const absl::Status status =
            core.Apply({.object = MakeThing(kThings, version), .is_removal = true});
        if (!status.ok()) return status;
      }
      return absl::OkStatus();
    });
  }
  for (int r = 0; r < 3; ++r) {
    group.Go("reader", [&core](const Context&) -> absl::Status {
      for (int i = 0; i < 1500; ++i) {
        if (absl::Status bad = Check(core.state()); !bad.ok()) return bad;
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

// Writes of single objects beside readers, some of them in place.
TEST(StoreCore, WritesInPlaceBesideReaders) {
  StoreCore core(kTraits, Hasher(1));
  ASSERT_THAT(core.AddIndexers({kByDigit}), IsOk());
  base::ThreadGroup group((Context()));
  group.Go("writer", [&core](const Context&) -> absl::Status {
    for (int i = 0; i < 6000; ++i) {
      const absl::Status status =
          core.Apply({.object = MakeThing(i % 97, i), .is_removal = i % 3 == 0});
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  });
  for (int r = 0; r < 2; ++r) {
    group.Go("reader", [&core](const Context&) -> absl::Status {
      for (int i = 0; i < 1500; ++i) {
        const Ref<State> state = core.state();
        size_t n = 0;
        const AnyList all((Ref<const State>(state)));
        for (AnyList::Cursor c(all); !c.done(); c.Next())
          n += !ThingOf(c.value().get()).name.empty();
        size_t in_index = 0;
        for (PostingTree::Cursor p(state->indexes[0].values.postings()); !p.done(); p.Next()) {
          in_index += p.value()->members.size();
        }
        if (n != state->size || n != in_index) return absl::InternalError("sizes differ");
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

// A reader that has seen one object of a write also gets and lists the others, and a Get is not
// older than a list before it.
TEST(StoreCore, GetsAreOfWholeWrites) {
  StoreCore core(kTraits, Hasher(1));
  std::vector<AnyObject> things = {MakeThing(0, 0), MakeThing(1, 0), MakeThing(2, 0)};
  ASSERT_THAT(core.Replace(things, "0"), IsOk());
  base::ThreadGroup group((Context()));
  group.Go("writer", [&core](const Context&) -> absl::Status {
    for (int version = 1; version <= 3000; ++version) {
      absl::Status status;
      if (version % 3 == 0) {
        status = core.Replace({MakeThing(0, version), MakeThing(1, version), MakeThing(2, 0)}, "0");
      } else {
        std::vector<AnyChange> changes(2);
        changes[0].object = MakeThing(0, version);
        changes[1].object = MakeThing(1, version);
        status = ApplyAll(core, changes);
      }
      if (status.ok()) status = core.Apply({.object = MakeThing(2, version)});
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  });
  const auto version_of = [](const AnyObject& thing) {
    return std::stoi(ThingOf(thing.get()).version);
  };
  const auto listed = [&core](const char* name) {
    return *FindObject(*core.state(), core.context(), core.context().hasher.OfKey({"", name}),
                       {"", name});
  };
  for (int r = 0; r < 3; ++r) {
    group.Go("reader", [&](const Context&) -> absl::Status {
      for (int i = 0; i < 3000; ++i) {
        const int first = version_of(core.Get({"", "t0"}));
        const int second = version_of(core.Get({"", "t1"}));
        const int first_again = version_of(i % 2 == 0 ? listed("t0") : core.Get({"", "t0"}));
        if (second < first || first_again < second) return absl::InternalError("half a write");
        const int single = version_of(listed("t2"));
        const int got = version_of(core.Get({"", "t2"}));
        // Only a Replace sets the version back, and then the version of the pair is higher.
        if (got < single && version_of(core.Get({"", "t0"})) <= single) {
          return absl::InternalError("a get that is behind a list");
        }
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

// A replaced object is not kept if no reader has it.
TEST(StoreCore, LetsGoOfWhatWasReplaced) {
  StoreCore core(kTraits, Hasher(1));
  AnyObject first = MakeThing(1, 1);
  AnyObject second = MakeThing(1, 2);
  ASSERT_THAT(core.AddIndexers({kByDigit}), IsOk());
  ASSERT_THAT(core.Apply({.object = first}), IsOk());
  EXPECT_EQ(core.Get({"", "t1"}), first);
  ASSERT_THAT(core.Apply({.object = second}), IsOk());
  EXPECT_EQ(first.use_count(), 1);
  EXPECT_EQ(core.Get({"", "t1"}), second);
  ASSERT_THAT(core.Apply({.object = second, .is_removal = true}), IsOk());
  EXPECT_EQ(second.use_count(), 1);
  EXPECT_EQ(core.Get({"", "t1"}), nullptr);
  ASSERT_THAT(core.Apply({.object = first}), IsOk());
  ASSERT_THAT(core.Replace({second}, "2"), IsOk());
  EXPECT_EQ(first.use_count(), 1);
}

}  // namespace
}  // namespace kube::listers::internal
