#include "listers/internal/key_table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/internal/read_sections.h"
#include "listers/internal/value_index.h"
#include "tests/dice.h"

namespace kube::listers::internal {
namespace {

using base::IsOk;
using Object = KeyTable::Object;

struct Thing {
  std::string name;  // or "namespace/name"
  int version;
};

const Thing& ThingOf(const Object& object) { return *static_cast<const Thing*>(object.get()); }

ObjectKey KeyOf(absl::string_view name) {
  const size_t slash = name.find('/');
  if (slash == absl::string_view::npos) return {.namespace_name = "", .name = name};
  return {.namespace_name = name.substr(0, slash), .name = name.substr(slash + 1)};
}

constexpr ObjectTraits kTraits = {
    {.key = [](const void* object) { return KeyOf(static_cast<const Thing*>(object)->name); }},
    nullptr};

// Of four in a row: without a namespace, with one, and with the same characters cut elsewhere; and
// of 44 to 51 characters, which only some have room for.
std::string NameFor(size_t i) {
  const size_t n = i / 4;
  switch (i % 4) {
    case 0:
      return absl::StrCat("t", n);
    case 1:
      return absl::StrCat("ab/c", n);
    case 2:
      return absl::StrCat("a/bc", n);
    default:
      return absl::StrCat(std::string(n % 3, 'n'), "/", std::string(42 + n % 5, 'l'), n);
  }
}

// A table and the one that writes to it.
class Table {
 public:
  explicit Table(uint64_t mask = ~uint64_t{0}, size_t expected = 0)
      : hasher_(1, mask), table_(kTraits, sections_, expected) {}

  // Returns the garbage.
  std::vector<Object> Set(const std::string& name, int version) {
    SetOnly(name, version);
    return Collect();
  }
  void SetOnly(const std::string& name, int version) {
    const uint64_t hash = hasher_.OfKey(KeyOf(name));
    table_.Set(table_.Find(hash, KeyOf(name)), hash,
               std::make_shared<const Thing>(Thing{name, version}));
  }
  std::vector<Object> Remove(const std::string& name) {
    const KeyTable::Place place = table_.Find(hasher_.OfKey(KeyOf(name)), KeyOf(name));
    if (place.object != nullptr) table_.Remove(place);
    return Collect();
  }
  std::vector<Object> Collect() {
    std::vector<Object> garbage;
    table_.Collect(garbage);
    return garbage;
  }
  Object Get(const std::string& name) const {
    ReadSections::Section section(sections_);
    return table_.Get(hasher_.OfKey(KeyOf(name)), KeyOf(name));
  }
  const ReadSections& sections() const { return sections_; }
  size_t size() const { return table_.size(); }
  size_t MemoryBytes() const { return table_.MemoryBytes(); }

 private:
  const Hasher hasher_;
  ReadSections sections_;
  KeyTable table_;
};

struct MaskCase {
  const char* name;
  uint64_t mask;
};

class KeyTableTest : public testing::TestWithParam<MaskCase> {};

// It grows, and is rebuilt where many were removed. With masks that leave few tags or one, nearly
// everything collides.
TEST_P(KeyTableTest, DoesWhatAMapDoes) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    Table table(GetParam().mask, dice.Below(100));
    std::map<std::string, int> model;
    size_t names = 10;
    for (int i = 0; i < 3000; ++i) {
      if (i % 500 == 0) names = i % 1000 == 0 ? 300 : 20;
      const std::string name = NameFor(dice.Below(names));
      const bool is_there = model.contains(name);
      const bool is_removal = dice.Below(3) == 0;
      const std::vector<Object> garbage = is_removal ? table.Remove(name) : table.Set(name, i);
      ASSERT_EQ(garbage.size(), is_there ? 1u : 0u);
      if (is_there) {
        ASSERT_EQ(ThingOf(garbage[0]).version, model[name]);
      }
      model.erase(name);
      if (!is_removal) model[name] = i;
      ASSERT_EQ(table.size(), model.size());
    }
    for (int i = 0; i < 300; ++i) {
      const std::string name = NameFor(i);
      const Object object = table.Get(name);
      ASSERT_EQ(object != nullptr, model.contains(name)) << name;
      if (object == nullptr) continue;
      EXPECT_EQ(ThingOf(object).version, model[name]) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Masks, KeyTableTest,
                         testing::Values(MaskCase{"none", ~uint64_t{0}},
                                         MaskCase{"two_bits_of_the_tag", uint64_t{3} << 62},
                                         MaskCase{"all_alike", 0}),
                         [](const auto& mask) { return mask.param.name; });

// What was replaced while a reader is about is kept for it, and handed over when it has left.
TEST(KeyTable, KeepsWhatAReaderMayHave) {
  Table table;
  table.Set("a", 1);
  std::optional<ReadSections::Section> section(std::in_place, table.sections());
  std::vector<Object> garbage;
  for (int version = 2; version < 200; ++version) {
    for (Object& object : table.Set("a", version)) garbage.push_back(std::move(object));
  }
  EXPECT_EQ(garbage.size(), 0u);
  section.reset();
  garbage = table.Collect();
  EXPECT_EQ(garbage.size(), 198u);
  const size_t bytes = table.MemoryBytes();
  for (int version = 200; version < 1000; ++version) table.Set("a", version);
  EXPECT_EQ(table.MemoryBytes(), bytes) << "slots are used again";
}

// A reader stops while objects are updated, as many at once as may be: until one more would have
// the writer wait. How much room is left in the last chunk of slots depends on the number of
// objects.
TEST(KeyTable, HasSlotsForAllThatMayBeRetired) {
  constexpr int kMost = static_cast<int>(KeyTable::kMostUncollected);
  for (const int objects : {128, 169, 170, 255, 340}) {
    SCOPED_TRACE(objects);
    Table table(~uint64_t{0}, objects);
    std::vector<std::string> names;
    for (int i = 0; i < objects; ++i) names.push_back(absl::StrCat("t", i));
    for (const std::string& name : names) table.Set(name, 0);
    std::optional<ReadSections::Section> section(std::in_place, table.sections());
    int updates = 0;
    const auto update = [&](int n) {
      for (int i = 0; i < n; ++i) table.SetOnly(names[i], ++updates);
    };
    // Collect does not wait while there are fewer than 2^14.
    while (updates + kMost < 1 << 14) {
      update(kMost);
      EXPECT_EQ(table.Collect().size(), 0u);
    }
    update((1 << 14) - 1 - updates);
    EXPECT_EQ(table.Collect().size(), 0u);
    update(kMost);
    section.reset();
    EXPECT_EQ(table.Collect().size(), static_cast<size_t>(updates));
    for (const std::string& name : names) EXPECT_EQ(ThingOf(table.Get(name)).name, name);
  }
}

TEST(KeyTable, TakesLittleMemoryForAnObject) {
  constexpr size_t kThings = 20000;
  const size_t none = Table().MemoryBytes();
  Table table(~uint64_t{0}, kThings);
  for (size_t i = 0; i < kThings; ++i) table.Set(absl::StrCat("t", i), 0);
  EXPECT_LE((table.MemoryBytes() - none) / kThings, 77u);
}

// Some names come and go, others are always there; a reader's versions of a name never go back.
TEST(KeyTable, IsReadBesideItsWriter) {
  Table table;
  for (int i = 0; i < 50; ++i) table.Set(absl::StrCat("t", i), 0);
  base::ThreadGroup group((Context()));
  group.Go("writer", [&table](const Context&) {
    for (int i = 1; i <= 6000; ++i) {
      table.Set(absl::StrCat("t", i * 7 % 50), i);
      const std::string guest = absl::StrCat("guest", i % 300);
      if (i / 300 % 2 == 0) {
        table.Set(guest, i);
      } else {
        table.Remove(guest);
      }
    }
    return absl::OkStatus();
  });
  for (int r = 0; r < 3; ++r) {
    group.Go("reader", [&table](const Context&) -> absl::Status {
      std::vector<int> versions(50);
      for (int i = 0; i < 6000; ++i) {
        const std::string name = absl::StrCat("t", i % 50);
        const Object object = table.Get(name);
        if (object == nullptr) return absl::InternalError("an object is missing");
        if (ThingOf(object).name != name) return absl::InternalError("another's object");
        if (ThingOf(object).version < versions[i % 50]) return absl::InternalError("an old one");
        versions[i % 50] = ThingOf(object).version;
        const std::string guest = absl::StrCat("guest", i % 300);
        const Object there = table.Get(guest);
        if (there != nullptr && ThingOf(there).name != guest) return absl::InternalError("a guest");
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::listers::internal
